"""The tables of research/winnability.md, and the files beside it."""

import lzma
from hashlib import sha256
from pathlib import Path
from typing import Final

from research.odds import Share
from research.plot import draw
from research.results import (
    Deals,
    Games,
    Summary,
    read_summary,
    summary_of,
    write_summary,
    written_deals,
    written_games,
)

PAGE: Final = Path(__file__).with_name("winnability.md")
PUBLISHED: Final = Path(__file__).with_name("published")
SUMMARY: Final = PUBLISHED / "results.json"
CERTIFICATES: Final = PUBLISHED / "certificates.xz"
GAMES: Final = PUBLISHED / "games.xz"
PLOT: Final = PUBLISHED / "winnability.svg"


def publish(deals: Deals, games: Games) -> None:
    """Write the certificates, the games, the summary, the plot, and the figures of the page."""
    SUMMARY.parent.mkdir(exist_ok=True)
    certificates = written_deals(deals)
    for file, plain in ((CERTIFICATES, certificates), (GAMES, written_games(games))):
        file.write_bytes(lzma.compress(plain, preset=9 | lzma.PRESET_EXTREME))
    summary = summary_of(deals, games, sha256=sha256(certificates).hexdigest())
    SUMMARY.write_text(write_summary(summary))
    PLOT.write_text(draw(summary), "utf-8")
    PAGE.write_text(with_figures(PAGE.read_text("utf-8"), summary), "utf-8")


def with_figures(page: str, summary: Summary) -> str:
    """The page with the tables of the summary between its comments."""
    parts = {
        "deals": table_of_deals(summary),
        "players": table_of_players(summary),
        "hash": f"`{summary.sha256}`",
    }
    for name, text in parts.items():
        before, begin, rest = page.partition(f"<!-- {name} -->")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        assert end, f"{PAGE} has no place for {name}"
        page = f"{before}{begin}\n{text}\n{end}{after}"
    return page


def table_of_deals(summary: Summary) -> str:
    """How many deals of each variant are won, lost and undecided, with intervals."""
    rows = [
        "| rules | deals | won | proved lost | undecided | winnable, 95 % interval |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for one in summary.deals:
        if one.deals:
            low, _ = Share(one.won, one.deals).interval
            _, high = Share(one.won + one.unknown, one.deals).interval
            rows.append(
                f"| `{one.rules}` | {one.deals:,} | {one.won:,} | {one.lost:,} | {one.unknown:,} "
                f"| {_percent(low)} … {_percent(high)} % |"
            )
    return "\n".join(rows)


def table_of_players(summary: Summary) -> str:
    """How many deals of standard each house player wins."""
    rows = [
        "| player | deals | won | 95 % interval | 1 in | cards home, mean |",
        "|---|--:|--:|---|--:|--:|",
    ]
    for one in summary.players:
        low, high = Share(one.won, one.deals).interval
        one_in = f"{one.deals / one.won:.1f}" if one.won else ""
        rows.append(
            f"| {one.player} | {one.deals:,} | {one.won:,} "
            f"| {_percent(low)} … {_percent(high)} % | {one_in} | {one.home / one.deals:.1f} |"
        )
    return "\n".join(rows)


def _percent(share: float) -> str:
    return f"{share * 100:.2f}"


def published_deals() -> list[str]:
    """The lines of the certificates that were committed."""
    return lzma.decompress(CERTIFICATES.read_bytes()).decode("ascii").splitlines()[1:]


def published_games() -> list[str]:
    """The lines of the games that were committed."""
    return lzma.decompress(GAMES.read_bytes()).decode("ascii").splitlines()


def read_published() -> Summary:
    """The summary that was committed."""
    return read_summary(SUMMARY.read_text())
