"""Closed races, played through the server's own objects at virtual times."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import count
from random import Random
from typing import Final, cast

import msgspec
from tests.fairness.wins import WINS_739
from tests.rules.recorded import GAMES
from tests.support.times import DAY, NOON

from bigben_client import write_receipt
from bigben_protocol import (
    Chosen,
    Create,
    GetRecord,
    Grade,
    Join,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Record,
    Refused,
    Room,
    Rules,
    SendNonce,
    Start,
)
from bigben_rules import GAMES as ALL_GAMES
from bigben_rules import nonce_hash
from bigben_server.race import daily, lobby, timers, views
from bigben_server.race.deciding import decide
from bigben_server.race.decisions import Reply, Request
from bigben_server.race.events import Opened, Player
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.seasons.plan import LONGEST_MS
from bigben_solver.choosing import ANY, tried
from bigben_terminal.receipts.receipt_form import Receipt, read

ADA, BOB, CYD, DAN, EVE = (
    Player(PlayerId(f"guest:{letter * 24}"), name)
    for letter, name in zip("abcde", ("Ada", "Bob ♣", "Çyd", "Dan", "Eve"), strict=True)
)


SLOWEST: Final = 4000
"""The most ms between two random moves."""


@dataclass
class Racing:
    """A race and its clock."""

    race: Race
    now: int

    def say(self, player: Player, message: RaceMessage) -> None:
        """Send a message of the player. The test fails if it is refused."""
        decided = decide(self.race, Request(message, player), self.now)
        for told in decided.reactions:
            assert not (isinstance(told, Reply) and isinstance(told.message, Refused)), told

    def play(self, player: Player, *moves: str, every: int = 1000) -> None:
        """Play the player's next moves, this many ms apart on their own clock."""
        seat = self.race.seats[player.id]
        for move in moves:
            self.now = seat.status.begun_at + seat.status.ms + every
            self.say(player, Move(self.race.id, seat.status.moves + 1, move))

    def play_at_random(self, player: Player, random: Random, *, most: int) -> None:
        """Play random legal moves, preferably home, with an undo now and then."""
        seat = self.race.seats[player.id]
        for _ in range(most):
            assert seat.play is not None
            if seat.over or seat.status.begun_at + seat.status.ms + SLOWEST >= self.race.closes_at:
                return
            legal = seat.play.legal
            likely = [m for m in legal if " f" in m] or [m for m in legal if " " not in m]
            moves = legal if random.random() < 0.2 else likely or legal
            undo = seat.play.now.can_undo and (not moves or random.random() < 0.1)
            move = "undo" if undo else random.choice(moves)
            self.play(player, move, every=random.choice((0, 1, 250, SLOWEST)))

    def close(self) -> Receipt:
        """Let the time run out, and return the receipt that `bigben receipt` would write."""
        while self.race.phase(self.now) != "closed":
            if not timers.tick(self.race, self.now):
                self.now = self.race.closes_at
        return self.receipt(views.room(self.race, self.now))

    def receipt(self, room: Room) -> Receipt:
        """The receipt of the closed race for a client that received this Room."""
        standings = views.standings(self.race, self.now)
        assert standings.final
        text = write_receipt(
            room,
            views.reveal(self.race),
            standings,
            [self._record(row.player) for row in standings.rows],
        )
        return read(text)

    def _record(self, player: PlayerId) -> Record:
        """The record as a stranger receives it."""
        stranger = Player(PlayerId("guest:stranger"), "Stranger")
        message = GetRecord(self.race.id, player)
        [effect] = decide(self.race, Request(message, stranger), self.now).reactions
        assert isinstance(effect, Reply)
        assert isinstance(effect.message, Record)
        return effect.message


def live(
    *players: Player,
    seed: int = 1,
    limit_ms: int = 60_000,
    undo: bool = True,
    nonces: bool = True,
    game: str = "bigben",
    rules: str = "standard",
) -> Racing:
    """A live race at its start. Every other racer sends a nonce, or none does."""
    wanted = Create(game, rules, limit_ms=limit_ms, undo=undo)
    events = lobby.created(wanted, players[0], NOON, Random(seed).randbytes)
    racing = Racing(Race(RaceId("K7QPXM"), events), NOON)
    for player in players:
        racing.say(player, Join(racing.race.id))
    for i, player in enumerate(players):
        nonce = f"{i + 1:02x}" * 32 if nonces and i % 2 == 0 else ""
        racing.say(player, Ready(racing.race.id, nonce))
    racing.say(players[0], Start(racing.race.id))  # for a player alone
    racing.now = racing.race.starts_at
    return racing


