"""The application of one server process: who is there, what they ask, and the hours of the day.

It answers what concerns no race, brings the rest to ``Races``, and keeps time. It knows neither
Redis nor sockets.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVarTuple

from bigben_protocol import (
    ClientMessage,
    Create,
    CreateGroup,
    GetGroups,
    GetLeaderboard,
    GetLink,
    GetProfile,
    Hello,
    Join,
    JoinGroup,
    LeaveGroup,
    Link,
    Move,
    Ping,
    Pong,
    Rematch,
    Resume,
    Watch,
)
from bigben_server.accounts.tokens import LINK_S, Issuers
from bigben_server.config import Limits
from bigben_server.leaderboards.queries import Queries, Question
from bigben_server.leaderboards.recorder import Recorder
from bigben_server.leaderboards.settler import Settler
from bigben_server.race import daily, lobby
from bigben_server.race.effects import Player
from bigben_server.race.events import RoomEvent
from bigben_server.race.transitions import Refusal
from bigben_server.rooms.batch import Request
from bigben_server.rooms.hub import Races
from bigben_server.rooms.loader import Loader
from bigben_server.rooms.login import Login
from bigben_server.rooms.open_seeds import OpenSeeds
from bigben_server.rooms.outages import OutageLog
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.session import Session
from bigben_server.scoring.divisions import Ranked
from bigben_server.storage.client import Damaged, DamageLog, NodeLost, StoreLost
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.tasks import Tasks, not_cancelled
from bigben_server.transport.api import Api

AGENDA_S = 5.0
"""How often Redis is asked for races that nobody here holds and that time has changed."""
AGAIN_MS = 60_000
"""When a race that was seen to is due again. Meanwhile no other process looks at it, and if this
one dies, another one does then."""
REVIVE_S = 1.0
"""How long to wait before Redis is started once more."""
POLICY = 1008
TRY_AGAIN_LATER = 1013
_Args = TypeVarTuple("_Args")


class App:
    """All that one server process does, from a message to its answer."""

    def __init__(
        self,
        store: Store,
        wire: PubSub,
        issuers: Issuers,
        secret: bytes,
        limits: Limits,
        *,
        clock: Callable[[], int],
        random_bytes: lobby.RandomBytes,
        revive: Callable[[], Awaitable[None]],
        ranked: Ranked = "all",
    ) -> None:
        self._store = store
        self._admission = Quotas(limits)
        self._login = Login(
            issuers, store, random_bytes, self._admission, limits.connections_per_player
        )
        self._clock = clock
        self._random_bytes = random_bytes
        self._revive = revive
        reader = Loader(store, wire, secret, clock)
        self._open_seeds = OpenSeeds(store, secret)
        self._lost = asyncio.Event()
        self._outage = OutageLog()
        self._tasks = Tasks()
        damage = self._damage = DamageLog()
        self._settler = Settler(
            *(store, damage),
            lost=lambda error: self._store_lost(error, []),
            ranked=ranked,
        )
        self._queries = Queries(store, clock=clock, random_bytes=random_bytes, ranked=ranked)
        self.api = Api(self._queries, clock)
        recorder = Recorder(
            *(store, self._tasks, damage),
            closed=self._settler.wake,
            lost=lambda error: self._store_lost(error, []),
            ranked=ranked,
        )
        self._races = Races(
            *(store, wire, reader, recorder, self._open_seeds, self._tasks, damage),
            clock=clock,
            random_bytes=random_bytes,
            lost=self._store_lost,
            may_open=lambda asked: self._admission.check_room(asked, clock()),
        )

    async def run(self, started: Callable[[], None]) -> None:
        """Serve until cancelled. Raises StoreLost if Redis can't be read at the start."""
        await self._store.ping()
        async with self._tasks:
            self._races.start()
            self._tasks.keep("keeping time", self._keep_time)
            self._tasks.keep("keeping the store", self._keep_store)
            self._tasks.keep("settling races", self._settler.run)
            self._open_daily()
            self._tasks.start("looking for unrecorded results", self._recover)
            started()

    def leave(self, session: Session) -> None:
        """A connection has gone."""
        session.gone = True
        self._login.leave(session)
        self._races.leave(session)

    async def settled(self) -> None:
        """Return once all that was decided up to now is durable and told, or lost."""
        await self._races.settled()

    def receive(self, session: Session, message: ClientMessage) -> None:
        """Take one message. What it answers comes when it is durable."""
        asked = Request(session, message, object())
        try:
            self._receive(asked, self._clock())
        except Refusal as refusal:
            self._refuse(asked, refusal)

    def _receive(self, asked: Request, now: int) -> None:
        session = asked.session
        match asked.message:
            case Hello() as hello if self._login.is_link(hello, now):
                self._later(asked, self._login.hello_by_link, session, hello, now)
            case Hello() as hello:
                self._login.hello(session, hello, now)
                if hello.token:
                    self._later(asked, self._introduce, asked.player)
            case Ping(sent):
                session.tell(Pong(sent, now))
            case _ if session.player is None:
                raise Refusal("hello", "Say hello first.")
            case GetLink(ref):
                link = self._login.link(asked.player, now)
                session.tell(Link(link, now + 1000 * LINK_S, ref))
            case (
                GetLeaderboard()
                | GetProfile()
                | GetGroups()
                | CreateGroup()
                | JoinGroup()
                | LeaveGroup()
            ) as question:
                if isinstance(question, CreateGroup):
                    self._admission.check_room(asked, now)
                self._later(asked, self._answer, asked, question)
            case Create() as wanted:
                self._admission.check_entering(asked, asked.place)
                events = lobby.created(wanted, asked.player, now, self._random_bytes)
                if wanted.seed:
                    self._later(asked, self._open_chosen, asked, wanted.seed, events)
                else:
                    self._races.open(asked, events)
            case message:
                if daily.is_daily(message.race):
                    race = daily.daily_named(message.race, now).id
                else:
                    race = lobby.code_named(message.race)
                match message:
                    case Rematch():
                        self._admission.check_entering(asked, asked.place)
                    case Join() | Watch() | Resume() | Move():
                        self._admission.check_entering(asked, race)
                    case _:
                        pass  # follows nothing
                self._races.ask(race, asked)

    def _later(
        self, asked: Request, answer: Callable[[*_Args], Awaitable[None]], *args: *_Args
    ) -> None:
        """Answer what Redis must be asked for first; other messages do not wait for it."""

        async def answered() -> None:
            try:
                await answer(*args)
            except Refusal as refusal:
                self._refuse(asked, refusal)
            except NodeLost as error:  # the player's races may lie on other nodes
                asked.refuse("busy", "Part of the store is unavailable; ask again in a moment.")
                self._store_lost(error, [])
            except StoreLost as error:
                self._store_lost(error, [asked.session])
            except Damaged as damaged:
                self._damage.report(damaged)
                asked.refuse(
                    "unknown", "The data you asked for is damaged; the operator's log names it."
                )
            except Exception:
                asked.session.fail()
                raise

        self._tasks.start(f"answering {type(asked.message).__name__}", answered)

    def _refuse(self, asked: Request, refusal: Refusal) -> None:
        asked.refuse(refusal.code, refusal.text)
        if asked.session.player is None:
            asked.session.close(POLICY, refusal.text)

    async def _introduce(self, player: Player) -> None:
        try:
            await self._queries.introduce(player)
        except NodeLost as error:  # they may race all the same, and are introduced the next time
            self._store_lost(error, [])

    async def _open_chosen(self, asked: Request, seed: str, events: list[RoomEvent]) -> None:
        """Open a practice with a deal that its player chose, unless an open race has that deal."""
        await self._open_seeds.check(seed, self._clock())
        self._races.open(asked, events)

    async def _answer(self, asked: Request, question: Question) -> None:
        asked.session.tell(await self._queries.answer(asked.player, question))

    # What goes on by itself

    async def _keep_time(self) -> None:
        """Wake the races whose time has come, and those in Redis that nobody here holds."""
        loop = asyncio.get_running_loop()
        agenda_at = loop.time() + AGENDA_S
        while not_cancelled():
            self._races.sooner.clear()
            self._races.tick()
            now, at = self._clock(), self._races.next_at()
            wait = agenda_at - loop.time()
            if at > now:
                wait = min(wait, (at - now) / 1000)
            try:
                async with asyncio.timeout(max(wait, 0)):
                    await self._races.sooner.wait()
            except TimeoutError:
                pass
            if loop.time() >= agenda_at:
                agenda_at = loop.time() + AGENDA_S
                await self._visit_due(self._clock())
                self._races.sweep()
                self._races.look()

    async def _recover(self) -> None:
        """See to every race on the agenda: a result may have been lost on its way to a board."""
        await self._visit_due(2**53, recover=True)

    def _open_daily(self) -> None:
        """See to it that today's race in the standard rules is there."""
        self._races.visit(daily.daily_named("daily", self._clock()).id)

    async def _visit_due(self, until: int, *, recover: bool = False) -> None:
        try:
            self._open_daily()
            due = await self._store.due(until)
            if not recover:
                await self._store.postpone(due, until + AGAIN_MS)
            for race in due:
                self._races.visit(race, recover=recover)
        except StoreLost as error:
            self._store_lost(error, [])

    async def _keep_store(self) -> None:
        """Whenever Redis was lost, bring it back and see to what was under way."""
        while not_cancelled():
            await self._lost.wait()
            self._lost.clear()
            try:
                await self._revive()
            except StoreLost as error:
                self._outage.away(f"Redis does not come back: {error}")
                await asyncio.sleep(REVIVE_S)
                self._lost.set()
            else:
                self._outage.back()
                await self._recover()

    def _store_lost(self, error: StoreLost, sessions: Iterable[Session]) -> None:
        self._outage.away(f"Redis is away: {error}")
        self._lost.set()
        for session in dict.fromkeys(sessions):
            session.close(TRY_AGAIN_LATER, "The store is away; come back in a moment.")
