"""One seat of a race: its player, their nonce, and how far they are. Knows no other seat."""

from dataclasses import dataclass

from bigben_protocol import PlayerId, Standing
from bigben_server.race.events import SeatStatus
from bigben_server.race.game import OVER, Play

_JOINED = SeatStatus("joined")
_READY = SeatStatus("ready")


@dataclass(slots=True)
class Seat:
    """A place in a race. Its status is always known; its play only where its player plays."""

    player: PlayerId
    name: str
    nonce: str = ""
    status: SeatStatus = _JOINED
    play: Play | None = None
    """The folded log; None until it was read, and again when another process has moved on."""
    last: int | None = None
    """The number of the last entry of a log that does not hold together up to there; None for a
    log that does. ``play`` is then what comes before the first entry that is missing."""

    @property
    def over(self) -> bool:
        """Nothing more can happen here."""
        return self.status.state in OVER

    @property
    def begun_at(self) -> int:
        """When its clock started, ms since 1970; 0 before."""
        return self.status.begun_at

    @property
    def playing(self) -> bool:
        """Its clock has started and its game goes on."""
        return self.status.state == "playing"

    @property
    def standing(self) -> Standing:
        """What everybody may know of this seat."""
        state, moves, home, ms, home_ms, _ = self.status
        return Standing(self.player, self.name, state, moves, home, ms, home_ms)

    def ready(self, nonce: str) -> None:
        """Wait for the countdown, with this nonce for the seed."""
        self.nonce, self.status = nonce, _READY

    def unready(self) -> None:
        """Wait for its player again."""
        self.nonce, self.status = "", _JOINED

    def stands(self, status: SeatStatus) -> bool:
        """Take the news of ``status``; whether it was news. A play that lags behind is dropped."""
        if status.moves < self.status.moves or status == self.status:
            return False
        self.status = status
        if self.play and self.play.n < status.moves:
            self.play = None
        return True
