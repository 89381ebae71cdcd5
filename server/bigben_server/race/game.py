"""One player's play of a deal: a seat's log folded to a position. No clock, no rivals, no I/O."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bigben_protocol import Diff, Pile, RaceId, Snapshot, State, Step, digest_of, pile_text
from bigben_rules import IllegalMove, Position
from bigben_rules import Step as Transfer
from bigben_rules.game import STOCK
from bigben_server.race.events import RESIGN, UNDO, Entry, SeatStatus

OVER: frozenset[State] = frozenset({"won", "blocked", "resigned", "timed out"})
"""The states in which nothing more can happen; one who is stuck but may undo is still playing."""


class Undoable(NamedTuple):
    """What one undo brings back."""

    position: Position
    home_ms: int
    steps: tuple[Transfer, ...]


_EVERY: Final = 64
"""After so many moves is noted how the play stands, so that none is far from a note: whoever asks
for an old move again and again must not cost more than one who plays."""


class Note(NamedTuple):
    """How a play stood after some moves."""

    position: Position
    home_ms: int
    undoable: tuple[Undoable, ...]


class Play:
    """A position, how it came about, and what may be taken back. Changed by ``play`` alone."""

    def __init__(
        self,
        race: RaceId,
        dealt: Position,
        begun_at: int,
        *,
        undo: bool,
    ) -> None:
        self.race = race
        self.begun_at = begun_at
        self.dealt = dealt
        self.may_undo = undo
        self.position = dealt
        self.home_ms = 0
        self.log: list[Entry] = []
        self._undoable: list[Undoable] = []
        self._notes: list[Note] = []
        self._steps: tuple[tuple[Step, ...], ...] = ()
        self._ended: State | None = None
        """Resigned or timed out, which no position shows."""
        self._legal: tuple[str, ...] | None = None
        """Found when they are asked for: reading a log needs them only at its end."""
        self._texts = dict.fromkeys(dealt.piles(), "")
        """Every pile as the digest reads it, but for those that have changed since."""
        self._changed = set(self._texts)

    @property
    def n(self) -> int:
        """Moves played."""
        return len(self.log)

    @property
    def state(self) -> State:
        """Whether the game goes on; one who is stuck but may undo is still playing."""
        if self._ended:
            return self._ended
        if self.position.won:
            return "won"
        return "playing" if self._undoable or self.legal else "blocked"

    @property
    def over(self) -> bool:
        """Nothing more can happen."""
        return self.state in OVER

    @property
    def legal(self) -> tuple[str, ...]:
        """The moves of the game that are legal now; ``undo`` and ``resign`` are not among them."""
        if self._ended:
            return ()
        if self._legal is None:
            position = self.position
            self._legal = tuple(map(position.format, position.legal_moves()))
        return self._legal

    @property
    def can_undo(self) -> bool:
        """Whether ``undo`` is a move now."""
        return bool(self._undoable) and not self.over

    @property
    def status(self) -> SeatStatus:
        """Where the play stands."""
        ms = self.log[-1].ms if self.log else 0
        home = self.position.progress
        return SeatStatus(self.state, self.n, home, ms, self.home_ms, self.begun_at)

    @property
    def broken(self) -> str:
        """What the player is told if the log has lost entries and the seat was ended."""
        kept = f"after move {self.n - 1}" if self.n > 1 else "before your first move"
        return f"The server's store has lost part of this game: it ends {kept}, as you see it."

    def read(self, text: str) -> str:
        """The move meant by ``text`` here, as the log will hold it.

        Raises NotationError and IllegalMove; the play is unchanged.
        """
        self._check_not_over()
        word = text.strip().lower()
        if word in (UNDO, RESIGN):
            return word
        return self.position.format(self.position.parse(text))

    def take(self, entries: Iterable[Entry]) -> int:
        """Fold these log entries, up to the first that does not follow. Return how many did.

        Raises NotationError or IllegalMove for a move that these rules don't know.
        """
        before = self.n
        for entry in entries:
            if entry.n != self.n + 1 or self._ended:
                break
            self._carry_out(entry.move, entry.ms)
        return self.n - before

    def play(self, move: str, ms: int) -> Diff:
        """Carry out the next move, as ``read`` gave it or the log holds it, at ``ms``.

        Raises IllegalMove; the play is then unchanged.
        """
        self._check_not_over()
        return self._diff(move, self._carry_out(move, ms))

    def _check_not_over(self) -> None:
        if self.over:
            raise IllegalMove(f"Your game is over: {self.state}.", self.position.text())

    def before(self, n: int) -> "Play":
        """The play as it was before move ``n``."""
        again = Play(self.race, self.dealt, self.begun_at, undo=self.may_undo)
        if notes := self._notes[: (n - 1) // _EVERY]:
            position, again.home_ms, undoable = notes[-1]
            again._stand(position)
            again._undoable = list(undoable)
            again._notes = notes
            again.log = self.log[: len(notes) * _EVERY]
        for entry in self.log[again.n : n - 1]:
            again._carry_out(entry.move, entry.ms)
        return again

    def diffs(self, since: int) -> Sequence[Diff]:
        """The diffs of the moves after ``since``, as they were first sent."""
        again = self.before(since + 1)
        return [again.play(entry.move, entry.ms) for entry in self.log[since:]]

    def first_seen(self) -> dict[str, Pile]:
        """What the player saw before the first move."""
        return _seen(self.dealt)

    def steps(self) -> tuple[tuple[Step, ...], ...]:
        """The cards that went in each move so far."""
        known = len(self._steps)
        if known < self.n:
            again = self.before(known + 1)
            transfers = (again._carry_out(entry.move, entry.ms) for entry in self.log[known:])
            self._steps += tuple(tuple(Step(*one) for one in move) for move in transfers)
        return self._steps

    def snapshot(self) -> Snapshot:
        """All that the player sees now."""
        return Snapshot(
            race=self.race,
            n=self.n,
            state=self.state,
            home=self.position.progress,
            ms=self.status.ms,
            piles=_seen(self.position),
            legal=self.legal,
            digest=self._digest(),
            begun_at=self.begun_at,
            can_undo=self.can_undo,
        )

    def _carry_out(self, move: str, ms: int) -> tuple[Transfer, ...]:
        """Whether the game is over is not checked. Raises IllegalMove; nothing has changed."""
        steps: tuple[Transfer, ...] = ()
        match move:
            case "undo":
                steps = self._undo()
            case "resign":
                self._ended = "resigned"
            case "timeout":
                self._ended = "timed out"
            case _:
                steps = self._apply(move, ms)
        for step in steps:
            self._changed.update((step.source, step.target))
        self.log.append(Entry(self.n + 1, ms, move))
        if self.n % _EVERY == 0:
            self._notes.append(Note(self.position, self.home_ms, tuple(self._undoable)))
        return steps

    def _apply(self, move: str, ms: int) -> tuple[Transfer, ...]:
        before = self.position
        after, steps = before.apply(before.parse(move))
        if self.may_undo:
            if steps[0].source == STOCK:
                self._undoable.clear()
            else:
                self._undoable.append(Undoable(before, self.home_ms, steps))
        if after.progress > before.progress:
            self.home_ms = ms
        self._stand(after)
        return steps

    def _undo(self) -> tuple[Transfer, ...]:
        """Take back the last card move, down to the last stock action and never beyond it."""
        if not self._undoable:
            reason = (
                "Nothing to undo since the last card was dealt."
                if self.may_undo
                else "This race has no undo."
            )
            raise IllegalMove(reason, self.position.text())
        last = self._undoable.pop()
        self.home_ms = last.home_ms
        self._stand(last.position)
        return tuple(Transfer(s.target, s.source, s.card) for s in reversed(last.steps))

    def _stand(self, position: Position) -> None:
        self.position, self._legal = position, None

    def _digest(self) -> int:
        """Of the piles. A move changes two or three of them, so the others are not read again."""
        for name in self._changed:
            self._texts[name] = pile_text(name, *self.position.pile(name))
        self._changed.clear()
        return digest_of(self._texts.values())

    def _diff(self, move: str, steps: tuple[Transfer, ...]) -> Diff:
        return Diff(
            race=self.race,
            n=self.n,
            move=move,
            steps=tuple(Step(*step) for step in steps),
            state=self.state,
            home=self.position.progress,
            ms=self.log[-1].ms,
            legal=self.legal,
            digest=self._digest(),
            can_undo=self.can_undo,
        )


def _seen(position: Position) -> dict[str, Pile]:
    return {name: Pile(up, down) for name, (up, down) in position.piles().items()}
