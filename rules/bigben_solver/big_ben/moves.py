"""The moves of Big Ben that are enough for a win, and what the piles are after them."""

from typing import Final

from bigben_rules.bigben.layout import FAN_SIZE
from bigben_solver.big_ben.judging import WANTED
from bigben_solver.big_ben.table import (
    ALWAYS,
    BELOW_OF,
    COUNT_1,
    COUNT_2,
    HOUR_1,
    HOUR_2,
    NO_CARD,
    NO_GAPS,
    REFILL,
    STUCK,
    TARGETS,
    TURN,
    WASTE,
    Table,
    refill,
)

Piles = tuple[bytes, tuple[bytes, ...], bytes]
"""What is home, the fans and the waste."""


def deal_moves(piles: Piles, table: Table, *, stuck: bool) -> list[int]:
    """The legal ones of refill and turn if the stock is not empty.

    ``stuck`` is whether no card can be played or built.
    """
    short = min(map(len, piles[1])) < FAN_SIZE
    turn = table.turn
    turns = turn == ALWAYS or (not short and (turn == NO_GAPS or stuck))
    return [REFILL] * short + [TURN] * turns


def dealt(table: Table, piles: Piles, at: int, move: int) -> tuple[Piles, int]:
    """The piles after a refill or turn, and how many cards the stock has dealt then."""
    home, fans, waste = piles
    if move == TURN:
        return (home, fans, waste + table.stock[at : at + 1]), at + 1
    new = list(fans)
    at = refill(new, table.stock, at, laps=table.laps)
    return (home, tuple(new), waste), at


def card_moves(piles: Piles, table: Table, last: bool) -> tuple[list[int], bool]:
    """Plays and builds that are enough for a win if there is one, by the rules of ``table``.

    A card that fits two foundations goes to the longer one, which is never the worse choice, as
    ``Position.parse`` says; except under ``stuck``. A safe play comes alone, and with it True;
    ``_safe`` says why. ``last`` is whether the stock is empty.
    """
    both = table.turn == STUCK
    home, fans, waste = piles
    takers: dict[int, list[int]] = {}
    for i, fan in enumerate(fans):
        if len(fan) >= FAN_SIZE:
            takers.setdefault(BELOW_OF[fan[-1]], []).append(i)
    moves: list[int] = []
    for source, pile in enumerate((*fans, waste)):
        if not pile:
            continue
        card = pile[-1]
        target = WASTE
        if home[HOUR_2[card]] == COUNT_2[card]:
            target = HOUR_2[card]
            if home[HOUR_1[card]] == COUNT_1[card]:
                if both:
                    moves.append(source * TARGETS + HOUR_1[card])
                elif not LONGER_2[card]:
                    target = HOUR_1[card]
        elif home[HOUR_1[card]] == COUNT_1[card]:
            target = HOUR_1[card]
        if target < WASTE:
            if (last or source == WASTE or len(pile) > FAN_SIZE) and _safe(home, card):
                return [source * TARGETS + target], True
            moves.append(source * TARGETS + target)
        if card in takers and (source < WASTE or table.waste_builds):
            moves += [source * TARGETS + WASTE + target for target in takers[card]]
    return moves, False


def _safe(home: bytes, card: int) -> bool:
    """Whether a card that fits a foundation may go home before anything else is tried.

    It may if its other copy and all cards of the next lower rank are home, and its fan has no gap
    then, or gaps do not matter. Nothing can be built on it any more, no other card can take its
    place, and its going changes no deal. So any win can begin with this play: leave out what the
    card did later. Under ``stuck`` it had to go before the next turn anyway.
    """
    below = BELOW_OF[card]
    return (
        (home[HOUR_1[below]] > COUNT_1[below])
        and (COUNT_2[below] == 255 or home[HOUR_2[below]] > COUNT_2[below])
        and (home[HOUR_1[card]] > COUNT_1[card] or _is_home(home, HOUR_2[card], COUNT_2[card]))
    )


def _is_home(home: bytes, hour: int, count: int) -> bool:
    return count == 255 or home[hour] > count


def after(piles: Piles, move: int) -> Piles:
    """The piles after a play or a build."""
    home, fans, waste = piles
    source, target = divmod(move, TARGETS)
    changed = list(fans)
    if source == WASTE:
        top = waste[-1:]
        waste = waste[:-1]
    else:
        top = fans[source][-1:]
        changed[source] = fans[source][:-1]
    if target < WASTE:
        counts = bytearray(home)
        counts[target] += 1
        home = bytes(counts)
    else:
        changed[target - WASTE] += top
    return home, tuple(changed), waste


def _longer_2(card: int) -> bool:
    """Whether the second foundation that takes the card needs more cards then."""
    if COUNT_2[card] == 255:
        return False
    one, other = WANTED[HOUR_1[card]], WANTED[HOUR_2[card]]
    return len(other) - COUNT_2[card] > len(one) - COUNT_1[card]


LONGER_2: Final = bytes(_longer_2(card) for card in range(NO_CARD))
