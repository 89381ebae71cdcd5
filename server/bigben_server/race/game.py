"""One seat's play of a deal: its log folded to positions."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from bigben_protocol import Diff, Pile, RaceId, Snapshot, State, Step, digest_of, pile_text
from bigben_rules import IllegalMove, Move, NotationError, Position
from bigben_rules.game import STOCK
from bigben_rules.game import Pile as PileName
from bigben_server.race.events import RESIGN, TIMEOUT, UNDO, Entry, SeatStatus
from bigben_server.race.transitions import OVER, Refusal, SeatTrigger, state_after

MOST_MOVES: Final = 2_000
"""The most moves of one seat: cards can go back and forth, and an endless log costs everybody."""

_ENDS: Final[Mapping[str, SeatTrigger]] = {RESIGN: "resign", TIMEOUT: "timeout"}


class Options(NamedTuple):
    """What the player can do after move ``n``."""

    n: int
    state: State
    """A player who is stuck but can undo is still playing."""
    legal: tuple[str, ...]
    """The legal moves of the game; ``undo`` and ``resign`` are not among them."""
    can_undo: bool


class Play:
    """A seat's moves and positions by number, position 0 being the deal."""

    def __init__(self, race: RaceId, dealt: Position, begun_at: int, *, undo: bool) -> None:
        self.race = race
        self.begun_at = begun_at
        self.may_undo = undo
        self.log: list[Entry] = []
        self.steps: list[tuple[Step, ...]] = []
        """The cards that each move moved."""
        self.positions = [dealt]
        self._home_ms = [0]
        """For each position: the time of the last card home."""
        self._undoes = [0]
        """For each position: the number of the move that an undo takes back; 0 for none."""
        self._options = Options(-1, "playing", (), can_undo=False)
        """The last answer of ``options``."""
        self._texts: dict[str, str] = {}
        """The piles of position ``_texts_of`` as the digest reads them."""
        self._texts_of = -1

    @property
    def n(self) -> int:
        return len(self.log)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def now(self) -> Options:
        return self.options(self.n)

    @property
    def over(self) -> bool:
        return self.now.state in OVER

    @property
    def status(self) -> SeatStatus:
        ms = self.log[-1].ms if self.log else 0
        home = self.position.progress
        return SeatStatus(self.now.state, self.n, home, ms, self._home_ms[-1], self.begun_at)

    @property
    def broken(self) -> str:
        """The sentence for the player if the log has lost entries and the seat was ended."""
        kept = f"after move {self.n - 1}" if self.n > 1 else "before your first move"
        return f"The server has lost part of this game: it now ends {kept}."

    def options(self, n: int) -> Options:
        """What the player could do after move ``n``."""
        if self._options.n == n:
            return self._options
        position = self.positions[n]
        end = _ENDS.get(self.log[n - 1].move) if n else None
        if not end and position.won:
            end = "win"
        legal = () if end else tuple(map(position.format, position.legal_moves()))
        undoes = 0 if end else self._undoes[n]
        state = state_after("playing", end or ("move" if legal or undoes else "block"))
        self._options = Options(n, state, legal, can_undo=bool(undoes))
        return self._options

    def play(self, text: str, ms: int) -> Diff:
        """Carry out the player's next move, as typed, at ``ms``.

        Raises NotationError, IllegalMove and Refusal; the play is then unchanged.
        """
        if self.over:
            raise IllegalMove(f"Your game is over: {self.now.state}.", self.position.text())
        word, move = self._parse(text, self.n)
        if self.n >= MOST_MOVES and word != RESIGN:
            raise Refusal("limit", f"A game has at most {MOST_MOVES} moves; you can resign.")
        self._carry_out(word, move, ms)
        return self.diff(self.n)

    def end(self, word: str, ms: int) -> None:
        """End the play without its player: ``word`` is RESIGN or TIMEOUT."""
        self._carry_out(word, None, ms)

    def take(self, entries: Iterable[Entry]) -> int:
        """Fold these log entries, up to the first that does not follow; return how many did.

        Raises NotationError or IllegalMove for a move that these rules don't know.
        """
        before = self.n
        for n, ms, word in entries:
            if n != self.n + 1 or (self.log and self.log[-1].move in _ENDS):
                break
            played = word not in _ENDS and word != UNDO
            self._carry_out(word, self.position.parse(word) if played else None, ms)
        return self.n - before

    def same(self, n: int, text: str) -> bool:
        """Whether ``text`` means the move that was played as number ``n``."""
        try:
            return self._parse(text, n - 1)[0] == self.log[n - 1].move
        except (IllegalMove, NotationError):
            return False

    def diff(self, n: int) -> Diff:
        """The answer to move ``n``, which is always the same."""
        entry, options = self.log[n - 1], self.options(n)
        return Diff(
            race=self.race,
            n=n,
            move=entry.move,
            steps=self.steps[n - 1],
            state=options.state,
            home=self.positions[n].progress,
            ms=entry.ms,
            legal=options.legal,
            digest=self._digest(n),
            can_undo=options.can_undo,
        )

    def diffs(self, since: int) -> list[Diff]:
        """The answers to the moves after ``since``."""
        return [self.diff(n) for n in range(since + 1, self.n + 1)]

    def snapshot(self) -> Snapshot:
        """Everything that the player sees now."""
        options, status = self.now, self.status
        return Snapshot(
            race=self.race,
            n=self.n,
            state=options.state,
            home=status.home,
            ms=status.ms,
            piles=self.piles(self.n),
            legal=options.legal,
            digest=self._digest(self.n),
            begun_at=self.begun_at,
            can_undo=options.can_undo,
        )

    def piles(self, n: int) -> dict[str, Pile]:
        """The cards as the player saw them after move ``n``."""
        seen = self.positions[n].piles()
        return {name: Pile(up, down) for name, (up, down) in seen.items()}

    def _parse(self, text: str, n: int) -> tuple[str, Move | None]:
        """The move that ``text`` means in position ``n``: as in the log, and as a ``Move``.

        Raises NotationError and IllegalMove.
        """
        word = text.strip().lower()
        if word in (UNDO, RESIGN):
            return word, None
        position = self.positions[n]
        move = position.parse(text)
        return position.format(move), move

    def _carry_out(self, word: str, move: Move | None, ms: int) -> None:
        """Append the next move, which is ``move`` or else an UNDO, RESIGN or TIMEOUT.

        Whether the play is over is not checked. Raises IllegalMove; the play is then unchanged.
        """
        position, home_ms, undoes = self.position, self._home_ms[-1], self._undoes[-1]
        steps: tuple[Step, ...] = ()
        if move:
            position, transfers = position.apply(move)
            steps = tuple(Step(*transfer) for transfer in transfers)
            if position.progress > self.position.progress:
                home_ms = ms
            undoes = self.n + 1 if self.may_undo and steps[0].source != STOCK else 0
        elif word == UNDO:
            if not self.may_undo:
                raise IllegalMove("This race has no undo.", position.text())
            if not undoes:
                raise IllegalMove("Nothing to undo since the last card was dealt.", position.text())
            to = undoes - 1
            steps = tuple(Step(s.target, s.source, s.card) for s in self.steps[to][::-1])
            position, home_ms, undoes = self.positions[to], self._home_ms[to], self._undoes[to]
        self.log.append(Entry(self.n + 1, ms, word))
        self.steps.append(steps)
        self.positions.append(position)
        self._home_ms.append(home_ms)
        self._undoes.append(undoes)

    def _digest(self, n: int) -> int:
        """The digest of position ``n``. It is fast after that of the position before."""
        position = self.positions[n]
        if n and n == self._texts_of + 1:
            changed = {name for step in self.steps[n - 1] for name in (step.source, step.target)}
            for name in changed:
                self._texts[name] = pile_text(name, *position.pile(PileName(name)))
        else:
            piles = position.piles().items()
            self._texts = {name: pile_text(name, *cards) for name, cards in piles}
        self._texts_of = n
        return digest_of(self._texts.values())
