"""A terminal logs in by a short code that its player confirms on the page, as in RFC 8628."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.discord.logging_in import PAGE, Answered, Page
from tests.discord.running import SECRET, Pace, bot_on
from tests.discord.standin.problems import Json
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_client import Client
from bigben_discord.bot import BigBen
from bigben_discord.login.devices import LETTERS, Devices
from bigben_discord.login.refusal import Refusal

TOKEN = "POST /oauth2/token"
GRANT = "urn:ietf:params:oauth:grant-type:device_code"
TERMINAL: Json = {"client": "bigben-terminal/0.2", "host": "ann-laptop\x1b"}


@dataclass
class Clock:
    """Passes when a test says so."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now

    def skip(self, seconds: float) -> None:
        """Let time pass for the bot's logins."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime.now(UTC))


@pytest.fixture
async def bot(
    world: Discord, server: ServerProcess, tmp_path: Path, clock: Clock
) -> AsyncIterator[BigBen]:
    world.state.logins.redirects.append(PAGE)
    async with bot_on(world, server.url, tmp_path, Pace(now=clock), secret=SECRET) as one:
        yield one


async def polls(page: Page, asked: Json) -> Answered:
    """The terminal, for its token."""
    body = {"grant_type": GRANT, "device_code": asked["device_code"]}
    return await page.sends("/token", body)


async def test_a_terminal_plays_for_who_has_allowed_it(
    world: Discord, server: ServerProcess, bot: BigBen, clock: Clock
) -> None:
    ann, terminal, page = world.person("Ann"), Page(bot, world, "198.51.100.9"), Page(bot, world)
    asked = (await terminal.sends("/device", TERMINAL)).body
    assert asked["verification_uri"] == f"{PAGE}#device"
    assert (asked["expires_in"], asked["interval"]) == (600, 5)
    assert await polls(terminal, asked) == (400, {"error": "authorization_pending"})
    assert await polls(terminal, asked) == (400, {"error": "slow_down"})
    clock.skip(6)
    assert (await polls(terminal, asked)).body == {"error": "slow_down"}, "it waits longer now"
    clock.skip(16)
    assert (await polls(terminal, asked)).body == {"error": "authorization_pending"}

    # It does not matter how the code is typed.
    typed = asked["user_code"].lower().replace("-", " ")
    answer = await page.logs_in(ann, device=typed)
    shown = answer["device"]
    assert (shown["client"], shown["host"]) == ("bigben-terminal/0.2", "ann-laptop")
    assert shown["address"] == "198.51.100.9", "the page says who asks from where"
    assert shown["asked_at"] <= clock.now.timestamp() * 1000
    clock.skip(16)
    assert (await polls(terminal, asked)).body == {"error": "authorization_pending"}
    decided = {"confirm": shown["confirm"], "allow": True}
    assert await page.sends("/device/confirm", decided) == (200, {"allowed": True})
    assert (await page.sends("/device/confirm", decided)).code == "device", "it was decided"
    given = await polls(terminal, asked)
    assert (given.status, given.body["name"]) == (200, "Ann")
    async with Client(server.url, token=given.body["token"]) as there:
        assert there.player == given.body["player"] == f"discord:{ann.user.id}"
        assert there.token != given.body["token"], "it was a link, for a token that lasts"
    assert (await polls(terminal, asked)).body == {"error": "expired_token"}, "it has its token"


async def test_a_terminal_is_told_when_it_was_denied_or_asked_too_long_ago(
    world: Discord, bot: BigBen, clock: Clock
) -> None:
    ben, page = world.person("Ben"), Page(bot, world)
    denied, late = [(await page.sends("/device", TERMINAL)).body for _ in range(2)]
    confirm = (await page.logs_in(ben, device=denied["user_code"]))["device"]["confirm"]
    again = (await page.logs_in(ben, device=denied["user_code"]))["device"]["confirm"]
    allow = {"confirm": confirm, "allow": True}
    assert (await page.sends("/device/confirm", allow)).code == "device", "only the newest page"
    await page.sends("/device/confirm", {"confirm": again, "allow": False})
    assert (await polls(page, denied)).body == {"error": "access_denied"}
    assert (await polls(page, denied)).body == {"error": "expired_token"}
    confirm = (await page.logs_in(ben, device=late["user_code"]))["device"]["confirm"]
    clock.skip(600)
    assert (await polls(page, late)).body == {"error": "expired_token"}
    allow = {"confirm": confirm, "allow": True}
    assert (await page.sends("/device/confirm", allow)).status == 404
    body = await page.comes_back(ben, device=late["user_code"])
    assert (await page.sends("", body)).code == "device"


async def test_a_restart_forgets_terminals_and_they_are_told(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as before:
        asked = (await Page(before, world).sends("/device", TERMINAL)).body
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as after:
        assert (await polls(Page(after, world), asked)).body == {"error": "expired_token"}


async def test_a_terminal_asks_again_while_the_race_server_is_away(
    world: Discord, tmp_path: Path
) -> None:
    world.state.logins.redirects.append(PAGE)
    async with bot_on(world, "ws://127.0.0.1:1", tmp_path, secret=SECRET) as bot:
        page = Page(bot, world)
        asked = (await page.sends("/device", TERMINAL)).body
        answer = await page.logs_in(world.person("Cid"), device=asked["user_code"])
        allow = {"confirm": answer["device"]["confirm"], "allow": True}
        assert (await page.sends("/device/confirm", allow)).status == 200
        for _ in range(2):
            away = await polls(page, asked)
            assert (away.status, away.code) == (503, "server")


async def test_guessing_codes_is_cut_off_and_hinders_nobody_else(
    world: Discord, bot: BigBen
) -> None:
    thief, page, eve = Page(bot, world, "198.51.100.9"), Page(bot, world), world.person("Eve")
    asked = (await page.sends("/device", TERMINAL)).body
    body = await thief.comes_back(eve)
    for _ in range(5):
        guessed = await thief.sends("", body | {"device": "BBBB-BBBB"})
        assert (guessed.status, guessed.code) == (404, "device")
    cut_off = await thief.sends("", body | {"device": asked["user_code"]})
    assert (cut_off.status, cut_off.code) == (429, "often"), "also for the right one"
    # A wrong code spends nothing: the right one may follow with the same login.
    body = await page.comes_back(eve)
    assert (await page.sends("", body | {"device": "BBBB-BBBB"})).status == 404
    assert (await page.sends("", body | {"device": asked["user_code"]})).status == 200


async def test_a_terminal_is_never_let_in_as_who_was_not_asked(world: Discord, bot: BigBen) -> None:
    """Its owner decides while somebody else, who was sent its code, is logging in with it."""
    eve, mia = world.person("Eve"), world.person("Mia")
    page, hers = Page(bot, world), Page(bot, world)
    asked = (await page.sends("/device", TERMINAL)).body
    body = await hers.comes_back(mia, device=asked["user_code"])
    confirm = (await page.logs_in(eve, device=asked["user_code"]))["device"]["confirm"]
    with world.network.holding(f"from {TOKEN}"):
        late = asyncio.create_task(hers.sends("", body))
        await world.changes.until(
            lambda: sum(one.route == TOKEN for one in world.rest.requests) == 2,
            "Discord has her code",
        )
        await page.sends("/device/confirm", {"confirm": confirm, "allow": True})
    refused = await late
    assert (refused.status, refused.code) == (404, "device")
    assert (await polls(page, asked)).body["name"] == "Eve"


def test_a_hundred_terminals_at_one_address_hinder_no_other() -> None:
    devices, refused = Devices(), 0
    for number in range(100):
        try:
            # The rest of an IPv6 address is its owner's to choose.
            devices.ask("", "", f"2001:db8::{number:x}", 0.0)
        except Refusal:
            refused += 1
    assert refused == 90
    other = devices.ask("", "", "203.0.113.7", 0.0)
    assert devices.find(other.user_code, 0.0) is other
    assert {*other.user_code} <= {*LETTERS, "-"}
    assert len(LETTERS) == 20
    devices.ask("", "", "2001:db8::1", 600.0)  # the old ones are forgotten
