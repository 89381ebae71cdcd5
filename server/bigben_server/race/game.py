"""One seat's play of a deal: its log folded to positions."""

from collections.abc import Iterable, Mapping
from itertools import starmap
from typing import Final

from msgspec import UNSET

from bigben_protocol import Diff, Pile, RaceId, Snapshot, Step, digest_of
from bigben_rules import IllegalMove, Move, NotationError, Position, game
from bigben_server.race.events import BEGIN, RESIGN, TIMEOUT, UNDO, Entry, Refusal, SeatStatus
from bigben_server.race.transitions import OVER, SeatTrigger, state_after

MOST_MOVES: Final = 2_000
"""The most moves of one seat: cards can go back and forth, and an endless log costs everybody."""

_ENDS: Final[Mapping[str, SeatTrigger]] = {RESIGN: "resign", TIMEOUT: "timeout"}


class Play:
    """A seat's moves and positions by number, position 0 being the deal."""

    def __init__(self, race: RaceId, dealt: Position, begun_at: int, *, undo: bool) -> None:
        self.race = race
        self.begun_at = begun_at
        self._may_undo = undo
        self.log: list[Entry] = []
        self.steps: list[tuple[Step, ...]] = []
        """The cards that each move moved."""
        self.positions = [dealt]
        self._home_ms = [0]
        """For each position: the time of the last card home."""
        self._undoes = [0]
        """For each position: the number of the move that an undo takes back; 0 for none."""
        self._now: Diff | None = None

    @property
    def n(self) -> int:
        return len(self.log)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def now(self) -> Diff:
        """The answer to the last move, which says what the player can do now."""
        if self._now is None:
            self._now = self.diff(self.n)
        return self._now

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves now, without undo and resign; none when the game is over."""
        return self.now.legal or ()

    @property
    def over(self) -> bool:
        return self.now.state in OVER

    @property
    def status(self) -> SeatStatus:
        now = self.now
        return SeatStatus(now.state, now.n, now.home, now.ms, self._home_ms[-1], self.begun_at)

    @property
    def broken(self) -> str:
        """The sentence for the player if the log has lost entries and the seat was ended."""
        kept = f"after move {self.n - 1}" if self.n > 1 else "before your first move"
        return f"The server has lost part of this game: it now ends {kept}."

    def play(self, text: str, ms: int) -> Diff:
        """Raises NotationError, IllegalMove and Refusal; the play is then unchanged."""
        now, position = self.now, self.position
        if now.state in OVER:
            raise IllegalMove(f"Your game is over: {now.state}.", position.text())
        # Clients choose from these texts, which need no second look.
        legal = text in self.legal
        word, move = (text, position.parse(text)) if legal else self._parse(text, self.n)
        if self.n >= MOST_MOVES and word != RESIGN:
            raise Refusal("limit", f"A game has at most {MOST_MOVES} moves; you can resign.")
        # Not earlier: a seat that waits, or whose log is only folded, needs nothing for readings.
        self.positions[-1] = position.followed()
        self.add(word, ms, move)
        return self.now

    def take(self, entries: Iterable[Entry]) -> bool:
        """Fold these log entries, up to the first that does not follow; return whether all did.

        Raises NotationError or IllegalMove for a move that these rules don't know.
        """
        for n, ms, word in entries:
            if n != self.n + 1 or (self.log and self.log[-1].move in _ENDS):
                return False
            played = word not in _ENDS and word != UNDO
            self.add(word, ms, self.position.parse(word) if played else None)
        return True

    def add(self, word: str, ms: int, move: Move | None = None) -> None:
        """Append the next move: ``move`` as its log has it, or else an UNDO, RESIGN or TIMEOUT.

        Whether the play is over is not checked. Raises IllegalMove; the play is then unchanged.
        """
        position, home_ms, undoes = self.position, self._home_ms[-1], self._undoes[-1]
        steps: tuple[Step, ...] = ()
        if move:
            position, transfers = position.apply(move)
            steps = tuple(starmap(Step, transfers))
            if position.progress > self.position.progress:
                home_ms = ms
            undoes = self.n + 1 if self._may_undo and steps[0].source != game.STOCK else 0
        elif word == UNDO:
            if not self._may_undo:
                raise IllegalMove("This race has no undo.", position.text())
            if not undoes:
                raise IllegalMove("Nothing to undo since the last card was dealt.", position.text())
            to = undoes - 1
            steps = tuple(Step(s.target, s.source, s.card) for s in self.steps[to][::-1])
            position, home_ms, undoes = self.positions[to], self._home_ms[to], self._undoes[to]
        self._now = None
        self.log.append(Entry(self.n + 1, ms, word))
        self.steps.append(steps)
        self.positions.append(position)
        self._home_ms.append(home_ms)
        self._undoes.append(undoes)

    def same(self, n: int, text: str) -> bool:
        """Whether ``text`` means the move that was played as number ``n``."""
        try:
            return self._parse(text, n - 1)[0] == self.log[n - 1].move
        except (IllegalMove, NotationError):
            return False

    def diff(self, n: int) -> Diff:
        """The answer to move ``n``, always the same; for 0, what the player can do at first.

        A player who is stuck but can undo is still playing.
        """
        position = self.positions[n]
        _, ms, word = self.log[n - 1] if n else Entry(0, 0, BEGIN)
        end = _ENDS.get(word) or ("win" if position.won else None)
        legal, piles = position.reading()
        legal = () if end else legal
        undoes = 0 if end else self._undoes[n]
        state = state_after("playing", end or ("move" if legal or undoes else "block"))
        steps, home = self.steps[n - 1] if n else (), position.progress
        seen = digest_of(piles)
        return Diff(self.race, n, word, steps, state, home, ms, legal, seen, bool(undoes))

    def diffs(self, since: int) -> list[Diff]:
        return [self.diff(n) for n in range(since + 1, self.n + 1)]

    def snapshot(self) -> Snapshot:
        now = self.now
        assert now.digest is not UNSET, "diff() makes whole diffs"
        piles, begun_at = self.piles(now.n), self.begun_at
        seen = (now.race, now.n, now.state, now.home, now.ms, piles, self.legal, now.digest)
        return Snapshot(*seen, begun_at, now.can_undo)

    def piles(self, n: int) -> dict[str, Pile]:
        """The cards as the player saw them after move ``n``."""
        seen = self.positions[n].piles()
        return {name: Pile(up, down) for name, (up, down) in seen.items()}

    def _parse(self, text: str, n: int) -> tuple[str, Move | None]:
        """The move that is meant, also as the log has it. Raises NotationError and IllegalMove."""
        word = text.strip().lower()
        if word in (UNDO, RESIGN):
            return word, None
        position = self.positions[n]
        move = position.parse(text)
        return position.format(move), move
