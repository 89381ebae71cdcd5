"""A race played in memory: what it decides is durable at once, and told. No Redis and no tests.

It does what the server does around the referee, and holds every append against the log as Redis
would: the next number, a clock that never runs backwards, nothing written where it was refused.
"""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from tests.support.times import DAY, NOON

from bigben_protocol import (
    CODECS,
    Cheer,
    Cheers,
    Chosen,
    Create,
    Diff,
    GetCurves,
    Join,
    Leave,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Refused,
    Resume,
    Rules,
    ServerMessage,
    Snapshot,
    Standing,
    Standings,
    Start,
    Unready,
    Watch,
)
from bigben_server.race import choosing, deciding, lobby, timers, views
from bigben_server.race.daily import daily_named, opened
from bigben_server.race.decisions import (
    Broadcast,
    Played,
    Reaction,
    Reply,
    Request,
    Subscribe,
    Tell,
    Unsubscribe,
)
from bigben_server.race.events import (
    Append,
    Entry,
    Player,
    RoomAppend,
    RoomEvent,
    SeatAppend,
    SeatStatus,
)
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.race.views import Announcements
from bigben_server.rooms.presence import grace_ends

ADA: Final = Player(PlayerId("guest:ada"), "Ada")
BOB: Final = Player(PlayerId("guest:bob"), "Bob")
CARL: Final = Player(PlayerId("guest:carl"), "Carl")
DORA: Final = Player(PlayerId("guest:dora"), "Dora")

SECOND: Final = 1_000

ROOM: Final = RaceId("K7QPXM")
NONCE: Final = "0123456789abcdef" * 4

_Message = TypeVar("_Message")


