"""Cards that fit two foundations, and the game in which these two are exchanged."""

from typing import NamedTuple

from bigben_rules import Move
from bigben_rules.bigben import Position
from bigben_rules.bigben.layout import FOUNDATION, HOURS, Hour
from bigben_rules.bigben.moves import PLAY, SOURCES


class Choice(NamedTuple):
    """Two foundations with the same top; `fdn` means the longer one."""

    longer: Hour
    shorter: Hour
    other: Move
    """The play to the shorter one."""

    def exchange(self, move: Move) -> Move:
        """The move with the two foundations exchanged."""
        plays = PLAY.get(move.source, {})
        if move == plays.get(self.longer):
            return plays[self.shorter]
        if move == plays.get(self.shorter):
            return plays[self.longer]
        return move


def choices(position: Position) -> list[Choice]:
    """Every choice between two foundations that the player has here."""
    moves = set(position.legal_moves())
    found = []
    for source in SOURCES:
        hours = [hour for hour in HOURS if PLAY[source][hour] in moves]
        if len(hours) == 2:
            shorter, longer = sorted(hours, key=lambda h: len(FOUNDATION[h]) - _count(position, h))
            found.append(Choice(longer, shorter, PLAY[source][shorter]))
    return found


def _count(position: Position, hour: Hour) -> int:
    return position.foundations[hour - 1]
