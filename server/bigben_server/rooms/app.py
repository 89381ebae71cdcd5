"""One server process without its sockets: puts its parts together and runs its timers."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress

from bigben_protocol import RaceId
from bigben_server.accounts.groups import Memberships
from bigben_server.accounts.tokens import Issuers
from bigben_server.config import Limits
from bigben_server.config import Webhooks as Allowed
from bigben_server.homes import Homes
from bigben_server.leaderboards import seasons as showing
from bigben_server.leaderboards.expiry import Expiry
from bigben_server.leaderboards.queries import Queries
from bigben_server.leaderboards.recorder import Recorder
from bigben_server.leaderboards.settler import Settler
from bigben_server.leaderboards.tying import Tying
from bigben_server.leaderboards.webhooks import Webhooks
from bigben_server.race import daily
from bigben_server.race.decisions import Decision
from bigben_server.race.lobby import RandomBytes
from bigben_server.readiness import Readiness
from bigben_server.rooms.admin.agent import Agent
from bigben_server.rooms.admin.gate import Gate
from bigben_server.rooms.admin.policy import Policy
from bigben_server.rooms.answers.analyses import Analyses
from bigben_server.rooms.answers.challenges import Challenges
from bigben_server.rooms.answers.curves import Curves
from bigben_server.rooms.answers.hinting import Hinting
from bigben_server.rooms.answers.identities import Identities
from bigben_server.rooms.answers.seasons import Seasons
from bigben_server.rooms.deals.chooser import Chooser
from bigben_server.rooms.deals.openings import Openings
from bigben_server.rooms.deals.search import Search
from bigben_server.rooms.deals.seeds import OpenSeeds
from bigben_server.rooms.deals.weeks import Weeks
from bigben_server.rooms.hub import Hub
from bigben_server.rooms.presence import LOOK_S, LOOK_TOGETHER
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.registry import Rooms
from bigben_server.rooms.services import Services
from bigben_server.scoring.results import Ranked
from bigben_server.storage.admin.directives import DirectiveStore
from bigben_server.storage.admin.processes import Process
from bigben_server.storage.challenges import ChallengeStore
from bigben_server.storage.client import chunks
from bigben_server.storage.leaderboards import FRESH_S, Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.players import People
from bigben_server.storage.pubsub import PubSub
from bigben_server.storage.race_log import Store
from bigben_server.storage.safety import prove_writes
from bigben_server.storage.schema import Schema
from bigben_server.summary import Summary
from bigben_server.supervisor import Supervisor
from bigben_server.tasks import not_cancelled
from bigben_server.thinking.dailies import Dailies
from bigben_server.thinking.hints import Hints
from bigben_server.thinking.packer import Packer
from bigben_server.thinking.pool import Pool

AGENDA_S = 5.0
"""How often to ask the store for due races that no process has in memory."""
AGAIN_MS = 60_000
"""How long other processes leave a due race to this one. If this one dies, another takes over."""
PROBE_S = 1.0
"""How long to wait between two proofs that the store keeps writes."""
RECOVER_S = 1.0
"""How long to wait between two recoveries. A store that answers but can't write is lost again at
once."""


class App:
    """Everything that a server process does between its sockets and its store."""

    def __init__(
        self,
        store: Store,
        pubsub: PubSub,
        issuers: Issuers,
        secret: bytes,
        limits: Limits,
        *,
        clock: Callable[[], int],
        random_bytes: RandomBytes,
        revive: Callable[[], Awaitable[None]],
        ranked: Ranked = "all",
        thinkers: int = 0,
        daily_grades: Sequence[str] = (),
        webhooks: Allowed = "off",
        process: Process,
        schema: Schema,
        house: bool = False,
        homes: Homes | None = None,
    ) -> None:
        """``revive``: see ``Supervisor``. ``process``: what is known of this one at its start.

        ``house``: see ``Policy.has_house``. ``homes``: None for a process that is alone.
        ``daily_grades``, from Monday: needed with ``thinkers``.
        """
        self._store = store
        self._clock = clock
        self._schema = schema
        self.readiness = Readiness()
        self.homes = homes or Homes()
        self._supervisor = supervisor = Supervisor(revive, self.readiness)
        self.pool = Pool(thinkers)
        self._dailies = Dailies(store, self.pool, secret, daily_grades, clock)
        quotas = Quotas(limits)
        boards = Boards(store, ranked, FRESH_S)
        self._expiry = Expiry(store, clock)
        self._packer = Packer(store, self.pool, clock)
        self._settler = Settler(boards, Ledger(store))
        recorder = Recorder(store, supervisor, self._settler)
        self.queries = Queries(store, clock, ranked, recorder.under_way, boards)
        self.seasons = showing.Seasons(store, clock, boards)
        self._webhooks = Webhooks(self.seasons, clock, webhooks)
        people = People(store)
        groups = Memberships(people, clock, random_bytes)
        self.policy = policy = Policy(clock, has_house=house)
        services = Services(
            issuers,
            people,
            groups,
            self.queries,
            quotas,
            supervisor,
            clock,
            random_bytes,
            policy,
            lambda: store.version,
        )
        rooms = Rooms(store, pubsub, supervisor, secret, clock)
        search = Search(self.pool)
        seeds = OpenSeeds(store, secret, clock)
        self.weeks = Weeks(store, search, seeds, clock)
        analyses = Analyses(store, self.pool, services)
        self.hub = Hub(
            rooms,
            Gate(policy, quotas, lambda: store.version),
            quotas,
            services,
            Openings(rooms, quotas, policy, seeds, search, random_bytes, self.homes),
            recorder,
            Hinting(Hints(self.pool), rooms, services),
            analyses,
            Curves(store, services),
            Identities(services, Tying(store, self._settler, clock), DirectiveStore(store)),
            Seasons(services, self.seasons, self._webhooks, analyses, search, random_bytes),
            Challenges(services, rooms, ChallengeStore(store)),
            Chooser(rooms, search),
            self.queries.reads,
        )
        self.agent = Agent(
            store,
            rooms,
            quotas.sessions,
            (services.under_way, recorder.under_way),
            policy,
            self.readiness,
            process,
            self.homes,
        )

    async def run(self, started: Callable[[], None]) -> None:
        """Serve until cancelled. Raises StoreLost if the store can't be read at the start."""
        await self._store.ping()
        await self.agent.look()
        async with self._supervisor as supervisor:
            self.hub.start()
            supervisor.keep_running("keeping time", self._keep_time)
            supervisor.keep_running("reading the agenda", self._keep_agenda)
            supervisor.keep_running("looking who is here", self._keep_presence)
            supervisor.keep_running("telling peers of this process", self.hub.rooms.pubsub.beat)
            supervisor.keep_running("announcing which data this process reads", self._schema.run)
            supervisor.keep_running("opening the weeks of seasons", self.weeks.run)
            if self._webhooks.allowed != "off":
                supervisor.keep_running("sending news of seasons", self._webhooks.run)
            supervisor.keep_running("settling races", self._settler.run)
            supervisor.keep_running("deleting expired races", self._expiry.run)
            supervisor.keep_running("packing races", self._packer.run)
            supervisor.keep_running("proving that the store keeps writes", self._keep_readiness)
            supervisor.keep_running("keeping the operator's orders", self.agent.keep_orders)
            if self.pool.size:
                supervisor.keep_running("thinking for players", self.pool.run)
                supervisor.keep_running("preparing dailies", self._dailies.run)
            supervisor.keep_running("watching the event loop", self.agent.watch_loop)
            supervisor.keep_running("summing up refusals", Summary().run)
            supervisor.keep_running("recovering after outages", self._recover_after_outages)
            supervisor.start("looking for unrecorded results", self._recover)
            started()

    async def _keep_time(self) -> None:
        """Tick when a room is due, and now and then because the clock may be set."""
        rooms = self.hub.rooms
        while not_cancelled():
            rooms.sooner.clear()
            self.hub.tick()
            now, at = self._clock(), rooms.next_at()
            wait = min(AGENDA_S, (at - now) / 1000) if at > now else AGENDA_S
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await rooms.sooner.wait()

    async def _keep_agenda(self) -> None:
        """Handle the races that are due on the agenda, which no process may have in memory."""
        while not_cancelled():
            await asyncio.sleep(AGENDA_S)
            self.hub.sweep()
            self._open_daily()
            now = self._clock()
            due = await self._store.due(now)
            await self._store.postpone(due, now + AGAIN_MS)
            for code in due:
                self.hub.reconcile(code).record = True

    async def _keep_presence(self) -> None:
        """Look now and then who has gone away or come back."""
        while not_cancelled():
            await asyncio.sleep(LOOK_S)
            for some in chunks(list(self.hub.rooms), LOOK_TOGETHER):
                self.look_at(some)
                await asyncio.sleep(0)

    def look_at(self, codes: Iterable[RaceId]) -> None:
        """Tell the subscribers of these rooms who has gone away or come back."""
        rooms, now = self.hub.rooms, self._clock()
        for code in codes:
            room = rooms.get(code)
            if room is None or room.stale or code in rooms.reconciling:
                continue
            if room.attendance.look(room.race, room.subscribers, rooms.pubsub, now):
                rooms.batches.add(Decision(code, None))
                rooms.schedule(room)

    async def _keep_readiness(self) -> None:
        """Other tasks find out later that the store keeps no writes, when they need it."""
        while not_cancelled():
            works, lost = await prove_writes(self._store)
            if works:
                self.readiness.store_works(*(error.trouble for error in lost))
            else:
                self._supervisor.lost(lost[0])
            await asyncio.sleep(PROBE_S)

    async def _recover(self) -> None:
        """Load every race on the agenda: a result may have been lost on its way to a board."""
        self._open_daily()
        for code in await self._store.due():
            pending = self.hub.reconcile(code)
            pending.record = pending.recover = True

    async def _recover_after_outages(self) -> None:
        returned = self._supervisor.returned
        while not_cancelled():
            await returned.wait()
            returned.clear()
            await self._recover()
            await asyncio.sleep(RECOVER_S)

    def _open_daily(self) -> None:
        """Make sure that today's race in the standard rules exists."""
        self.hub.reconcile(daily.daily_named("daily", self._clock()).id).record = True
