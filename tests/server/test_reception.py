"""Who a connection belongs to, where a link is used and meanwhile the connection does more."""

import asyncio

import pytest
from tests.server.guests import RecordedSession
from tests.server.stage import ADA, BOB
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import Hello
from bigben_server.accounts.groups import Memberships
from bigben_server.accounts.tokens import GUEST, LINK, Issuers
from bigben_server.config import Limits
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.events import Player, Refusal
from bigben_server.rooms.admin.policy import Policy
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.requests import Request
from bigben_server.rooms.services import Services
from bigben_server.rooms.session import Session
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store
from bigben_server.supervisor import Supervisor

ISSUERS = Issuers(b"s" * 32, {})


@pytest.fixture
def services(store: Store) -> Services:
    """Where everybody may have one connection."""
    people, clock = People(store), Clock(NOON)
    return Services(
        ISSUERS,
        people,
        Memberships(people, clock, bytes),
        Queries(store, clock),
        Quotas(Limits(connections_per_player=1)),
        Supervisor(store.ping),
        clock,
        bytes,
        Policy(clock),
    )


def session() -> Session:
    return RecordedSession()


def coming(services: Services, session: Session, player: Player) -> asyncio.Task[None]:
    """A hello by a link, as far as its question to Redis."""
    message = Hello(token=ISSUERS.mint(LINK, player, NOON, once=f"link of {player.id}"))
    player, once = ISSUERS.check(message.token, NOON)
    player = player._replace(marks=ISSUERS.marks(player.id))
    request = Request.of(session, message)
    return asyncio.create_task(services.hello_by_token(request, message, player, once))


async def hello(services: Services, session: Session, player: Player) -> None:
    message = Hello(token=ISSUERS.mint(GUEST, player, NOON))
    await services.hello_by_token(Request.of(session, message), message, player, "")


async def test_a_client_that_left_while_its_link_was_checked_has_no_connection(
    services: Services,
) -> None:
    first = session()
    task = coming(services, first, ADA)
    await asyncio.sleep(0)  # it has asked Redis
    first.gone = True
    services.quotas.left(first)
    await task
    await hello(services, session(), ADA)


async def test_a_second_hello_while_a_link_is_checked_changes_nothing(
    services: Services,
) -> None:
    one = session()
    first = coming(services, one, ADA)
    await asyncio.sleep(0)  # it has asked Redis
    refused = await asyncio.gather(first, hello(services, one, BOB), return_exceptions=True)
    assert sorted(map(str, refused)) == ["None", "You have said hello already."]
    assert one.player is not None
    welcome = {ADA.id: ADA, BOB.id: BOB}[one.player.id]
    services.quotas.left(one)
    await hello(services, session(), welcome)


async def test_who_is_deleted_while_their_link_is_checked_gets_no_connection(
    services: Services,
) -> None:
    one = session()
    task = coming(services, one, ADA)
    await asyncio.sleep(0)  # it has asked Redis
    services.policy.deleted = dict.fromkeys(ISSUERS.marks(ADA.id), 0)
    with pytest.raises(Refusal, match="was deleted"):
        await task
    assert one.player is None
