"""A seat, and its play of a deal: its log folded to positions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import (
    Diff,
    NonceState,
    Pile,
    PlayerId,
    RaceId,
    Snapshot,
    Standing,
    Step,
    digest_of,
    texts,
)
from bigben_protocol.sentence import sentence
from bigben_rules import IllegalMove, Move, NotationError, Position, Positions, nonce_hash
from bigben_rules import Pile as PileName
from bigben_rules import Step as Transfer
from bigben_rules.game import PlainReader, Reader
from bigben_rules.position import shows
from bigben_server.race.events import (
    BEGIN,
    RESIGN,
    TIMEOUT,
    UNDO,
    Entry,
    Refusal,
    SeatStatus,
    told,
)
from bigben_server.race.transitions import OVER, TIME_OVER, SeatTrigger, state_after

MOST_MOVES: Final = 2_000
"""The most moves of one seat: cards can go back and forth, and an endless log costs everybody."""

_ENDS: Final[Mapping[str, SeatTrigger]] = {RESIGN: "resign", TIMEOUT: "timeout"}


class Play:
    """A seat's moves and positions by number, position 0 being the deal."""

    def __init__(
        self,
        race: RaceId,
        dealt: Position,
        begun_at: int,
        *,
        undo: bool,
        timed: bool = True,
        new_reader: Callable[[], Reader] = PlainReader,
    ) -> None:
        """``timed`` is whether time counts: in a game in which nothing is decided it does not.

        ``new_reader`` is called if the position is read: most logs are only folded.
        """
        self.race = race
        self.begun_at = begun_at
        self._may_undo = undo
        self._timed = timed
        self.log: list[Entry] = []
        self._transfers: list[Sequence[Transfer]] = []
        """The cards that each move moved, mostly out of the rules' tables; see ``steps``."""
        self.n = 0
        """The number of moves, and of the position now."""
        self.positions = Positions(dealt)
        self._home_ms = [0]
        """For each position: the time of the last card home; 0 where time does not count."""
        self._home = [dealt.progress]
        """For each position: how many cards are home."""
        self._undoes = [0]
        """For each position: the number of the move that an undo takes back; 0 for none."""
        self._status: SeatStatus | None = None
        self._now: Diff | None = None
        self._new_reader = new_reader
        self._reader: Reader | None = None
        self._read_n = 0
        """The number of the position that was read last."""

    @property
    def now(self) -> Diff:
        """The whole answer to the last move, which says what the player can do now."""
        return self.diff(self.n)

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal moves now, without undo and resign; none when the game is over."""
        return self.now.legal or ()

    @property
    def over(self) -> bool:
        return self.status.state in OVER

    @property
    def status(self) -> SeatStatus:
        if self._status is None:
            self._status = self._status_after(self.n, self.positions.last)
        return self._status

    @property
    def broken(self) -> Refusal:
        """What the player is told if the log has lost entries and the seat was ended."""
        if self.n > 1:
            return Refusal("phase", sentence("move.lost_after", n=self.n - 1))
        return Refusal("phase", sentence("move.lost_all"))

    def play(self, text: str, ms: int) -> None:
        """Raises NotationError, IllegalMove and Refusal; the play is then unchanged."""
        now, position, state = self._now, self.positions.last, self.status.state
        if state in OVER:
            raise Refusal("illegal", sentence("move.over"))
        # Clients choose from these texts, which need no second look.
        legal = now is not None and text in (now.legal or ())
        word, move = (text, position.parse(text)) if legal else self._parse(text, self.n)
        if self.n >= MOST_MOVES and word != RESIGN:
            raise Refusal("limit", sentence("move.most", most=MOST_MOVES))
        self.add(word, ms, move)

    def take(self, entries: Iterable[Entry]) -> bool:
        """Fold these log entries, up to the first that does not follow; return whether all did.

        Raises NotationError or IllegalMove for a move that these rules don't know.
        """
        for entry in entries:
            word = entry.move
            if entry.n != self.n + 1 or (self.log and self.log[-1].move in _ENDS):
                return False
            played = word not in _ENDS and word != UNDO
            self.add(word, entry.ms, self.positions.last.parse(word) if played else None)
        return True

    def add(self, word: str, ms: int, move: Move | None = None) -> None:
        """Append the next move: ``move`` as its log has it, or else an UNDO, RESIGN or TIMEOUT.

        Whether the play is over is not checked. Raises IllegalMove; the play is then unchanged.
        """
        n, position = self.n + 1, self.positions.last
        home, home_ms, undoes = self._home[-1], self._home_ms[-1], self._undoes[-1]
        transfers: Sequence[Transfer] = ()
        if move:
            position, transfers = position.apply(move)
            before, home = home, position.progress
            if self._timed and home > before:
                home_ms = ms
            undoes = n if self._may_undo and not shows(transfers) else 0
        elif word == UNDO:
            if not self._may_undo:
                raise Refusal("illegal", sentence("move.no_undo"))
            if not undoes:
                raise Refusal("illegal", sentence("move.no_undo_now"))
            to = undoes - 1
            transfers = [_back(transfer) for transfer in reversed(self._transfers[to])]
            position, undoes = self.positions[to], self._undoes[to]
            home, home_ms = self._home[to], self._home_ms[to]
        self.n, self._status, self._now = n, None, None
        self.positions.add(position, move, may_return=undoes == n)
        self.log.append(Entry(n, ms, word))
        self._transfers.append(transfers)
        self._home.append(home)
        self._home_ms.append(home_ms)
        self._undoes.append(undoes)

    def shown_at(self, n: int) -> int:
        """After which move, up to move ``n``, the player last saw a new card; 0 for the deal."""
        return next((k for k in range(n, 0, -1) if shows(self._transfers[k - 1])), 0)

    def same(self, n: int, text: str) -> bool:
        """Whether ``text`` means the move that was played as number ``n``."""
        try:
            return self._parse(text, n - 1)[0] == self.log[n - 1].move
        except (IllegalMove, NotationError):
            return False

    def diff(self, n: int, *, whole: bool = True) -> Diff:
        """The answer to move ``n``, always the same; for 0, what the player can do at first.

        It is not ``whole`` for a client that keeps the rules and needs no digest.
        """
        is_last = n == self.n
        if whole and is_last and self._now is not None:
            return self._now
        legal: tuple[str, ...] | UnsetType = UNSET
        digest: int | UnsetType = UNSET
        if whole and is_last:
            if self._reader is None:
                self._reader = self._new_reader()
            moved = chain.from_iterable(self._transfers[self._read_n :])
            self._read_n = n
            legal, piles = self._reader.read(self.positions.last, moved)
            digest = digest_of(piles)
        elif whole:
            legal, piles = self.positions[n].reading()
            digest = digest_of(piles)
        move, steps = (self.log[n - 1].move, self.steps(n)) if n else (BEGIN, ())
        s = self.status if is_last else self._status_after(n, self.positions[n])
        can_undo = self._undoes[n] > 0
        home_ms = 0
        if s.state in OVER:
            can_undo, legal, home_ms = False, () if whole else UNSET, s.home_ms
        seen = (s.state, s.home, s.ms, legal, digest, can_undo, home_ms)
        told = Diff(self.race, n, move, steps, *seen)
        if whole and is_last:
            self._now = told
        return told

    def steps(self, n: int) -> tuple[Step, ...]:
        """The cards that move ``n`` moved."""
        transfers = self._transfers[n - 1]
        # With starmap it takes twice as long.
        return tuple([Step(source, to, card, how) for source, to, card, how in transfers])

    def all_steps(self) -> tuple[tuple[Step, ...], ...]:
        """The cards that each move moved."""
        return tuple(self.steps(n) for n in range(1, self.n + 1))

    def diffs(self, since: int) -> list[Diff]:
        return [self.diff(n) for n in range(since + 1, self.n + 1)]

    def snapshot(self) -> Snapshot:
        now = self.now
        assert now.digest is not UNSET, "diff() makes whole diffs"
        piles, begun_at = self.piles(now.n), self.begun_at
        seen = (now.race, now.n, now.state, now.home, now.ms, piles, self.legal, now.digest)
        return Snapshot(*seen, begun_at, now.can_undo, now.home_ms)

    def piles(self, n: int) -> dict[str, Pile]:
        """The cards as the player saw them after move ``n``."""
        return {name: Pile(up, down) for name, (up, down) in self.positions[n].piles().items()}

    def old_diff(self, message: wire.Move) -> Diff:
        """The original answer to a move of the log. Raises Refusal if it was another one."""
        if message.n < 1:
            raise Refusal("gap", sentence("move.from_1"))
        if self.log[message.n - 1].move == TIMEOUT:
            raise Refusal("phase", TIME_OVER)
        if not self.same(message.n, message.move):
            raise Refusal("conflict", sentence("move.different", n=message.n))
        return self.diff(message.n)

    def explained(self, message: wire.Explain) -> wire.Reason:
        """Why a card of the player's own game can't move. Raises Refusal."""
        if self.over:
            raise Refusal("phase", sentence("move.over"))
        source, target = message.source.strip().lower(), message.target.strip().lower()
        try:
            said, cards = self.positions.last.explain(PileName(source), target)
        except KeyError:
            raise Refusal("notation", sentence("move.no_pile", pile=repr(source))) from None
        sentences = told(said)
        text = texts.all_said(sentences)
        return wire.Reason(self.race, source, text, cards, message.ref, target, sentences)

    def _status_after(self, n: int, position: Position) -> SeatStatus:
        """The status after move ``n``, which led to ``position``.

        A player who is stuck but can undo is still playing.
        """
        move, ms = (self.log[n - 1].move, self.log[n - 1].ms) if n else (BEGIN, 0)
        trigger = _ENDS.get(move)
        if trigger is None and position.won:
            trigger = "win"
        elif trigger is None:
            trigger = "move" if self._undoes[n] or not position.blocked else "block"
        state = state_after("playing", trigger)
        return SeatStatus(state, n, self._home[n], ms, self._home_ms[n], self.begun_at)

    def _parse(self, text: str, n: int) -> tuple[str, Move | None]:
        """The move that is meant, also as the log has it. Raises NotationError and IllegalMove."""
        word = text.strip().lower()
        if word in (UNDO, RESIGN):
            return word, None
        position = self.positions[n]
        move = position.parse(text)
        return position.format(move), move


def _back(step: Transfer) -> Transfer:
    """The card goes back. No card was shown and none went ``under``: those moves have no undo."""
    return Transfer(step.target, step.source, step.card, "turned" if step.how == "down" else "")


@dataclass(slots=True)
class Seat:
    player: PlayerId
    name: str
    status: SeatStatus
    nonce: str = ""
    promised: str = ""
    """The hash of a nonce that comes, or came, in the countdown; empty if there is none."""
    nonce_hash: str = ""
    """What all may see before the nonces: ``promised``, or the hash of a nonce that came early."""
    play: Play | None = None
    """The folded log; None until it is read, and again after moves on another process."""
    last: int | None = None
    """None if the log is whole; else the number of its last entry: ``play`` ends in a gap."""
    away_at: int = 0
    """Since when the player is away, ms since 1970; 0 if they are not. No log has it."""
    ends_at: int = 0
    """When the seat ends unless its player comes back; 0 for never."""
    bot: bool = False
    """Whether the player is a program."""

    @property
    def over(self) -> bool:
        return self.status.state in OVER

    @property
    def standing(self) -> Standing:
        """The seat as everybody may see it."""
        return self.shown(self.status)

    def shown(self, status: SeatStatus) -> Standing:
        """The seat with this status, which may be an earlier one, as everybody may see it."""
        standing = status.standing(self.player, self.name, bot=self.bot)
        if not self.away_at or status.state in OVER:
            return standing
        return replace(standing, away=True, ends_at=self.ends_at)

    @property
    def nonce_state(self) -> NonceState:
        """What became of its nonce, once no more are waited for."""
        if self.promised:
            return "late" if self.nonce else "withheld"
        return "early" if self.nonce else "none"

    def set_ready(self, race: RaceId, trigger: SeatTrigger, nonce: str, promised: str) -> None:
        self.nonce, self.promised = nonce, promised
        early = nonce and nonce_hash(race, self.player, bytes.fromhex(nonce))
        self.nonce_hash = promised or early
        self.status = SeatStatus(state_after(self.status.state, trigger))