class Stage:
    """One race, its logs, its subscribers, and everything that everybody was ever sent."""

    def __init__(
        self, race: RaceId, events: list[RoomEvent], now: int, *, race_type: type[Race] = Race
    ) -> None:
        self._race_type = race_type
        self.race = race_type(race, events)
        self.now = now
        self.room_log = list(events)
        self.seat_logs: dict[PlayerId, list[Entry]] = {}
        self.statuses: dict[PlayerId, SeatStatus] = {}
        self.progress: dict[PlayerId, list[SeatStatus]] = {}
        """Every status that was written."""
        self.subscribers: set[PlayerId] = set()
        self.told: dict[PlayerId, list[ServerMessage]] = {}
        self._announcements = Announcements(self.race, now)

    # What people do

    def say(self, player: Player, message: RaceMessage) -> list[ServerMessage]:
        """Send a message; everything its sender is told because of it."""
        before = len(self.told.setdefault(player.id, []))
        request = Request(message, player)
        if whose := deciding.needs(self.race, request).log:
            self.race.remember(whose, self.seat_logs.get(whose, []))
        if isinstance(message, GetCurves):
            for seat in views.curved(self.race, message):
                self.race.curves.take(seat.player, self.progress.get(seat.player, []))
        was = _shape(self.race)
        decided = deciding.decide(self.race, request, self.now)
        if any(isinstance(r, Reply) and isinstance(r.message, Refused) for r in decided.reactions):
            assert len(decided.reactions) == 1, "a refusal is all that happens"
            assert not decided.appends, "a refusal is all that happens"
            assert _shape(self.race) == was, "nothing has changed where the answer is Refused"
        self._carry_out([*decided.appends, *decided.reactions], player)
        return self.told[player.id][before:]

    def join(self, *players: Player) -> list[ServerMessage]:
        return [told for player in players for told in self.say(player, Join(self.race.id, 1))]

    def watch(self, player: Player) -> list[ServerMessage]:
        return self.say(player, Watch(self.race.id, 1))

    def leave(self, player: Player) -> list[ServerMessage]:
        return self.say(player, Leave(self.race.id, 1))

    def ready(self, *players: Player, nonce: str = NONCE) -> list[ServerMessage]:
        return [
            told for player in players for told in self.say(player, Ready(self.race.id, nonce, 1))
        ]

    def unready(self, player: Player) -> list[ServerMessage]:
        return self.say(player, Unready(self.race.id, 1))

    def start(self, player: Player) -> list[ServerMessage]:
        return self.say(player, Start(self.race.id, 1))

    def move(self, player: Player, *moves: str) -> list[ServerMessage]:
        """Play these next; what is told because of the last one."""
        told: list[ServerMessage] = []
        for move in moves:
            told = self.send(player, self.race.seats[player.id].status.moves + 1, move)
        return told

    def send(self, player: Player, n: int, move: str) -> list[ServerMessage]:
        return self.say(player, Move(self.race.id, n, move))

    def cheer(self, player: Player, cheer: str) -> list[ServerMessage]:
        return self.say(player, Cheer(self.race.id, cheer, 1))

    def resume(self, player: Player, since: int) -> list[ServerMessage]:
        return self.say(player, Resume(self.race.id, since, 1))

    def deal(self, chosen: Chosen) -> "Stage":
        """A server has found this deal for the race."""
        self._carry_out([self.race.write(choosing.dealt(chosen, self.now))], None)
        return self

    def rule_out(self, deals: int) -> "Stage":
        """A server has looked at so many deals, and none is as wanted."""
        searched = choosing.searched(self.race.searched, deals, self.now)
        self._carry_out([self.race.write(searched)], None)
        return self

    # What goes on by itself

    def at(self, now: int) -> "Stage":
        """It is ``now``, and time has done its part."""
        self.now = now
        while due := timers.tick(self.race, now):
            self._carry_out(due, None)
        self._carry_out([], None)
        return self

    def wait(self, ms: int) -> "Stage":
        return self.at(self.now + ms)

    def away(self, *players: Player) -> "Stage":
        """These, and only these, are away since now, or since they were."""
        seats = self.race.seats
        since = {player.id: seats[player.id].away_at or self.now for player in players}
        self.race.attend(since, grace_ends(self.race, since))
        self._carry_out([], None)
        return self

    def restart(self) -> "Stage":
        """Another process takes over: nothing is left but the logs."""
        self.race = self.read()
        self._announcements = Announcements(self.race, self.now)
        return self

    def read(self) -> Race:
        """The race as another process reads it, its seats' logs not yet."""
        race = self._race_type(self.race.id, self.room_log)
        for player, status in self.statuses.items():
            race.take_status(player, status)
        race.take_moved()
        return race

    # What can be seen

    def place(self, *players: Player) -> list[int]:
        """The places of these in the standings; 0 for none."""
        rows = views.standings(self.race, self.now).rows
        placed = {row.player: row.place for row in rows}
        return [placed.get(player.id, 0) for player in players]

    def standing(self, player: Player) -> Standing:
        return self.race.seats[player.id].standing

    def heard(self, player: Player, kind: type[_Message]) -> list[_Message]:
        """Every message of this kind that ``player`` was ever told."""
        return [told for told in self.told.get(player.id, []) if isinstance(told, kind)]

    def final(self) -> tuple[Standing, ...]:
        """The rows of the final standings, once everybody who follows was told the same ones."""
        told = [m for p in self.subscribers for m in self.told[p] if isinstance(m, Standings)]
        (rows,) = {m.rows for m in told if m.final}
        return rows

    def _carry_out(self, effects: Iterable[Append | Reaction], asker: Player | None) -> None:
        """As the server does: news taken, appends durable, then replies, then the news."""
        news = self._announcements.changes(self.now)
        for effect in effects:
            match effect:
                case RoomAppend():
                    assert effect.number == len(self.room_log) + 1
                    self.room_log.append(effect.event)
                case SeatAppend():
                    self._append(effect)
                case Reply(message):
                    assert asker is not None, "only a message is replied to"
                    self._tell(asker.id, message)
                case Tell(player, message):
                    if player in self.subscribers:
                        self._tell(player, message)
                case Played(player, n, diff):
                    self.subscribers.add(player)
                    self._tell(player, diff(n))
                case Subscribe():
                    assert asker is not None, "only a player follows"
                    self.subscribers.add(asker.id)
                case Unsubscribe():
                    assert asker is not None, "only a player unfollows"
                    self.subscribers.discard(asker.id)
                case Broadcast(said):
                    for player in self.subscribers:
                        self._tell(player, Cheers(self.race.id, (said,)))
        for told in news.messages:
            if isinstance(told, Tell):
                if told.player in self.subscribers:
                    self._tell(told.player, told.message)
                continue
            for player in self.subscribers:
                self._tell(player, told)
        self._announcements.told(news)

    def _append(self, append: SeatAppend) -> None:
        entries = self.seat_logs.setdefault(append.player, [])
        was = self.statuses.get(append.player, SeatStatus("playing"))
        if append.entry.n:
            assert append.entry.n == was.moves + 1 == append.status.moves
            assert append.entry.ms == append.status.ms >= was.ms >= 0
        else:
            assert not entries, "a clock starts once"
        entries.append(append.entry)
        self.statuses[append.player] = append.status
        self.progress.setdefault(append.player, []).append(append.status)

    def _tell(self, player: PlayerId, message: ServerMessage) -> None:
        for codec in CODECS.values():
            frame = codec.encode(message)
            assert codec.decode_server(frame.decode() if codec.text else frame) == message
        self.told.setdefault(player, []).append(message)


