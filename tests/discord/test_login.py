"""Logging in with Discord: one player under the buttons, in the frame and in the browser."""

import logging
import re
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import jwt
import pytest
from tests.discord.logging_in import PAGE, Page
from tests.discord.playing import room_of, starts_alone
from tests.discord.running import KEY, Pace, bot_on
from tests.discord.standin.logins import SECRET
from tests.discord.standin.people import Channel
from tests.discord.standin.problems import Json
from tests.discord.standin.rest import Fault
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_client import Client, RefusedError
from bigben_discord.bot import BigBen
from bigben_discord.login import service

HERE = "Play here"
TOKEN = "POST /oauth2/token"
INSTANCE = "GET /applications/{application_id}/activity-instances/{instance_id}"


@pytest.fixture(autouse=True)
def logs_say_no_secret(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Neither the application's secret nor a code nor anybody's token."""
    for name in ("bigben_discord", "oauthlib", "aiohttp"):
        caplog.set_level(logging.DEBUG, name)
    yield
    ours = [record for record in caplog.records if not record.name.startswith("discord.")]
    said = "\n".join(record.getMessage() for record in ours)
    assert not re.search(rf"{SECRET}|(code|access|refresh)\d{{10}}|eyJ\w+\.", said), said


@pytest.fixture(autouse=True)
def activities(world: Discord) -> None:
    """The operator has enabled them, and registered the page."""
    world.state.activities.enabled = True
    world.state.logins.redirects.append(PAGE)


@pytest.fixture
async def bot(world: Discord, server: ServerProcess, tmp_path: Path) -> AsyncIterator[BigBen]:
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as one:
        yield one


async def test_the_seat_under_the_buttons_and_the_seat_in_the_frame_are_one(
    world: Discord, server: ServerProcess, bot: BigBen, channel: Channel
) -> None:
    ada, bob, page = world.person("Ada"), world.person("Bob"), Page(bot, world)
    lobby = await room_of(ada, bob, channel)
    board = await starts_alone(ada, lobby)
    await world.changes.until(lambda: HERE in str(board.buttons), "the cards are dealt")
    frame = await (await ada.presses(board, HERE)).opened()
    await bot.answers.finish()  # it has heard which frame that is
    begun = await page.asks(instance=frame.id)
    race = begun.body["race"]
    assert begun.body == {"application": world.application, "state": "", "race": race}
    assert f"Race {race}\n" in lobby.content

    answer = (await page.sends("", await page.is_opened_in(frame, ada))).body
    assert answer["player"] == f"discord:{ada.user.id}"
    assert (answer["name"], answer["race"]) == ("Ada", race)
    assert answer["access_token"]
    async with Client(server.url, token=answer["token"]) as there:
        await there.join(race)
        move = there.views[race].legal[0]
        await there.move(race, move)
        assert there.views[race].n == 1
    await world.changes.until(lambda: "move 1" in board.content, "the board shows the move")


async def test_the_group_of_the_frame_comes_with_its_token(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    cleo, page = world.person("Cleo"), Page(bot, world)
    elsewhere = world.channel("elsewhere", world.guild("Others"))
    await (await cleo.types(elsewhere, "bigben board")).shown()
    for where, guilds in ((channel, [channel, elsewhere]), (world.direct(cleo), [elsewhere])):
        frame = world.state.activities.launch(where, cleo.user)
        answer = (await page.sends("", await page.is_opened_in(frame, cleo))).body
        claims = jwt.decode(answer["token"], KEY, ["HS256"], issuer="discord")
        assert claims["groups"] == [f"discord:{one.guild.id}" for one in guilds if one.guild]


async def test_a_browser_gets_a_link_that_becomes_a_lasting_token(
    world: Discord, server: ServerProcess, bot: BigBen
) -> None:
    dora, page = world.person("Dora", locale="de"), Page(bot, world)
    answer = await page.logs_in(dora, lasting=True)
    assert answer.keys() == {"token", "player", "name", "race"}, "a browser needs no access token"
    async with Client(server.url, token=answer["token"]) as there:
        assert (there.player, there.name) == (f"discord:{dora.user.id}", "Dora")
        lasting = there.token
    assert lasting != answer["token"]
    async with Client(server.url, token=lasting) as again:
        assert again.player == f"discord:{dora.user.id}"
    with pytest.raises(RefusedError):
        async with Client(server.url, token=answer["token"]):
            pass
    # Without it, the token is a day's.
    assert "exp" in jwt.decode((await page.logs_in(dora))["token"], KEY, ["HS256"])


FORGED = f"{int(time.time()) + 600}.nonce.{'0' * 64}"


async def test_a_login_with_a_part_that_is_missing_or_wrong_is_refused(
    world: Discord, bot: BigBen
) -> None:
    page, eve = Page(bot, world), world.person("Eve")
    changes: list[tuple[Json, str]] = [
        ({"code": "forged"}, "code"),
        ({"state": ""}, "request"),
        ({"state": None}, "request"),
        ({"state": FORGED}, "state"),
        ({"state": "é.é"}, "state"),
        ({"verifier": "v" * 43}, "state"),
        ({"verifier": "short"}, "request"),
        ({"redirect": ""}, "redirect"),
        ({"redirect": "https://elsewhere.example/"}, "redirect"),
        ({"instance": "i-1-gc-2-3"}, "redirect"),
        ({"instance": "i-1-gc-2-3", "redirect": ""}, "state"),
        ({"instance": "../../users/@me", "redirect": ""}, "request"),
    ]
    for change, code in changes:
        body = await page.comes_back(eve) | change
        refused = await page.sends("", {key: one for key, one in body.items() if one is not None})
        assert (refused.status, refused.code) == (400, code), change
        assert refused.body["text"].endswith(".")
        assert "token" not in refused.body


async def test_a_login_is_refused_when_it_comes_again(world: Discord, bot: BigBen) -> None:
    page, finn = Page(bot, world), world.person("Finn")
    body = await page.comes_back(finn)
    assert (await page.sends("", body)).status == 200
    assert (await page.sends("", body)).code == "state", "the state is used"
    replayed = body | {"state": await page.state()}
    assert (await page.sends("", replayed)).code == "code", "the code is used"
    # A code of somebody else's login, with a state of one's own.
    thief = Page(bot, world)
    stolen = await page.comes_back(finn)
    body = stolen | {"state": await thief.state(), "verifier": thief.verifier}
    assert (await thief.sends("", body)).code == "code"
    body = stolen | {"verifier": thief.verifier}
    assert (await thief.sends("", body)).code == "state"


async def test_a_state_lasts_ten_minutes_and_is_of_one_frame(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    passed = timedelta()
    pace = Pace(now=lambda: datetime.now(UTC) + passed)
    async with bot_on(world, server.url, tmp_path, pace, secret=SECRET) as bot:
        page, gus, hal = Page(bot, world), world.person("Gus"), world.person("Hal")
        here = world.state.activities.launch(channel, gus.user)
        there = world.state.activities.launch(world.direct(hal), hal.user)
        foreign = await page.sends("", await page.is_opened_in(there, gus))
        assert (foreign.status, foreign.code) == (403, "instance"), "he is not in it"
        body = await page.is_opened_in(here, gus)
        assert (await page.sends("", body | {"instance": there.id})).code == "state"
        late = await page.is_opened_in(here, gus)
        passed = timedelta(seconds=599)
        assert (await page.sends("", body)).status == 200
        passed = timedelta(seconds=602)
        assert (await page.sends("", late)).code == "state", "it is too old"
        world.state.activities.close(here)
        closed = await page.sends("", await page.is_opened_in(here, gus))
        assert (closed.status, closed.code) == (403, "instance"), "Discord knows no such frame"
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as bot:
        again = Page(bot, world, verifier=page.verifier)
        assert (await again.sends("", late)).code == "state", "another process has begun it"


async def test_what_can_not_be_read_is_refused_in_the_language_of_the_browser(
    world: Discord, bot: BigBen
) -> None:
    page = Page(bot, world, language="de-AT;q=0.9, en;q=0.8")
    for body in (b"", b"\xff{", b"[]", b'{"code": 1}', b"{" * 10_000, b'{"a":' + b"[" * 10_000):
        refused = await page.sends("", body)
        assert (refused.status, refused.code) == (400, "request")
        assert refused.body["text"].startswith("Diese Anmeldung ist nicht lesbar.")
    assert (await page.sends("", b" " * 20_000)).status == 413
    assert (await page.sends("/elsewhere", {})).status == 404
    assert (await page.asks("/token")).status == 405
    assert (await page.asks(challenge="short")).status == 400
    assert (await page.asks(instance="a/../b")).status == 400
    packed = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    async with (
        aiohttp.ClientSession(f"http://127.0.0.1:{bot.logins.port}", headers=packed) as browser,
        browser.post("/login", data=b"no gzip") as refused_too,
    ):
        assert refused_too.status == 400


async def test_only_what_a_frame_asks_can_be_read_by_pages_of_another_origin(bot: BigBen) -> None:
    """A frame's origin may be opaque. A page that asked in a terminal's name would have the
    address of its visitor.
    """
    allow = "Access-Control-Allow-Origin"
    async with aiohttp.ClientSession(f"http://127.0.0.1:{bot.logins.port}") as browser:
        for path in ("/login", "/login/instance"):
            async with browser.options(path) as may, browser.post(path) as refused:
                assert (may.status, may.headers[allow]) == (204, "*")
                assert (refused.status, refused.headers[allow]) == (400, "*")
        for path in ("/login/device", "/login/device/confirm", "/login/token"):
            async with browser.options(path) as may, browser.post(path) as refused:
                assert (may.status, refused.status) == (405, 400)
                assert allow not in may.headers.keys() | refused.headers.keys()
        # A page may post text to anybody, without asking first.
        async with browser.post("/login/device", data='{"client": "spam"}') as unasked:
            assert unasked.status == 400
        async with browser.post("/login/device", json={"client": "terminal"}) as asked:
            assert asked.status == 200


@pytest.mark.parametrize("route", [TOKEN, "GET /users/@me", INSTANCE])
async def test_discord_s_own_faults_are_a_sentence(
    world: Discord, bot: BigBen, channel: Channel, route: str
) -> None:
    ida, page = world.person("Ida"), Page(bot, world)
    frame = world.state.activities.launch(channel, ida.user)
    world.rest.faults.append(Fault(route, 500))
    refused = await page.sends("", await page.is_opened_in(frame, ida))
    assert (refused.status, refused.code) == (503, "discord")
    assert "as a guest" in refused.body["text"]
    assert (await page.sends("", await page.is_opened_in(frame, ida))).status == 200
    # Asked too often, Discord is left alone for as long as it wants.
    world.rest.faults.append(Fault(route, 429))
    assert (await page.sends("", await page.is_opened_in(frame, ida))).status == 503
    before = len(world.rest.requests)
    assert (await page.sends("", await page.is_opened_in(frame, ida))).status == 503
    assert len(world.rest.requests) == before


async def test_discord_may_be_slow_or_away(
    world: Discord, server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "PATIENCE", aiohttp.ClientTimeout(total=0.1))
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as bot:
        jo, page = world.person("Jo"), Page(bot, world)
        with world.network.holding(f"from {TOKEN}"):
            slow = await page.sends("", await page.comes_back(jo))
        assert (slow.status, slow.code) == (503, "discord")
        await world.close()
        away = await page.sends("", await page.comes_back(jo))
        assert (away.status, away.code) == (503, "discord")
        await world.open()


async def test_a_wrong_secret_is_the_operator_s_to_correct(
    world: Discord, server: ServerProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with bot_on(world, server.url, tmp_path, secret="an old one") as bot:
        page = Page(bot, world)
        refused = await page.sends("", await page.comes_back(world.person("Kim")))
    assert (refused.status, refused.code) == (502, "setup")
    assert "Discord does not let players log in: invalid_client" in caplog.text


async def test_while_the_race_server_is_away_only_a_frame_can_log_in(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    async with bot_on(world, "ws://127.0.0.1:1", tmp_path, secret=SECRET) as bot:
        lea, page = world.person("Lea"), Page(bot, world)
        away = await page.sends("", await page.comes_back(lea, lasting=True))
        assert (away.status, away.code) == (503, "server")
        assert away.body["text"].startswith("The race server can’t be reached")
        frame = world.state.activities.launch(channel, lea.user)
        assert (await page.sends("", await page.is_opened_in(frame, lea))).status == 200


async def test_the_players_of_a_frame_say_which_race_it_plays(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    mia, ned, page = world.person("Mia"), world.person("Ned"), Page(bot, world)
    frame = world.state.activities.launch(channel, mia.user)
    token = (await page.sends("", await page.is_opened_in(frame, mia))).body["token"]
    said = {"token": token, "instance": frame.id, "race": "K7QPXM-ABCDEF"}
    assert await page.sends("/instance", said) == (200, {"race": "K7QPXM-ABCDEF"})
    assert (await page.asks(instance=frame.id)).body["race"] == "K7QPXM-ABCDEF"
    stranger = (await page.logs_in(ned))["token"]
    for change, status in (
        ({"token": stranger}, 403),
        ({"token": f"{token}x"}, 401),
        ({"instance": "i-1-gc-2-3"}, 403),
        ({"race": "<b>"}, 400),
    ):
        assert (await page.sends("/instance", said | change)).status == status
    assert (await page.asks(instance=frame.id)).body["race"] == "K7QPXM-ABCDEF"


async def test_an_address_that_asks_too_often_hinders_no_other(world: Discord, bot: BigBen) -> None:
    page, other = Page(bot, world), Page(bot, world, address="203.0.113.8")
    body = await page.comes_back(world.person("Oda"), code="forged")
    while (refused := await page.sends("", body)).status == 400:
        pass
    assert (refused.status, refused.code) == (429, "often")
    await other.logs_in(world.person("Pia"))


async def test_without_the_secret_nobody_listens(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    async with bot_on(world, server.url, tmp_path) as bot:
        assert bot.logins.port == 0
