"""The races of this process: read, asked, made durable, told. Decides nothing about a race.

A message goes to its race's referee, what that decides waits for the group commit, and only then
is anybody told. When Redis refuses an append, another process was first: the race is read again
and the message asked again.
"""

import asyncio
from collections.abc import Callable

from bigben_protocol import Create, Join, RaceId, Rematch
from bigben_server import referee, rooms
from bigben_server.commit import Asked, Committer, Outcome
from bigben_server.held import Held
from bigben_server.log import RoomAppend, RoomEvent
from bigben_server.mistakes import admit, contained
from bigben_server.neighbours import Lost, Neighbours
from bigben_server.race import Race
from bigben_server.reading import Reader, ahead, lacks, unread_seat
from bigben_server.recorder import Recorder
from bigben_server.redis_news import NewsWire
from bigben_server.redis_store import Store, StoreLost
from bigben_server.rematches import Rematches
from bigben_server.session import Session
from bigben_server.turn import Turn


class Races:
    """What is held in memory is a cache of Redis: it may be dropped and read again any time."""

    def __init__(
        self,
        store: Store,
        wire: NewsWire,
        reader: Reader,
        recorder: Recorder,
        tasks: asyncio.TaskGroup,
        *,
        clock: Callable[[], int],
        random_bytes: rooms.RandomBytes,
        lost: Lost,
        may_open: Callable[[Asked], None],
    ) -> None:
        self._store = store
        self._wire = wire
        self._reader = reader
        self._recorder = recorder
        self._clock = clock
        self._random_bytes = random_bytes
        self._lost = lost
        self._may_open = may_open
        """Raises Refusal for one who opens too many rooms."""
        self._held: dict[RaceId, Held] = {}
        self._unread: dict[RaceId, list[Asked]] = {}
        """Messages that wait until their race, or a seat of it, is read."""
        self._visits: dict[RaceId, bool] = {}
        """Races to be seen to, and whether their results are to be recorded again."""
        self._committer = Committer(self._commit, self._committed)
        self._neighbours = Neighbours(
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
        self._due = False
        """Some race's next time has come, and it may have been in the middle of a commit."""
        self.sooner = asyncio.Event()
        """Set when time may have to do its part sooner than was thought."""

    def start(self) -> None:
        """Commit and listen to the other processes from now on, as tasks of the group."""
        self._tasks.create_task(self._committer.run())
        self._tasks.create_task(self._neighbours.listen())

    async def settled(self) -> None:
        """Return once all that was decided up to now is durable and told, or lost."""
        await self._committer.settled()

    # Asking

    def ask(self, race: RaceId, asked: Asked) -> None:
        """Bring a message to its race, which is read first where it must be."""
        held = self._held.get(race)
        if race in self._unread or held is None or lacks(held, asked) or ahead(held.race, asked):
            self._read_soon(race, [asked])
        else:
            self._decide(held, asked)

    def open(self, asked: Asked, events: list[RoomEvent]) -> None:
        """Open a room with these first events; ``asked`` follows it and is answered by Room."""
        while (code := rooms.new_code(self._random_bytes)) in self._held:
            pass
        self._open(code, asked, events)

    def _open(self, code: RaceId, asked: Asked, events: list[RoomEvent]) -> None:
        self._may_open(asked)
        race, now = Race(code, events), self._clock()
        race.take_moved()
        self._held[code] = Held(race, now)
        appends = [RoomAppend(code, k, event) for k, event in enumerate(events, start=1)]
        answer = referee.receive(race, asked.player, Join(code, asked.ref), now)
        self._committer.add(Outcome(code, asked, [*appends, *answer]))

    def leave(self, session: Session) -> None:
        """A connection has gone; the seats of its player stay."""
        for race in list(session.follows):
            if held := self._held.get(race):
                held.unfollow(session)

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
                self._tick(held)

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
            if not (held.followers or busy):
                del self._held[race]
                self._tasks.create_task(self._wire.unsubscribe(race))

    def look(self) -> None:
        """Ask Redis whether other processes have told of something unheard; called now and then."""
        self._tasks.create_task(self._neighbours.look())

    def _tick(self, held: Held) -> None:
        race = held.race.id
        if held.stale:
            self._read_soon(race, [])
        elif race in self._unread or self._committer.holds(race):
            held.woken = self._due = True
        else:
            held.woken = False
            self._committer.add(Outcome(race, None, referee.tick(held.race, self._clock())))

    def _wake(self, held: Held) -> None:
        """Let time do its part here as soon as nothing is on its way."""
        held.woken = self._due = True
        self.sooner.set()

    # Reading

    def _read_soon(self, race: RaceId, asked: list[Asked], *, first: bool = False) -> None:
        """Read a race and ask it these, after all who wait for it already, or before them."""
        waiting = self._unread.get(race)
        if waiting is None:
            self._unread[race] = asked
            self._tasks.create_task(self._read_and_ask(race))
        elif first:
            waiting[:0] = asked
        else:
            waiting.extend(asked)

    async def _read_and_ask(self, race: RaceId) -> None:
        """Read what the waiting messages need, then ask them in the order they came."""
        waiting = self._unread[race]
        try:
            held = await self._read(race, waiting)
        except StoreLost as error:
            self._lost(error, [asked.session for asked in waiting])
            return
        except Exception:
            admit(race, waiting)
            return
        finally:
            del self._unread[race]
        if held is None:
            for asked in waiting:
                asked.refuse("unknown", f"There is no race {race[:40]}; check its name.")
            return
        # From here to the last message nothing is awaited: what was read for them stays read.
        if race in self._visits:
            self._recorder.see_to(held.race, recover=self._visits.pop(race))
        self._committer.add(Outcome(race, None, held.catch_up(self._clock())))
        for asked in waiting:
            if race in self._unread or lacks(held, asked):  # a mistake in the message before it
                self._read_soon(race, [asked])
            else:
                self._decide(held, asked)
        self._wake(held)

    async def _read(self, race: RaceId, waiting: list[Asked]) -> Held | None:
        """The race with all that ``waiting`` needs of it, though both may change meanwhile."""
        if self._committer.holds(race):
            # Read now, it would lack what is on its way, and be told after that. Nothing more is
            # decided here until it is read.
            await self._committer.settled()
        looked: list[Asked] = []
        while True:
            held = self._held.get(race)
            if held is None or held.stale:
                read = await self._reader.race(race)
                if read is None:
                    return None
                if held:
                    held.reread(read)
                else:
                    self._held[race] = Held(read, self._clock())
                continue
            told = [asked for asked in waiting if asked not in looked and ahead(held.race, asked)]
            if told:
                looked += told
                self._neighbours.hear(
                    await self._reader.news(held.race, {one.player.id for one in told})
                )
                continue
            needed = [*held.behind, *(unread_seat(held.race, asked) for asked in waiting)]
            player = next((p for p in needed if p and held.race.seats[p].play is None), None)
            if player is None:
                return held
            await self._reader.seat(held.race, player)

    # Deciding, committing, telling

    @contained
    def _decide(self, held: Held, asked: Asked) -> None:
        assert not lacks(held, asked), "what a decision needs is read before"
        race, now = held.race, self._clock()
        match asked.message:
            case Rematch() as wanted:
                self._rematches.call(race, asked, wanted, now)
            case Create() as wanted:  # Its code was taken; ``held`` is the room that has it.
                self.open(asked, rooms.created(wanted, asked.player, now, self._random_bytes))
            case message if isinstance(message, referee.RaceMessage):
                effects = referee.receive(race, asked.player, message, now)
                self._committer.add(Outcome(race.id, asked, effects))
            case message:
                raise AssertionError(f"{type(message).__name__} is not about a race")

    async def _commit(self, outcomes: list[Outcome]) -> None:
        """Make a turn durable, then tell it."""
        turn = Turn(outcomes, self._held, self._clock())
        try:
            if turn.opened:  # hear of them before another process can know of them
                await self._wire.subscribe(*turn.opened)
            stands = turn.settle(await self._store.append(turn.appends, turn.agenda))
            over = stands.over(self._held)
            await self._recorder.over(over)
        except StoreLost as error:
            self._drop_all(error, outcomes)
            return
        again = [*stands.again, *self._committer.withdraw(stands.stale)]
        turn.tell(stands)
        if turn.agenda:
            self.sooner.set()  # a countdown may have begun, which ends before time looks again
        for race in stands.stale:
            self._held[race].stale = True
            asked = [outcome.asked for outcome in again if outcome.race == race and outcome.asked]
            self._read_soon(race, asked, first=True)
        for one, _ in over:
            self._wake(self._held[one.id])
        for race in stands.ended():
            self._recorder.ended(self._held[race].race)
        if stands.appends:
            try:
                await self._wire.publish(stands.bulletins())
            except StoreLost as error:
                self._lost(error, [])

    def _committed(self) -> None:
        """A turn is done: what time or an end has brought about can be decided now."""
        if self._due:
            self.sooner.set()

    def _drop_all(self, error: StoreLost, turn: list[Outcome]) -> None:
        """What is held may be more than what is durable: forget it, and whoever waited."""
        outcomes = [*turn, *self._committer.withdraw(self._held.keys())]
        for held in self._held.values():
            held.stale = True
        self._lost(error, [outcome.asked.session for outcome in outcomes if outcome.asked])