def live(*players: Player, **wanted: object) -> Stage:
    """A live room at noon, opened by the first of these, in which the others sit too."""
    host, *others = players
    create = Create(**wanted)  # type: ignore[arg-type] # the fields of Create, as they come
    stage = Stage(ROOM, lobby.created(create, host, NOON, _server_seed), NOON)
    stage.join(host, *others)
    return stage


def racing(*players: Player, **wanted: object) -> Stage:
    """The same, all of them ready and the countdown over."""
    stage = live(*players, **wanted)
    stage.ready(*players)
    stage.start(players[0])  # one player alone does not start by being ready
    return stage.wait(choosing.COUNTDOWN_MS)


def practice(**wanted: object) -> Stage:
    """Ada's practice, which she has joined and not yet begun."""
    create = Create(practice=True, **wanted)  # type: ignore[arg-type] # as above
    stage = Stage(ROOM, lobby.created(create, ADA, NOON, _server_seed), NOON)
    stage.join(ADA)
    return stage


def deadline(*players: Player, after: int = DAY, **wanted: object) -> Stage:
    """A race with a deadline, opened at noon by the first of these, in which the others sit too."""
    return live(*players, deadline_at=NOON + after, **wanted)


def daily(
    *players: Player,
    now: int = NOON,
    rules: str = "standard",
    seed: str = "",
    certificate: Sequence[str] = (),
) -> Stage:
    """The daily of 21 November 2026, which these have joined; ``seed`` (hex) sets its deal."""
    which = daily_named(f"daily.2026-11-21.bigben.{rules}", now)
    first = opened(which, b"the server's secret")
    if seed:
        by = Rules(rules=rules)
        chosen = Chosen(certificate=tuple(certificate))
        first = type(first)("daily", by, seed, first.at, closes_at=first.closes_at, chosen=chosen)
    stage = Stage(which.id, [first], now)
    stage.join(*players)
    return stage


def everything_of(race: Race, now: int) -> list[object]:
    """Everything that can be asked of a race whose seats are all read."""
    plays = [seat.play for seat in race.seats.values()]
    return [
        views.room(race, now),
        views.standings(race, now),
        [seat.status for seat in race.seats.values()],
        [play and play.snapshot() for play in plays],
        [play and play.log for play in plays],
        [play and play.status for play in plays],
        race.nonces,
        timers.next_at(race, now),
    ]


def only(messages: Iterable[ServerMessage], kind: type[_Message]) -> _Message:
    """The one message of this kind among these."""
    (found,) = (message for message in messages if isinstance(message, kind))
    return found


def only_refusal(messages: list[ServerMessage]) -> tuple[str, str]:
    """The code and the text of the refusal that is all of these."""
    (message,) = messages
    assert isinstance(message, Refused)
    return message.code, message.text


def any_move(messages: Iterable[ServerMessage]) -> str:
    """A legal move after the last of these that shows any."""
    *_, last = (m for m in messages if isinstance(m, Snapshot | Diff))
    assert last.legal
    return last.legal[-1]


def _server_seed(count: int) -> bytes:
    return bytes(range(count))


def _shape(race: Race) -> object:
    """Everything of a race that could change."""
    seats = {
        player: (seat.name, seat.nonce, seat.status, seat.play and list(seat.play.log))
        for player, seat in race.seats.items()
    }
    return race.event_count, race.starts_at, race.ended, race.rematch, seats
