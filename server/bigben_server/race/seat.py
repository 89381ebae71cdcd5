"""One seat of a race: its player, their nonce, and how far they are. Knows no other seat."""

from dataclasses import dataclass

from bigben_protocol import PlayerId, Standing
from bigben_server.race.events import Mark
from bigben_server.race.game import OVER, Play

_JOINED = Mark("joined")
_READY = Mark("ready")


@dataclass(slots=True)
class Seat:
    """A place in a race. Its mark is always known; its play only where its player plays."""

    player: PlayerId
    name: str
    nonce: str = ""
    mark: Mark = _JOINED
    play: Play | None = None
    """The folded log; None until it was read, and again when another process has moved on."""
    last: int | None = None
    """The number of the last entry of a log that does not hold together up to there; None for a
    log that does. ``play`` is then what comes before the first entry that is missing."""

    @property
    def over(self) -> bool:
        """Nothing more can happen here."""
        return self.mark.state in OVER

    @property
    def begun_at(self) -> int:
        """When its clock started, ms since 1970; 0 before."""
        return self.mark.begun_at

    @property
    def playing(self) -> bool:
        """Its clock has started and its game goes on."""
        return self.mark.state == "playing"

    @property
    def standing(self) -> Standing:
        """What everybody may know of this seat."""
        state, moves, home, ms, home_ms, _ = self.mark
        return Standing(self.player, self.name, state, moves, home, ms, home_ms)

    def ready(self, nonce: str) -> None:
        """Wait for the countdown, with this nonce for the seed."""
        self.nonce, self.mark = nonce, _READY

    def unready(self) -> None:
        """Wait for its player again."""
        self.nonce, self.mark = "", _JOINED

    def stands(self, mark: Mark) -> bool:
        """Take the news of ``mark``; whether it was news. A play that lags behind is dropped."""
        if mark.moves < self.mark.moves or mark == self.mark:
            return False
        self.mark = mark
        if self.play and self.play.n < mark.moves:
            self.play = None
        return True
