"""The races of this process: read, asked, made durable, told. Decides nothing about a race.

A message goes to its race's referee, what that decides waits for the group commit, and only then
is anybody told. When Redis refuses an append, another process was first: the race is read again
and the message asked again.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from typing import Final

from bigben_protocol import Create, Join, PlayerId, RaceId, Refused, Rematch
from bigben_server.leaderboards.recorder import Recorder
from bigben_server.race import commands, lobby
from bigben_server.race.effects import Effect
from bigben_server.race.events import RoomAppend, RoomEvent, SeatAppend
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_server.rooms.batch import Decision, GroupCommit, Request
from bigben_server.rooms.loader import Loader, ahead, lacks, unread_seat
from bigben_server.rooms.mistakes import admit, contained
from bigben_server.rooms.open_seeds import OpenSeeds
from bigben_server.rooms.peers import Lost, PeerSync
from bigben_server.rooms.rematches import Rematches
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Session
from bigben_server.rooms.turn import Batch
from bigben_server.storage.client import Damaged, DamageLog, PartlyLost, StoreLost
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store, log_name
from bigben_server.tasks import Tasks

_log = logging.getLogger(__name__)

MOST_REFUSALS: Final = 10
"""Refusals in a row with nothing new when the race was read again: then no decision is possible."""

MOST_CODES: Final = 100
"""Drawn for a new room; with all of them taken or out of reach, the store refuses the last."""

UNREADABLE: Final = (
    "{} can't be read by this server: it is damaged, or of a newer version. The operator's log"
    " names it; all other races go on."
)


class Races:
    """What is held in memory is a cache of Redis: it may be dropped and read again any time."""

    def __init__(
        self,
        store: Store,
        wire: PubSub,
        reader: Loader,
        recorder: Recorder,
        open_seeds: OpenSeeds,
        tasks: Tasks,
        damage: DamageLog,
        *,
        clock: Callable[[], int],
        random_bytes: lobby.RandomBytes,
        lost: Lost,
        may_open: Callable[[Request], None],
    ) -> None:
        self._store = store
        self._wire = wire
        self._loader = reader
        self._recorder = recorder
        self._open_seeds = open_seeds
        self._clock = clock
        self._random_bytes = random_bytes
        self._lost = lost
        self._may_open = may_open
        """Raises Refusal if the player opens too many rooms."""
        self._held: dict[RaceId, Room] = {}
        self._unread: dict[RaceId, list[Request]] = {}
        """Messages that wait until their race, or a seat of it, is read."""
        self._visits: dict[RaceId, bool] = {}
        """Races to be seen to, and whether their results are to be recorded again."""
        self._committer = GroupCommit(self._commit, self._committed)
        self._peers = PeerSync(
            *(wire, reader, self._held),
            reread=lambda race: self._read_soon(race, []),
            changed=self._wake,
            lost=lost,
        )
        self._rematches = Rematches(
            *(self._held, self._committer, tasks),
            open_=self._open,
            ask=self.ask,
            clock=clock,
            random_bytes=random_bytes,
        )
        self._tasks = tasks
        self._damage = damage
        self._due = False
        """Some race's next time has come, and it may have been in the middle of a commit."""
        self.sooner = asyncio.Event()
        """Set when time may have to do its part sooner than was thought."""

    def start(self) -> None:
        """Commit and listen to the other processes from now on, as tasks of the group."""
        self._tasks.keep("the group commit", self._committer.run)
        self._tasks.keep("listening to other processes", self._peers.listen)

    async def settled(self) -> None:
        """Return once all that was decided up to now is durable and told, or lost."""
        await self._committer.settled()

    # Asking

    def ask(self, race: RaceId, asked: Request) -> None:
        """Bring a message to its race, which is read first where it must be."""
        held = self._held.get(race)
        if race in self._unread or held is None or lacks(held, asked) or ahead(held.race, asked):
            self._read_soon(race, [asked])
        else:
            self._decide(held, asked)

    def open(self, asked: Request, events: list[RoomEvent]) -> None:
        """Open a room with these first events; ``asked`` follows it and is answered by Room."""
        codes = (lobby.new_code(self._random_bytes) for _ in range(MOST_CODES))
        free = (code for code in codes if code not in self._held and self._store.reaches(code))
        self._open(next(free, lobby.new_code(self._random_bytes)), asked, events)

    def _open(self, code: RaceId, asked: Request, events: list[RoomEvent]) -> None:
        self._may_open(asked)
        race, now = Race(code, events), self._clock()
        race.take_moved()
        self._held[code] = Room(race, now)
        appends = [RoomAppend(code, k, event) for k, event in enumerate(events, start=1)]
        answer = commands.receive(race, asked.player, Join(code, asked.ref), now)
        self._committer.add(Decision(code, asked, [*appends, *answer]))

    def leave(self, session: Session) -> None:
        """A connection has gone; the seats of its player stay."""
        for race in session.following:
            if held := self._held.get(race):
                held.unsubscribe(session)

    # Time

    def next_at(self) -> int:
        """When time next changes a race that is held, ms since 1970; 0 for never."""
        return min((held.next_at for held in self._held.values() if held.next_at), default=0)

    def tick(self) -> None:
        """Let time do its part in the races that are held."""
        now = self._clock()
        self._due = False
        for held in list(self._held.values()):
            if held.woken or (held.next_at and held.next_at <= now):
                try:
                    self._tick(held)
                except Exception as error:  # let go of, since it would break again at once
                    room = log_name(held.race.id)
                    self._fence(held.race.id, Damaged(room, f"time breaks it: {error!r}"), [])

    def visit(self, race: RaceId, *, recover: bool = False) -> None:
        """See to a race that nobody here may follow: let time do its part.

        ``recover``: record its results again, in case a process died on the way to it.
        """
        self._visits[race] = recover or self._visits.get(race, False)
        self._read_soon(race, [])

    def sweep(self) -> None:
        """Hold no longer what nobody here follows; called now and then."""
        for race, held in list(self._held.items()):
            busy = held.woken or race in self._unread or self._committer.holds(race)
            if not (held.subscribers or busy):
                del self._held[race]
                self._tasks.start("unsubscribing", self._wire.unsubscribe, race)

    def look(self) -> None:
        """Ask Redis whether other processes have told of something unheard; called now and then."""
        self._tasks.start("looking for unheard news", self._peers.look)

    def _tick(self, held: Room) -> None:
        race = held.race.id
        if held.stale:
            self._read_soon(race, [])
        elif race in self._unread or self._committer.holds(race):
            held.woken = self._due = True
        else:
            held.woken = False
            self._committer.add(Decision(race, None, commands.tick(held.race, self._clock())))

    def _wake(self, held: Room) -> None:
        """Let time do its part here as soon as nothing is on its way."""
        held.woken = self._due = True
        self.sooner.set()

    # Reading

    def _read_soon(self, race: RaceId, asked: list[Request], *, first: bool = False) -> None:
        """Read a race and ask it these, after all who wait for it already, or before them."""
        waiting = self._unread.get(race)
        if waiting is None:
            self._unread[race] = asked
            self._tasks.start(f"reading race {race}", self._read_and_ask, race)
        elif first:
            waiting[:0] = asked
        else:
            waiting.extend(asked)

    async def _read_and_ask(self, race: RaceId) -> None:
        """Read what the waiting messages need, then ask them in the order they came."""
        waiting = self._unread[race]
        broken: dict[PlayerId, Damaged] = {}
        try:
            held = await self._read(race, waiting, broken)
        except StoreLost as error:
            self._lost(error, [asked.session for asked in waiting])
            return
        except Damaged as damaged:
            self._fence(race, damaged, waiting)
            return
        except Exception:
            admit(race, waiting)
            return
        finally:
            del self._unread[race]
            visited, recover = race in self._visits, self._visits.pop(race, False)
        if held is None:
            self._let_go(race, f"There is no race {race[:40]}; check its name.", waiting)
            return
        # From here to the last message nothing is awaited: what was read for them stays read.
        try:
            if visited:
                self._recorder.see_to(held.race, recover=recover)
            caught_up = [*held.catch_up(self._clock()), *self._end_broken(held.race)]
        except Exception as error:
            self._give_up(race, error, [Decision(race, asked, []) for asked in waiting])
            return
        self._committer.add(Decision(race, None, caught_up))
        for asked in waiting:
            if unread_seat(held.race, asked) in broken:
                asked.refuse("unknown", UNREADABLE.format("This game"))
            elif race in self._unread or lacks(held, asked):  # a mistake in the message before it
                self._read_soon(race, [asked])
            else:
                self._decide(held, asked)
        self._wake(held)

    def _end_broken(self, race: Race) -> list[Effect]:
        """End the seats whose logs have lost entries in between, and tell their players."""
        effects = commands.end_broken(race, self._clock())
        for append in effects:
            if isinstance(append, SeatAppend):
                log_of = log_name(race.id, append.player)
                lost = f"entry {append.entry.n} is missing before entry {append.after}"
                _log.error("%s: %s; the seat is ended there", log_of, lost)
        return effects

    def _fence(self, race: RaceId, damaged: Damaged, waiting: list[Request]) -> None:
        """Drop a race that can't be read, and tell every subscriber and requester."""
        self._damage.report(damaged)
        self._let_go(race, UNREADABLE.format(f"Race {race}"), waiting)

    def _let_go(self, race: RaceId, text: str, waiting: list[Request]) -> None:
        """Drop a race that is unavailable, and tell every subscriber and requester."""
        self._visits.pop(race, None)
        waiting += [one.asked for one in self._committer.withdraw([race]) if one.asked]
        for asked in waiting:
            asked.refuse("unknown", text)
        if held := self._held.pop(race, None):
            for session in list(held.sessions()):
                held.unsubscribe(session)
                session.tell(Refused("unknown", text, race))
            self._tasks.start("unsubscribing", self._wire.unsubscribe, race)

    async def _read(
        self, race: RaceId, waiting: list[Request], broken: dict[PlayerId, Damaged]
    ) -> Room | None:
        """The race with everything that ``waiting`` needs of it; both may change meanwhile.

        Seats whose logs can't be read come to be in ``broken``. Raises StoreLost, and Damaged.
        """
        if self._committer.holds(race):
            # Read now, it would lack what is on its way, and be told after that. Nothing more is
            # decided here until it is read.
            await self._committer.settled()
        looked: list[Request] = []
        while True:
            held = self._held.get(race)
            if held is None or held.stale:
                read = await self._loader.race(race)
                if read is None:
                    return None
                if held:
                    held.reread(read)
                else:
                    self._held[race] = Room(read, self._clock())
                continue
            told = [asked for asked in waiting if asked not in looked and ahead(held.race, asked)]
            if told:
                looked += told
                self._peers.hear(
                    await self._loader.news(held.race, {one.player.id for one in told})
                )
                continue
            needed = [*held.behind, *(unread_seat(held.race, asked) for asked in waiting)]
            unread = (p for p in needed if p and held.race.seats[p].play is None)
            player = next((p for p in unread if p not in broken), None)
            if player is None:
                for player in broken:
                    held.behind.pop(player, None)
                return held
            try:
                await self._loader.seat(held.race, player)
            except Damaged as damaged:
                self._damage.report(damaged)
                broken[player] = damaged

    # Deciding, committing, telling

    @contained
    def _decide(self, held: Room, asked: Request) -> None:
        assert not lacks(held, asked), "what a decision needs is read before"
        race, now = held.race, self._clock()
        match asked.message:
            case Rematch() as wanted:
                self._rematches.call(race, asked, wanted, now)
            case Create() as wanted:  # Its code was taken; ``held`` is the room that has it.
                self.open(asked, lobby.created(wanted, asked.player, now, self._random_bytes))
            case message if isinstance(message, RaceMessage):
                effects = commands.receive(race, asked.player, message, now)
                self._committer.add(Decision(race.id, asked, effects))
            case message:
                raise AssertionError(f"{type(message).__name__} is not about a race")

    async def _commit(self, outcomes: list[Decision]) -> None:
        """Make a turn durable, then tell it. A failure in one race affects that race alone."""
        try:
            await self._commit_turn(outcomes)
        except Exception as error:
            races = {outcome.race for outcome in outcomes}
            for race in races:
                of_race = [outcome for outcome in outcomes if outcome.race == race]
                if len(races) > 1:
                    # What is written already is refused now, and found when the race is read.
                    await self._commit(of_race)
                else:
                    self._give_up(race, error, of_race)

    async def _commit_turn(self, outcomes: list[Decision]) -> None:
        turn = Batch(outcomes, self._held, self._clock())
        try:
            if turn.opened:  # hear of them before another process can know of them
                await self._wire.subscribe(*turn.opened)
            stands = turn.settle(await self._store.append(turn.appends, turn.agenda))
        except PartlyLost as error:
            stands = turn.settle(error.refused, error.lost)
            self._drop(error, stands.lost, stands.unknown)
        except StoreLost as error:
            self._drop(error, self._held.keys(), outcomes)
            return
        over = stands.over(self._held)
        try:
            await self._recorder.over(over)
        except StoreLost as error:  # recorded when Redis is back: the race is still on the agenda
            self._lost(error, [])
        again = [*stands.again, *self._committer.withdraw(stands.stale)]
        turn.tell(stands)
        if turn.agenda:
            self.sooner.set()  # a countdown may have begun, which ends before time looks again
        for race in stands.stale:
            asked = [outcome.asked for outcome in again if outcome.race == race and outcome.asked]
            self._read_again(race, asked)
        for race in {append.race for append in stands.appends} - stands.stale:
            self._held[race].refusals = 0
        for one, _ in over:
            self._wake(self._held[one.id])
        for race in stands.ended():
            self._recorder.ended(self._held[race].race)
        for race in dict.fromkeys(stands.with_seeds()):
            noted = self._held[race].race
            self._tasks.start("noting the seed of a race", self._open_seeds.note, noted)
        if stands.appends:
            try:
                await self._wire.publish(stands.updates())
            except StoreLost as error:
                self._lost(error, [])

    def _read_again(self, race: RaceId, asked: list[Request]) -> None:
        """The decision was refused: another process was first, or the store has lost something."""
        held = self._held[race]
        if held.refused() > MOST_REFUSALS:
            why = "appends are refused, however often the race is read again"
            self._fence(race, Damaged(log_name(race), why), asked)
        else:
            self._read_soon(race, asked, first=True)

    def _give_up(self, race: RaceId, error: Exception, outcomes: list[Decision]) -> None:
        """Something is wrong with this race in the store, or with us."""
        outcomes = [*outcomes, *self._committer.withdraw([race])]
        asked = [outcome.asked for outcome in outcomes if outcome.asked]
        if isinstance(error, Damaged):
            self._fence(race, error, asked)
            return
        admit(race, asked)
        if race in self._held:
            self._read_again(race, [])

    def _committed(self) -> None:
        """A turn is done: what time or an end has brought about can be decided now."""
        if self._due:
            self.sooner.set()

    def _drop(
        self, error: StoreLost, races: Collection[RaceId], unknown: Iterable[Decision]
    ) -> None:
        """Memory may be ahead of what is durable here: drop these races and what waits for them.

        ``unknown``: what may have been written or not.
        """
        outcomes = [*unknown, *self._committer.withdraw(races)]
        for race in races:
            self._held[race].stale = True
        self._lost(error, [outcome.asked.session for outcome in outcomes if outcome.asked])