def recorded_daily(name: str) -> Racing:
    """A daily with the deal of a recorded game; nobody has a seat yet."""
    game = GAMES[name]
    which = daily.Daily(daily.today(NOON), "bigben", game.rules)
    opened = msgspec.structs.replace(daily.opened(which, b""), server_seed=game.seed)
    return Racing(Race(which.id, [opened]), NOON)


@cache
def chosen_daily(solver: int = 1) -> Receipt:
    """A daily with another deal than the first of its seed, which Ada wins as its line does."""
    which = daily.Daily(daily.today(NOON), "bigben", "standard")
    opened = daily.opened(which, b"")
    seed = bytes.fromhex(opened.server_seed)
    deals = (tried(seed, n, "bigben", "standard", grade=ANY) for n in count(1))
    found = next(deal for deal in deals if deal)
    chosen = Chosen(found.counter, cast(Grade, found.grade), found.line, solver)
    racing = Racing(Race(which.id, [msgspec.structs.replace(opened, chosen=chosen)]), NOON)
    sit_down(racing, ADA, NOON)
    racing.play(ADA, *found.line)
    return racing.close()


def sit_down(racing: Racing, player: Player, at: int) -> None:
    """Take a seat in a daily and start its clock at that time."""
    racing.now = at
    racing.say(player, Join(racing.race.id))
    racing.say(player, Ready(racing.race.id))


def short_live() -> Receipt:
    """With undo, resignations, two timeouts, a player without a move, and a shared place 2."""
    racing = live(ADA, BOB, CYD, DAN)
    racing.play_at_random(ADA, Random(5), most=12)
    racing.play(ADA, "resign")
    for player in (BOB, CYD):
        racing.play(player, "12 f7", "undo", "12 f7", "1 f4")
    racing.play(CYD, "resign")
    return racing.close()


def graced_live() -> Receipt:
    """Two finish, and the grace of the two who are away ends before the time limit."""
    racing = live(ADA, BOB, CYD, DAN)
    for player in (ADA, BOB, CYD):
        racing.play_at_random(player, Random(5), most=3)
    for player in (ADA, BOB):
        racing.play(player, "resign")
    racing.now = racing.race.starts_at + 45_000
    gone = dict.fromkeys((CYD.id, DAN.id), racing.race.starts_at + 30_000)
    racing.race.attend(gone, racing.now)
    return racing.close()


def mixed_live() -> Receipt:
    """Ada's nonce came late, Bob's with Ready, Cyd's not at all, and Dan promised none."""
    wanted = Create(limit_ms=60_000, undo=True)
    events = lobby.created(wanted, ADA, NOON, Random(3).randbytes)
    racing = Racing(Race(RaceId("K7QPXM"), events), NOON)
    race, players = racing.race, (ADA, BOB, CYD, DAN)
    for player in players:
        racing.say(player, Join(race.id))
    for player, nonce in ((ADA, "aa" * 32), (CYD, "cc" * 32)):
        hashed = nonce_hash(race.id, player.id, bytes.fromhex(nonce))
        racing.say(player, Ready(race.id, nonce_hash=hashed))
    racing.say(BOB, Ready(race.id, "bb" * 32))
    racing.say(DAN, Ready(race.id))
    racing.say(ADA, SendNonce(race.id, "aa" * 32))
    racing.now = race.mixing_until
    timers.tick(race, racing.now)
    racing.now = race.starts_at
    for player in players:
        racing.play_at_random(player, Random(5), most=2)
        racing.play(player, "resign")
    return racing.close()


def alone() -> Receipt:
    """One racer, no nonce, no undo."""
    racing = live(ADA, nonces=False, undo=False)
    racing.play(ADA, "resign", every=59_999)
    return racing.close()


def long_live() -> Receipt:
    """Three players who play to the end, one of them without a nonce."""
    racing = live(ADA, BOB, CYD, limit_ms=3_600_000)
    for i, player in enumerate((ADA, BOB, CYD)):
        racing.play_at_random(player, Random(i), most=1000)
    return racing.close()


def won_live() -> Receipt:
    """A win with undo, and a player who resigns in the middle of the same moves."""
    racing = live(ADA, BOB, seed=739, limit_ms=600_000)
    moves = list(WINS_739)
    racing.play(ADA, moves[0], "undo", *moves, every=1501)
    racing.play(BOB, *moves[:50], "resign")
    return racing.close()


