"""Who a connection belongs to, where a link is used and meanwhile the connection does more."""

import asyncio

import pytest
from tests.server.guests import RecordedSession
from tests.server.stage import ADA, BOB
from tests.support.times import NOON

from bigben_protocol import Hello
from bigben_server.accounts.tokens import GUEST, Issuers
from bigben_server.config import Limits
from bigben_server.race.events import Player, Refusal
from bigben_server.rooms.login import Login
from bigben_server.rooms.quotas import Quotas
from bigben_server.rooms.session import Session
from bigben_server.storage.race_log import Store

ISSUERS = Issuers.of(b"s" * 32, {})


@pytest.fixture
def login(store: Store) -> Login:
    """Where everybody may have one connection."""
    return Login(ISSUERS, store, lambda n: b"r" * n, Quotas(Limits()), 1)


def session() -> Session:
    return RecordedSession()


def link(player: Player) -> Hello:
    return Hello(token=ISSUERS.link(player, NOON, f"link of {player.id}"))


def lasting(player: Player) -> Hello:
    return Hello(token=ISSUERS.mint(GUEST, player, NOON))


async def test_a_client_that_left_while_its_link_was_checked_has_no_connection(
    login: Login,
) -> None:
    first = session()
    coming = asyncio.create_task(login.hello_by_link(first, link(ADA), NOON))
    await asyncio.sleep(0)  # it has asked Redis
    first.gone = True
    login.leave(first)
    await coming
    login.hello(session(), lasting(ADA), NOON)


async def test_a_second_hello_while_a_link_is_checked_changes_nothing(
    login: Login,
) -> None:
    one = session()
    coming = asyncio.create_task(login.hello_by_link(one, link(ADA), NOON))
    await asyncio.sleep(0)  # it has asked Redis
    login.hello(one, lasting(BOB), NOON)
    with pytest.raises(Refusal, match="already"):
        await coming
    assert one.player is not None
    assert one.player.id == BOB.id
    login.leave(one)
    login.hello(session(), lasting(BOB), NOON)
