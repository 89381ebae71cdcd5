"""The news of a season arrive at an organiser's own address, whoever dies, and nowhere else."""

import hmac
import json
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

import pytest
from aiohttp import web
from tests.server.guests import running
from tests.server.seasons.clubs import CLOSES, HOUR, OPENS, club
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import ChangeSeason, Refused, Season, SetWebhook, Webhook
from bigben_protocol.seasons import VoidWeek
from bigben_server.leaderboards import webhooks
from bigben_server.leaderboards.webhooks import GIVEN_UP_MS, SETTLED_MS, Webhooks, is_public
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client


@pytest.fixture(autouse=True)
def _only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The application itself looks for news once, when nobody has a webhook."""
    monkeypatch.setattr(webhooks, "LOOK_S", 3_600.0)


class Receiver:
    """Takes what is sent, and answers with ``status``."""

    def __init__(self) -> None:
        self.status, self.url, self.secret = 200, "", ""
        self.heard: list[dict[str, Any]] = []

    async def take(self, request: web.Request) -> web.Response:
        body = await request.read()
        at, signed = request.headers["BigBen-Signature"].split(",")
        wanted = hmac.new(self.secret.encode(), at[2:].encode() + b"." + body, sha256).hexdigest()
        assert signed == f"v1={wanted}"
        told = json.loads(body)
        assert told["id"] == request.headers["BigBen-Event"]
        self.heard.append(told)
        away = {"Location": f"{self.url}/elsewhere"} if self.status == 307 else {}
        return web.Response(status=self.status, headers=away)

    def news(self) -> list[str]:
        return [f"{one['event']} {one['id'].split('.')[2]}" for one in self.heard]


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    receiver, app = Receiver(), web.Application()
    app.router.add_post("/hook", receiver.take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield receiver
    await runner.cleanup()


def sending(app: App) -> Webhooks:
    """As in a process whose operator allows any address."""
    return Webhooks(app.seasons, app.seasons.clock, "any")


async def test_each_news_arrives_once_in_order_also_after_failures(
    client: Client, receiver: Receiver
) -> None:
    clock = Clock(NOON)
    async with running(client, clock, webhooks="any") as app:
        ann, _, _, season = await club(app)
        asked = SetWebhook(season.season, f"{receiver.url}/hook")
        receiver.secret = (await ann.ask(asked, Webhook)).secret
        assert len(receiver.secret) == 64
        clock.now = OPENS
        await app.weeks.look()
        await sending(app).look()
        assert receiver.news() == ["opened 1"]
        receiver.status, clock.now = 500, CLOSES + SETTLED_MS
        await sending(app).look()
        assert receiver.news() == ["opened 1", "closed 1"]
        receiver.status = 200
        await sending(app).look()
        assert receiver.news() == ["opened 1", "closed 1"], "it waits before it tries again"
        clock.now += 10 * 60_000
        await sending(app).look()  # another process, which knows what is stored
        assert receiver.news() == ["opened 1", "closed 1", "closed 1", "table 1"]
        clock.now += HOUR
        await sending(app).look()
        assert len(receiver.heard) == 4
        shown = json.dumps(receiver.heard)
        assert (await app.seasons.stored.season(season.season)).made.secret not in shown


async def test_redirects_are_not_followed_and_what_fails_for_days_is_switched_off(
    client: Client, receiver: Receiver
) -> None:
    clock = Clock(NOON)
    async with running(client, clock, webhooks="any") as app:
        ann, _, _, season = await club(app)
        asked = SetWebhook(season.season, f"{receiver.url}/hook")
        receiver.secret = (await ann.ask(asked, Webhook)).secret
        receiver.status, clock.now = 307, OPENS
        await app.weeks.look()
        for _ in range(3):
            await sending(app).look()
            clock.now += GIVEN_UP_MS
        assert receiver.news() == ["opened 1"] * 2
        receiver.status = 200
        receiver.secret = (await ann.ask(asked, Webhook)).secret
        await ann.ask(ChangeSeason(season.season, VoidWeek(1, "Snow.")), Season)
        clock.now += HOUR
        await sending(app).look()
        assert receiver.news() == ["opened 1"] * 2, "nothing of before is sent to a new address"


@pytest.mark.parametrize(
    ("allowed", "url", "why"),
    [
        ("off", "https://example.org/", "season.no_webhooks"),
        ("public", "http://example.org/", "season.bad_webhook"),
        ("public", "https://user@example.org/", "season.bad_webhook"),
        ("public", "https://[::1/", "season.bad_webhook"),
        ("public", "https://10.0.0.1/", "season.private_webhook"),
        ("public", "https://[::ffff:127.0.0.1]/", "season.private_webhook"),
        ("any", "gopher://example.org/", "season.bad_webhook"),
    ],
)
async def test_an_address_to_which_nothing_may_be_sent_is_refused(
    client: Client, allowed: Any, url: str, why: str
) -> None:
    async with running(client, Clock(NOON), webhooks=allowed) as app:
        ann, _, _, season = await club(app)
        assert (await ann.ask(SetWebhook(season.season, url), Refused)).id == why
        assert (await ann.ask(SetWebhook(season.season), Webhook)).secret == ""


async def test_a_name_that_is_none_holds_up_no_other_season(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock, webhooks="any") as app:
        ann, _, _, season = await club(app)
        await ann.ask(SetWebhook(season.season, "https://a..b/"), Webhook)
        clock.now = OPENS
        await app.weeks.look()
        await sending(app).look()
        failed = await sending(app).hooks.read(season.season)
        assert failed
        assert failed.tries == 1
        assert await sending(app).hooks.due(clock.now) == []


async def test_a_name_that_turns_out_to_be_private_gets_nothing(
    client: Client, receiver: Receiver
) -> None:
    """What counts is the address that is connected to, whatever the name stood for before."""
    clock = Clock(NOON)
    async with running(client, clock, webhooks="any") as app:
        ann, _, _, season = await club(app)
        named = receiver.url.replace("127.0.0.1", "localhost")
        await ann.ask(SetWebhook(season.season, f"{named}/hook"), Webhook)
        public = Webhooks(app.seasons, clock, "public")
        for url in (f"{named}/hook", f"{receiver.url}/hook"):
            with pytest.raises(OSError, match=r"ClientConnectorError"):
                await public.post(url, {}, b"")
        assert receiver.heard == []


def test_addresses_of_private_networks_and_of_many_machines_are_not_public() -> None:
    private = (
        "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 "
        "::1 :: fe80::1%eth0 fc00::1 ff02::1 ::ffff:192.168.1.1 64:ff9b::a00:1 2002:a00:1:: "
        "2001:0:a00:1:: ::a00:1 fec0::1"
    )
    assert not any(map(is_public, private.split()))
    assert all(map(is_public, ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946")))