def won_daily() -> Receipt:
    """Two win at the same time on their clocks, one later; a resignation; the day ends for one.

    One more player has a seat and never saw the cards.
    """
    racing, moves = recorded_daily("won_standard"), GAMES["won_standard"].moves
    for player, every in ((ADA, 1000), (BOB, 1000), (CYD, 1001)):
        sit_down(racing, player, NOON + every)
        racing.play(player, *moves, every=every)
    sit_down(racing, DAN, racing.race.closes_at - 5_000)
    racing.play(DAN, *moves[:3], "resign")
    sit_down(racing, EVE, racing.race.closes_at - 5_000)
    racing.play(EVE, *moves[:4])
    racing.say(Player(PlayerId("guest:late"), "Late"), Join(racing.race.id))
    return racing.close()


def short_daily() -> Receipt:
    """A tie for place 1 between players who started at different times, and a timeout."""
    racing, moves = recorded_daily("won_open"), GAMES["won_open"].moves
    for player, at in ((ADA, NOON), (BOB, NOON + 5)):
        sit_down(racing, player, at)
        racing.play(player, *moves[:6], "resign")
    sit_down(racing, CYD, racing.race.closes_at - 3_500)
    racing.play(CYD, *moves[:3])
    return racing.close()


def blocked_daily() -> Receipt:
    """With the book's rules: one player is blocked, another resigns just before."""
    racing, moves = recorded_daily("blocked_book"), GAMES["blocked_book"].moves
    for player in (BOB, ADA):
        sit_down(racing, player, NOON)
    racing.play(BOB, *moves)
    racing.play(ADA, *moves[:-1], "resign")
    return racing.close()


def deadline(*players: Player, seed: int = 1, **wanted: int) -> Racing:
    """A race of a day in which each player has an hour; ``players`` have seats."""
    create = Create(deadline_at=NOON + DAY, undo=True, **wanted)  # type: ignore[arg-type] # numbers
    events = lobby.created(create, players[0], NOON, Random(seed).randbytes)
    racing = Racing(Race(RaceId("K7QPXM"), events), NOON)
    for player in players:
        racing.say(player, Join(racing.race.id))
    return racing


def short_deadline() -> Receipt:
    """One gives up, one runs out of their own time, one of the race's, and one never begins."""
    racing = deadline(ADA, BOB, CYD, DAN)
    for player, at in ((ADA, NOON + 5), (BOB, NOON + 900), (CYD, NOON + DAY - 20_000)):
        sit_down(racing, player, at)
        racing.play_at_random(player, Random(5), most=3)
    racing.play(ADA, "resign")
    return racing.close()


def long_week() -> Receipt:
    """Of a season: seven days by a clock that is put back meanwhile."""
    seed = Random(7).randbytes(32).hex()
    opened = Opened("deadline", Rules(limit_ms=60_000), seed, NOON, closes_at=NOON + LONGEST_MS)
    racing = Racing(Race(RaceId("week.K7QPXM2A.3"), [opened]), NOON)
    for player in (ADA, BOB):
        sit_down(racing, player, NOON + LONGEST_MS - 20_000)
        racing.play_at_random(player, Random(5), most=3)
    return racing.close()


def of_game(game: str, rules: str) -> Receipt:
    """Two players of any game, with any rules, who play to the end if it comes in time."""
    racing = live(ADA, BOB, limit_ms=3_600_000, game=game, rules=rules)
    for i, player in enumerate((ADA, BOB)):
        racing.play_at_random(player, Random(i), most=300)
    return racing.close()


RULE_SETS: Final = [
    (game.name, rules)
    for game in ALL_GAMES.values()
    for rules in game.variants
    if game.name != "bigben" or rules in game.description.presets
]
RACES: Final[Mapping[str, Callable[[], Receipt]]] = {
    race.__name__: cache(race)
    for race in (
        *(short_live, alone, long_live, won_live, short_daily, won_daily, blocked_daily),
        *(short_deadline, graced_live, mixed_live, long_week),
    )
} | {f"{game}_{rules}": cache(partial(of_game, game, rules)) for game, rules in RULE_SETS}
"""Every kind of receipt, by name; each race is played once."""
SHORT: Final = ("short_live", "mixed_live", "alone", "short_daily", "short_deadline")
"""Receipts with so few moves that a test can alter every field."""
