"""The position that each player was shown last: what they type belongs to it, as a button does.

A player whose command got no answer types it again; if the first one was played after all, the
second belongs to a position that is over, and is not played.
"""

from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from bigben_chat.boards import current_race
from bigben_chat.store import ChatId, Store
from bigben_protocol import Pile, View

MOST_BOARDS: Final = 1000
"""The most boards of which the piles are remembered; of others only the number of moves is."""
_EVER: Final = datetime.fromtimestamp(0, UTC)


class Shown(NamedTuple):
    """A position on a player's screen."""

    n: int
    piles: Mapping[str, Pile]
    """Empty where an earlier run of the bot showed it."""
    at: datetime
    """Since when, by the platform's clock."""


class Positions:
    """What was shown to every player, by user and race."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._shown: dict[tuple[ChatId, str], deque[Shown]] = {}
        self._unsure: set[tuple[ChatId, str]] = set()

    def note(self, user: ChatId, view: View, at: datetime) -> None:
        """A board of this view was sent as an answer."""
        self._unsure.discard((user, view.race))
        self._note(user, view, at)

    def note_edit(self, user: ChatId, view: View, at: datetime) -> None:
        """A board was edited without its player's doing.

        If a move of theirs failed, they may be about to type it again, and not look first.
        """
        if (user, view.race) not in self._unsure:
            self._note(user, view, at)

    def note_failure(self, user: ChatId, race: str) -> None:
        """A move got no answer: nobody knows whether it was played."""
        self._unsure.add((user, race))

    def typed_for(self, user: ChatId, race: str, typed: datetime) -> Shown | None:
        """The position that was on the screen when this was typed; None if there was none."""
        shown = self._shown.get((user, race))
        if shown is None:
            n = current_race.shown(self._store, user, race)
            return None if n is None else Shown(n, {}, _EVER)
        return next((one for one in reversed(shown) if one.at <= typed), None)

    def forget(self, user: ChatId) -> None:
        """Of this user nothing is remembered."""
        for key in [key for key in self._shown if key[0] == user]:
            del self._shown[key]
            self._unsure.discard(key)

    def flush(self) -> None:
        """Store the numbers of moves: what is typed after a restart belongs to them."""
        for (user, race), shown in self._shown.items():
            current_race.note_shown(self._store, user, {race: shown[-1].n})

    def _note(self, user: ChatId, view: View, at: datetime) -> None:
        key = user, view.race
        shown = self._shown.pop(key, None) or deque(maxlen=3)
        # A platform may tell the time of a request in whole milliseconds.
        at = at.replace(microsecond=at.microsecond // 1000 * 1000)
        shown.append(Shown(view.n, view.piles, at))
        self._shown[key] = shown  # as the last one
        if len(self._shown) > MOST_BOARDS:
            (user, race), oldest = next(iter(self._shown.items()))
            current_race.note_shown(self._store, user, {race: oldest[-1].n})
            del self._shown[user, race]


def fits(shown: Shown | None, view: View, move: str) -> bool:
    """Whether a move that was typed for ``shown`` may be played in ``view``.

    The same position, or a card of a pile that is as it was.
    """
    if shown is None or shown.n == view.n:
        return shown is not None
    pile = move.split()[0]
    return pile in shown.piles and shown.piles[pile] == view.piles.get(pile)
