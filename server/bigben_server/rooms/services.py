"""Requests that concern no race: hello, ping, games, links, boards, profiles and groups."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol.sentence import sentence
from bigben_server import logs
from bigben_server.accounts.groups import GroupQuestion, Memberships
from bigben_server.accounts.names import display_name
from bigben_server.accounts.tokens import GUEST, LINK, LINK_S, Issuers
from bigben_server.counters import COUNTS, front_end
from bigben_server.leaderboards.queries import Queries
from bigben_server.race import views
from bigben_server.race.events import VERSION, Player, Refusal, takes_hashes
from bigben_server.race.lobby import RandomBytes
from bigben_server.race.state import Race
from bigben_server.rooms.admin.policy import Policy, tied_guest
from bigben_server.rooms.descriptions import games
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.requests import Request
from bigben_server.rooms.session import POLICY, Session
from bigben_server.scoring.results import is_guest
from bigben_server.storage.client import Damaged, NodeLost, StoreLost
from bigben_server.storage.players import Known, People
from bigben_server.supervisor import Supervisor
from bigben_server.tasks import all_set

Question = wire.GetLeaderboard | wire.GetProfile | wire.GetRaces | GroupQuestion
ServiceMessage = wire.Hello | wire.Ping | wire.GetGames | wire.GetLink | Question
BeforeHello = wire.Hello | wire.Ping


@dataclass(slots=True, eq=False)
class Services:
    """Answers requests that concern no race, at once or after asking the store."""

    issuers: Issuers
    people: People
    groups: Memberships
    queries: Queries
    quotas: Quotas
    supervisor: Supervisor
    clock: Callable[[], int]
    random_bytes: RandomBytes
    policy: Policy
    data_version: Callable[[], int] = lambda: VERSION
    """The version of the data now; nothing that needs a newer one may be written."""
    under_way: set[asyncio.Event] = field(default_factory=set)
    """One for every answer that asks the store, or writes to it, set when it was given."""

    def receive(self, request: Request, message: ServiceMessage) -> None:
        """Answer a request; only Hello and Ping may come before Hello. Raises Refusal."""
        session, now = request.session, self.clock()
        match message:
            case wire.Hello():
                self.hello(request, message, now)
            case wire.Ping(sent):
                session.tell(wire.Pong(sent, now))
            case wire.GetGames(ref):
                session.tell(replace(games(), ref=ref))
            case wire.GetLink(ref):
                once = self.random_bytes(16).hex()
                link = self.issuers.mint(LINK, request.player, now, once=once)
                session.tell(wire.Link(link, now + 1000 * LINK_S, ref))
            case question:
                if isinstance(question, wire.CreateGroup):
                    self.quotas.rooms.check(request, now)
                    self.quotas.groups.check(request, now)
                # House players find the rooms that wait for them only by asking again and again.
                is_house = request.player.id in wire.HOUSE_PLAYERS
                if isinstance(question, wire.GetRaces) and not is_house:
                    self.quotas.lists.check(request, now)
                self.read_later(request, lambda: self._answer(request, question))

    def answer_later(
        self,
        request: Request,
        answer: Callable[[], Awaitable[None]],
        *,
        ended: Callable[[], None] = lambda: None,
        stores: bool = True,
    ) -> None:
        """Run ``answer``, then ``ended``. If it raises, the client is refused or closed.

        ``stores`` is whether it may store something about a player: a deletion waits for it.
        """
        what, done = f"answering {type(request.message).__name__}", asyncio.Event()
        if stores:
            self.under_way.add(done)
        self.supervisor.start(what, self._answered, request, answer, done, ended)

    def read_later(self, request: Request, answer: Callable[[], Awaitable[None]]) -> None:
        """The same for what asks the store and is answered soon: in turn, and few at a time."""
        session = request.session

        async def in_turn() -> None:
            if isinstance(request.message, wire.GetLeaderboard | wire.GetProfile):
                await all_set(self.queries.recording)  # first, so that no turn is spent on it
            async with self.queries.reads.turn(session.payer):
                await answer()

        session.begin_read()
        self.answer_later(request, in_turn, ended=session.end_read)

    async def _answered(
        self,
        request: Request,
        answer: Callable[[], Awaitable[None]],
        done: asyncio.Event,
        ended: Callable[[], None],
    ) -> None:
        logs.CONNECTION.set(request.session.id)  # for this task
        try:
            self.policy.check_session(request.session)
            await answer()
        except Refusal as refusal:
            refuse(request, refusal)
        except NodeLost:  # the player's races may be on other nodes
            request.refuse(Refusal("busy", sentence("store.part_away")))
            raise
        except StoreLost:
            request.session.send_away()
            raise
        except Damaged as damaged:
            self.queries.store.report(damaged)
            request.refuse(Refusal("unknown", sentence("store.damaged")))
        except Exception:
            request.session.fail()
            raise
        finally:
            self.under_way.discard(done)
            done.set()
            ended()

    async def _answer(self, request: Request, question: Question) -> None:
        asker, tell = request.player, request.session.tell
        match question:
            case wire.GetLeaderboard():
                tell(await self.queries.leaderboard(asker.id, question))
            case wire.GetProfile():
                tell(await self.queries.profile(asker.id, question, own_name=asker.name))
            case wire.GetRaces(ref):
                tell(await self.queries.races(asker, ref))
            case _:
                tell(await self.groups.answer(asker.id, question))

    # Hello

    def hello(self, request: Request, hello: wire.Hello, now: int) -> None:
        """Welcome the player of a token, or a new guest. Raises Refusal."""
        session = request.session
        if session.player is None:
            session.keeps_rules = hello.keeps_rules
            session.front_end = front_end(hello.client)
            session.announcements = hello.announcements
            session.cheers = hello.cheers
            session.elsewhere = hello.elsewhere
            session.challenges = hello.challenges
        if not hello.token:
            _check_new(session)
            name = display_name(hello.name)
            self.quotas.check_guest(session.address, now)
            guest = wire.PlayerId(f"{GUEST}:{self.random_bytes(12).hex()}")
            marks = self.issuers.marks(guest)
            self._welcome(session, Player(guest, name, marks=marks), now, is_new=True)
            return
        player, once = self.issuers.check(hello.token, now)
        _check_new(session)
        player = player._replace(marks=self.issuers.marks(player.id))
        self.policy.check_token(player, lambda: self.issuers.issued_at(hello.token))
        if hello.name and is_guest(player.id) and not once:
            player = player._replace(name=display_name(hello.name))
        session.hold()  # what it says meanwhile may be for nobody
        answer = self.read_later if once else self.answer_later
        answer(request, lambda: self.hello_by_token(request, hello, player, once))

    async def hello_by_token(
        self, request: Request, hello: wire.Hello, player: Player, once: str
    ) -> None:
        """Welcome the player of a token that still holds, and release the held connection.

        Who is refused is closed, and says nothing more. ``once`` is the number of a one-time link,
        which only its first user can use. Raises Refusal, and StoreLost.
        """
        session, own = request.session, player.id
        try:
            if once and not await self.people.spend(once, 2 * LINK_S):
                raise Refusal("token", sentence("link.used"))
            player, known = await self._now_as(player)
        except NodeLost:  # it may ask again
            asyncio.get_running_loop().call_soon(session.release)
            raise
        if session.gone:
            return
        is_own = not (once or is_guest(own)) and player.id == own
        lasts = is_own or self.issuers.vouches(hello.token)
        self._welcome_again(session, player, hello.token, known, lasts=lasts)
        session.release()
        if known and not once:
            with self._unread_later():
                issuer = own.partition(":")[0]
                await self.people.introduce(player, self.clock(), known, issuer=issuer)

    def _welcome_again(
        self, session: Session, player: Player, token: str, known: Known | None, *, lasts: bool
    ) -> None:
        """Unless the token ``lasts``, the player gets another one. Raises Refusal."""
        _check_new(session)  # it may have said hello twice
        # Or the player was deleted meanwhile.
        self.policy.check_token(player, lambda: self.issuers.issued_at(token))
        session.token_at = self.issuers.issued_latest(token)
        out_at = known.out_at if known else 0
        if refusal := self.policy.gone(player.id, session.token_at, out_at):
            raise refusal
        self._welcome(session, player, self.clock(), token if lasts else "")
        if self.issuers.vouches(token):
            session.vouched()

    async def _now_as(self, player: Player) -> tuple[Player, Known | None]:
        """The account that the player of a token is now, and what is stored of it.

        None if it can't be read now: they may race. Raises Refusal for a guest who is tied.
        """
        with self._unread_later():
            own, known = await self._both_known(player.id)
            if not own.account:
                return player._replace(tied=own.tied), own
            name = known.name or own.account
            if is_guest(player.id):
                raise tied_guest(name)
            marks = (*player.marks, *self.issuers.marks(own.account))
            player = player._replace(id=own.account, name=name, marks=marks, tied=known.tied)
            return player, known._replace(out_at=max(known.out_at, own.out_at))
        return player, None

    async def _both_known(self, player: wire.PlayerId) -> tuple[Known, Known]:
        """What is stored of a player, and of the account that they are."""
        while True:
            before = self.policy.tied
            own = await self.people.known(player)
            account = await self.people.known(own.account) if own.account else own
            if self.policy.tied is before:  # else somebody was tied meanwhile
                return own, account

    @contextmanager
    def _unread_later(self) -> Iterator[None]:
        """What concerns a player at hello can wait until it can be read; their races may not."""
        try:
            yield
        except NodeLost as error:
            self.supervisor.lost(error)
        except Damaged as damaged:
            self.queries.store.report(damaged)

    def _welcome(
        self, session: Session, player: Player, now: int, token: str = "", *, is_new: bool = False
    ) -> None:
        """Without a lasting ``token``, the player receives one. Raises Refusal."""
        self.policy.check(session.address, player.id, *player.tied)
        if is_guest(player.id):
            session.check_guest()
        player = self.policy.called(player)
        self.quotas.admit(session, player)
        token = token or self.issuers.mint(GUEST if is_guest(player.id) else LINK, player, now)
        COUNTS.hellos[session.front_end, "new" if is_new else "returning"] += 1
        house = self.policy.has_house or bool(self.policy.house)
        hashes = takes_hashes(self.data_version())
        welcome = wire.Welcome(player.id, player.name, token, now, house, hashes, session.cheers)
        session.put(welcome)
        announced = self.policy.orders.announcement
        if session.announcements and announced and now < announced.until:
            session.put(announced)
        session.flush()

    def invite(self, race: Race, player: wire.PlayerId) -> None:
        """Tell a house player at once where it has a seat; at another process it asks now and then.

        A few sessions of many thousands are its own, but a seat for it is rare.
        """
        message = views.room(race, self.clock())
        for session in self.quotas.sessions:
            if session.player and session.player.id == player:
                session.tell(message)


def refuse(request: Request, refusal: Refusal) -> None:
    """Answer with the refusal; a connection that has not said hello is closed."""
    request.refuse(refusal)
    if request.session.player is None:
        request.session.close(POLICY, str(refusal))


def _check_new(session: Session) -> None:
    if session.player is not None:
        raise Refusal("hello", sentence("hello.twice"))
