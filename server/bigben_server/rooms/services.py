"""Requests that concern no race: hello, ping, links, boards, profiles and groups."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVarTuple

import bigben_protocol as wire
from bigben_server.accounts.tokens import LINK_S
from bigben_server.leaderboards.queries import Queries, Question
from bigben_server.race.events import Refusal
from bigben_server.rooms.login import Login
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.session import Request, Session
from bigben_server.storage.client import Damaged, DamageLog, NodeLost, StoreLost
from bigben_server.supervisor import Supervisor

# fmt: off
ServiceMessage = (
    wire.Hello | wire.Ping | wire.GetLink | wire.GetLeaderboard | wire.GetProfile
    | wire.GetGroups | wire.CreateGroup | wire.JoinGroup | wire.LeaveGroup
)
# fmt: on
POLICY = 1008
TRY_AGAIN_LATER = 1013
_Args = TypeVarTuple("_Args")
STORE_AWAY = "The store is away; come back in a moment."


@dataclass(slots=True, eq=False)
class Services:
    """Answers requests that concern no race, at once or after asking the store."""

    login: Login
    queries: Queries
    quotas: Quotas
    supervisor: Supervisor
    damage: DamageLog
    clock: Callable[[], int]

    def receive(self, request: Request, message: ServiceMessage) -> None:
        """Answer a request. Raises Refusal."""
        session, now = request.session, self.clock()
        match message:
            case wire.Hello() if self.login.is_link(message, now):
                self.answer_later(request, self.login.hello_by_link, session, message, now)
            case wire.Hello():
                self.login.hello(session, message, now)
                if message.token:
                    self.answer_later(request, self._introduce, request)
            case wire.Ping(sent):
                session.tell(wire.Pong(sent, now))
            case _ if session.player is None:
                raise Refusal("hello", "Say hello first.")
            case wire.GetLink(ref):
                link = self.login.link(session.player, now)
                session.tell(wire.Link(link, now + 1000 * LINK_S, ref))
            case question:
                if isinstance(question, wire.CreateGroup):
                    self.quotas.check_room(request, now)
                self.answer_later(request, self._answer, request, question)

    def leave(self, session: Session) -> None:
        """A connection has closed."""
        self.login.leave(session)

    def answer_later(
        self, request: Request, answer: Callable[[*_Args], Awaitable[None]], *args: *_Args
    ) -> None:
        """Run ``answer``, which asks the store first, while other requests continue.

        If it raises, the client receives a refusal or is closed.
        """
        what = f"answering {type(request.message).__name__}"
        self.supervisor.start(what, self._answered, request, lambda: answer(*args))

    async def _answered(self, request: Request, answer: Callable[[], Awaitable[None]]) -> None:
        try:
            await answer()
        except Refusal as refusal:
            refuse(request, refusal)
        except NodeLost:  # the player's races may be on other nodes
            request.refuse("busy", "Part of the store is unavailable; ask again in a moment.")
            raise
        except StoreLost:
            request.session.close(TRY_AGAIN_LATER, STORE_AWAY)
            raise
        except Damaged as damaged:
            self.damage.report(damaged)
            text = "The data you asked for is damaged; the operator's log names it."
            request.refuse("unknown", text)
        except Exception:
            request.session.fail()
            raise

    async def _introduce(self, request: Request) -> None:
        try:
            await self.queries.introduce(request.player)
        except NodeLost as error:  # the player may race, and is introduced the next time
            self.supervisor.lost(error)

    async def _answer(self, request: Request, question: Question) -> None:
        request.session.tell(await self.queries.answer(request.player, question))


def refuse(request: Request, refusal: Refusal) -> None:
    """Answer with the refusal; a connection that has not said hello is closed."""
    request.refuse(refusal.code, refusal.text)
    if request.session.player is None:
        request.session.close(POLICY, refusal.text)
