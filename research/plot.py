"""The plot of research/winnability.md, as SVG."""

from collections.abc import Iterable
from html import escape
from math import log10
from typing import Final, NamedTuple

from research.odds import Share
from research.results import Summary

TITLE: Final = "How many deals of Big Ben can be won, and how many are"

WIDTH: Final = 760
LEFT: Final = 210
"""Where the axes begin; names stand before them."""
RIGHT: Final = 126
"""What figures need behind them."""
ROW: Final = 26
TOP: Final = 62
BELOW_AXIS: Final = 46

STYLE: Final = """
  text { font: 13px system-ui, sans-serif; fill: #1c2733; }
  .head { font-weight: 600; font-size: 15px; }
  .note { fill: #55626f; font-size: 12px; }
  .axis { stroke: #c3cbd3; }
  .claim { stroke: #b3541e; stroke-dasharray: 5 4; }
  .claimed { fill: #b3541e; font-size: 12px; }
  .range { stroke: #0b6e4f; stroke-width: 2.5; }
  .share { fill: #0b6e4f; }
  .open { stroke: #8a96a3; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .note { fill: #9aa7b4; }
    .axis { stroke: #3d4752; }
    .claim { stroke: #f0a06a; }
    .claimed { fill: #f0a06a; }
    .range { stroke: #56d3a4; }
    .share { fill: #56d3a4; }
    .open { stroke: #7c8995; }
  }"""


class Row(NamedTuple):
    """A name and a share of deals."""

    name: str
    share: Share
    most: Share | None = None
    """The share if all undecided deals are counted too."""


class Claim(NamedTuple):
    """What a book says."""

    text: str
    share: float


CLAIMS: Final = (Claim("“1 in 15”", 1 / 15), Claim("“1 in 2”", 1 / 2))


class Scale(NamedTuple):
    """Where a share lies between 0 and 1 of an axis."""

    low: float
    high: float
    log: bool

    def x(self, share: float) -> float:
        if self.log:
            part = log10(max(share, self.low) / self.low) / log10(self.high / self.low)
        else:
            part = (share - self.low) / (self.high - self.low)
        return LEFT + (WIDTH - LEFT - RIGHT) * min(max(part, 0), 1)


def draw(summary: Summary) -> str:
    """The whole plot."""
    lost = [
        Row(one.rules, Share(one.lost, one.deals), Share(one.lost + one.unknown, one.deals))
        for one in summary.deals
        if one.deals
    ]
    won = [Row(one.player, Share(one.won, one.deals)) for one in summary.players]
    solved = summary.deals[0]
    if solved.deals:
        won.append(Row("solver, sees the stock", Share(solved.won, solved.deals)))
    most = max((row.most.interval[1] for row in lost if row.most), default=0.01)
    step = next(step for step in (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1) if most <= 5 * step)
    ticks = [step * n for n in range(6)]
    upper = panel(
        "Deals proved lost; the thin lines count the undecided ones as lost too",
        lost,
        Scale(0, ticks[-1], log=False),
        ticks,
    )
    lower = panel(
        "Deals of standard that are won; only the solver sees the stock",
        won,
        Scale(0.001, 1, log=True),
        [0.001, 0.01, 0.1, 1],
        CLAIMS,
    )
    first, second = (height(rows) for rows in (lost, won))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {first + second}" '
            'role="img" aria-labelledby="title desc">',
            f'<title id="title">{TITLE}</title>',
            f'<desc id="desc">{escape(described(lost, won))}</desc>',
            f"<style>{STYLE}\n</style>",
            *upper,
            f'<g transform="translate(0 {first})">',
            *lower,
            "</g>",
            "</svg>\n",
        )
    )


def height(rows: list[Row]) -> int:
    return TOP + ROW * len(rows) + BELOW_AXIS


def panel(
    head: str, rows: list[Row], scale: Scale, ticks: list[float], claims: Iterable[Claim] = ()
) -> list[str]:
    """An axis with a row for each share: a dot, and its interval as a line."""
    bottom = TOP + ROW * len(rows)
    parts = [f'<text class="head" x="16" y="26">{head}</text>']
    for tick in ticks:
        x = scale.x(tick)
        parts += [
            f'<line class="axis" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}"/>',
            f'<text class="note" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">'
            f"{tick * 100:.3g} %</text>",
        ]
    for text, share in claims:
        x = scale.x(share)
        parts += [
            f'<line class="claim" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}"/>',
            f'<text class="claimed" x="{x:.1f}" y="{TOP - 14}" text-anchor="middle">{text}</text>',
        ]
    for index, row in enumerate(rows):
        parts += drawn(row, TOP + ROW * index + ROW / 2, scale)
    return parts


def drawn(row: Row, y: float, scale: Scale) -> list[str]:
    low, high = (scale.x(end) for end in row.share.interval)
    x = scale.x(row.share.won / row.share.deals)
    parts = [
        f'<text x="{LEFT - 14}" y="{y + 4:.1f}" text-anchor="end">{escape(row.name)}</text>',
        f'<line class="range" x1="{low:.1f}" y1="{y:.1f}" x2="{high:.1f}" y2="{y:.1f}"/>',
        f'<circle class="share" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>',
        f'<text class="note" x="{WIDTH - RIGHT + 14}" y="{y + 4:.1f}">'
        f"{row.share.won:,} of {row.share.deals:,}</text>",
    ]
    if row.most and row.most.won > row.share.won:
        end = scale.x(row.most.interval[1])
        parts.insert(
            1, f'<line class="open" x1="{x:.1f}" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}"/>'
        )
    return parts


def described(lost: list[Row], won: list[Row]) -> str:
    """All shares in words."""
    cannot = "; ".join(f"{row.name} {row.share.won} of {row.share.deals}" for row in lost)
    are = "; ".join(f"{row.name} {row.share.won} of {row.share.deals}" for row in won)
    return f"Proved lost, by rules: {cannot}. Won deals of standard: {are}."
