"""Who may cheer in a race. When they last did is known for a moment, and stored nowhere."""

from typing import Final

from bigben_protocol import CHEERS, Cheered, PlayerId
from bigben_protocol.sentence import sentence
from bigben_server.race.events import Refusal

PAUSE_MS: Final = 3_000
"""Between two cheers of a player."""


class Cheering:
    """The players of one race who have just cheered."""

    def __init__(self) -> None:
        self._at: dict[PlayerId, int] = {}
        """When each did, ms since 1970; the latest last, and none longer ago than the pause."""

    def cheered(self, player: PlayerId, cheer: str, *, seated: bool, now: int) -> Cheered:
        """What others receive of a cheer, which names no watcher. Raises Refusal."""
        if cheer not in CHEERS:
            raise Refusal("unknown", sentence("cheer.names", cheers=", ".join(CHEERS)))
        while self._at and now - next(iter(self._at.values())) >= PAUSE_MS:
            del self._at[next(iter(self._at))]
        if player in self._at:
            raise Refusal("limit", sentence("cheer.wait"))
        self._at[player] = now
        return Cheered(cheer, player) if seated else Cheered(cheer)
