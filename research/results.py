"""The results of the measurements: files of lines that only grow, and what they add up to.

A process that is killed leaves at most half a line, which the next one takes away.
"""

import fcntl
import json
from collections import Counter
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self, get_args

from bigben_rules.bigben.layout import TOTAL
from bigben_rules.bigben.variants import RULES
from bigben_solver import Result
from bigben_solver.certificates import HEADER, Certificate, parse
from bigben_solver.players import STRENGTHS


class Lines:
    """A file that only grows, line by line. Only one process may have it open."""

    def __init__(self, file: Path) -> None:
        """Read what is there. Raises BlockingIOError if another process has the file open."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._stream = file.open("a+b")
        fcntl.lockf(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)  # its children do not inherit it
        self._stream.seek(0)
        content = self._stream.read()
        whole = content.rfind(b"\n") + 1
        self._stream.truncate(whole)
        self.found: Final = content[:whole].decode("ascii").splitlines()

    def add(self, line: str) -> None:
        """Write one more line at once."""
        self._stream.write(f"{line}\n".encode("ascii"))
        self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()


Deals = dict[tuple[str, int], Certificate]
"""By rules and number: the last certificate of each deal."""

Games = dict[tuple[str, int], int]
"""By player and number of the deal: the cards home at the end."""


def read_deals(lines: Iterable[str]) -> Deals:
    certificates = map(parse, lines)
    return {(one.rules, int(one.deal)): one for one in certificates}


def without_gaps(deals: Deals) -> Deals:
    """Only the deals up to the first one of each variant that nobody has looked at.

    Results come in any order, hard deals late: what lies behind a gap would not be a fair sample.
    """
    kept: Deals = {}
    for rules in RULES:
        for number in count():
            if (rules, number) not in deals:
                break
            kept[rules, number] = deals[rules, number]
    return kept


def read_games(lines: Iterable[str]) -> Games:
    """From lines with the player, the number of the deal and the cards home."""
    words = map(str.split, lines)
    return {(player, int(deal)): int(home) for player, deal, home in words}


def written_deals(deals: Deals) -> bytes:
    """The file of certificates, in order."""
    keys = sorted(deals, key=lambda key: (list(RULES).index(key[0]), key[1]))
    lines = [f"{HEADER} {len(deals)}", *(str(deals[key]) for key in keys)]
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def written_games(games: Games) -> bytes:
    """The file of the house players' games, in order."""
    lines = sorted((player, deal, home) for (player, deal), home in games.items())
    return "".join(f"{player} {deal} {home}\n" for player, deal, home in lines).encode("ascii")


class DealCount(NamedTuple):
    """What became of the deals of one variant."""

    rules: str
    deals: int
    won: int
    lost: int
    unknown: int


class PlayerCount(NamedTuple):
    """How a house player fared."""

    player: str
    deals: int
    won: int
    home: int
    """Cards home, all deals together."""


class Summary(NamedTuple):
    """All that the page says in figures."""

    deals: list[DealCount]
    players: list[PlayerCount]
    sha256: str
    """Of the plain file of certificates; empty if it was not made."""


def summary_of(deals: Deals, games: Games, *, sha256: str = "") -> Summary:
    """What the results add up to."""
    results = Counter((rules, one.result) for (rules, _), one in deals.items())
    of_deals = []
    for rules in RULES:
        won, lost, unknown = (results[rules, result] for result in get_args(Result))
        of_deals.append(DealCount(rules, won + lost + unknown, won, lost, unknown))
    of_players = []
    for player in STRENGTHS:
        homes = [home for (one, _), home in games.items() if one == player]
        if homes:
            of_players.append(PlayerCount(player, len(homes), homes.count(TOTAL), sum(homes)))
    return Summary(of_deals, of_players, sha256)


def write_summary(summary: Summary) -> str:
    """As JSON, a count on each line."""
    parts = {
        "deals": [json.dumps(count._asdict()) for count in summary.deals],
        "players": [json.dumps(count._asdict()) for count in summary.players],
    }
    lists = (f'"{name}": [\n  ' + ",\n  ".join(lines) + "\n]" for name, lines in parts.items())
    return f'{{\n"sha256": "{summary.sha256}",\n' + ",\n".join(lists) + "\n}\n"


def read_summary(text: str) -> Summary:
    fields = json.loads(text)
    return Summary(
        [DealCount(**count) for count in fields["deals"]],
        [PlayerCount(**count) for count in fields["players"]],
        fields["sha256"],
    )
