"""The page in Discord's frame: who plays there, with whom, and what it does if Discord says no."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Frame, Playwright, expect
from tests.support.server_process import UNHURRIED, serving
from tests.web.activity.aside import aside
from tests.web.activity.browsing import chromium, frame_in
from tests.web.activity.hosts import Hosts, Place, hosts_on_loopback
from tests.web.activity.partner import FOCUSED, PIP, Instance, Partner
from tests.web.activity.signing_in import APP, GUILD, KEY, SigningIn, signing_in_on_loopback, user
from tests.web.chromium import PATIENCE_MS

ADA: Final = user(11, "Ada")
BOB: Final = user(12, "Bob")
SERVED: Final = {**UNHURRIED, "BIGBEN_DISCORD_APP": APP, "BIGBEN_ISSUER_DISCORD_KEY": KEY}
DEADLINE_MS: Final = 11_000
"""More than the page waits for an answer of Discord's."""


@dataclass
class Discord:
    """Discord, the operator's server behind it, and a browser for both."""

    hosts: Hosts
    service: SigningIn
    browser: Browser

    @contextmanager
    def shows(self, place: Place, **options: Any) -> Iterator[Frame]:  # Any: of new_context
        """The page in its frame; nothing may go wrong there."""
        usual = {"viewport": {"width": 1280, "height": 720}, "reduced_motion": "reduce"}
        with self.browser.new_context(**{**usual, **options}) as context:
            context.set_default_timeout(PATIENCE_MS)
            wrong: list[str] = []
            context.on("weberror", lambda error: wrong.append(str(error.error)))
            page = context.new_page()
            page.goto(place.address)
            yield frame_in(page)
            assert wrong == []


@pytest.fixture(scope="module")
def discord(tmp_path_factory: pytest.TempPathFactory, playwright: Playwright) -> Iterator[Discord]:
    with serving(tmp_path_factory.mktemp("server"), SERVED) as server:
        service = SigningIn()
        service.knows(ADA, BOB)

        @asynccontextmanager
        async def hosts() -> AsyncIterator[Hosts]:
            async with signing_in_on_loopback(service):
                address = server.url.replace("ws:", "http:").rstrip("/")
                made = Hosts(APP, service.login, address, service.address)
                async with hosts_on_loopback(made, tmp_path_factory.mktemp("tls")) as one:
                    yield one

        with aside(hosts) as one, chromium(playwright, one.port) as browser:
            yield Discord(one, service, browser)


def said(partner: Partner) -> list[str]:
    """What the page has asked of Discord, in its order."""
    commands = [
        f"{payload.get('cmd', 'HANDSHAKE')} {payload.get('evt', '')}".strip()
        for _, payload in partner.heard
    ]
    return commands


def test_friends_in_one_call_meet_in_a_room_by_one_tap(discord: Discord) -> None:
    instance = Instance("i-meet", APP)
    hers = discord.hosts.opens(instance, ADA, guild_id=f"{GUILD}")
    his = discord.hosts.opens(instance, BOB, guild_id=f"{GUILD}", locale="de")
    across = {"width": 844, "height": 390}
    with discord.shows(hers) as ada, discord.shows(his, viewport=across) as bob:
        expect(ada.get_by_role("list", name="Here with you")).to_contain_text("Bob")
        expect(ada.locator(".me .name")).to_have_text("Ada")
        assert said(hers.partner)[:3] == ["HANDSHAKE", "AUTHORIZE", "AUTHENTICATE"]
        expect(bob.get_by_role("list", name="Mit dir hier")).to_contain_text("Ada")
        ada.get_by_role("button", name="Open a room for all who are here").click()
        expect(ada.get_by_text("Also here, without a seat yet: Bob.")).to_be_visible()
        (race,) = {discord.service.races[instance.id]}
        bob.get_by_role("button", name="Zum Raum von Ada").click()
        expect(bob.locator(".seat .name")).to_have_text(["Ada", "Bob"])
        expect(ada.get_by_text("Also here")).to_be_hidden()
        bob.get_by_role("button", name="Link teilen").click()
        his.partner.until(lambda: his.partner.commands("SHARE_LINK"))
        (shared,) = his.partner.commands("SHARE_LINK")
        assert shared["custom_id"] == race
        ada.evaluate("location.reload()")  # the frame keeps its parameters
        for one, ready in ((ada, "Ready"), (bob, "Bereit")):
            one.get_by_role("button", name=ready, exact=True).click()
        for one in (ada, bob):
            fits(one, ".controls .deal")
        assert [hers.partner.wrong, his.partner.wrong] == [[], []]


def test_a_tile_shows_the_clock_and_the_rings_and_gives_all_back(discord: Discord) -> None:
    place = discord.hosts.opens(Instance("i-tile", APP), ADA)
    with discord.shows(place) as frame:
        frame.get_by_role("button", name="Play today’s race").click()
        frame.locator(".controls .deal").click()
        expect(frame.locator("svg.board")).to_have_attribute("data-n", "1")
        place.partner.subscribes("ACTIVITY_LAYOUT_MODE_UPDATE")
        page = frame.page
        page.set_viewport_size({"width": 280, "height": 160})
        place.partner.shows(PIP)
        expect(frame.locator(".tile .rings text")).to_have_text(re.compile(r"\d+:\d\d"))
        expect(frame.locator(".tile .last .card")).to_be_visible()
        assert frame.locator("button, a, svg.board").count() == 0
        fits(frame, ".tile")
        page.set_viewport_size({"width": 1280, "height": 720})
        place.partner.shows(FOCUSED)
        expect(frame.locator("svg.board")).to_have_attribute("data-n", "1")
        frame.get_by_role("button", name="Invite").click()
        place.partner.until(lambda: place.partner.commands("SHARE_LINK"))
        (shared,) = place.partner.commands("SHARE_LINK")
        assert shared["custom_id"].startswith("daily.")
        assert place.partner.wrong == []


def fits(frame: Frame, part: str) -> None:
    """All of this is to be seen, and nothing is wider than the frame."""
    expect(frame.locator(part)).to_be_in_viewport(ratio=1)
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_who_is_not_told_who_plays_goes_on_as_a_guest_and_may_try_again(discord: Discord) -> None:
    place = discord.hosts.opens(Instance("i-denied", APP), ADA)
    place.partner.consents = False
    with discord.shows(place, viewport={"width": 390, "height": 700}) as frame:
        expect(frame.get_by_role("alert")).to_contain_text("Discord did not tell who you are")
        frame.get_by_role("button", name="Play today’s race").click()
        fits(frame, ".controls .deal")
        frame.evaluate("history.back()")
        place.partner.consents = True
        frame.get_by_role("button", name="Log in with Discord").click()
        expect(frame.locator(".me .name")).to_have_text("Ada")
        expect(frame.get_by_role("alert")).to_be_hidden()


def test_a_discord_that_does_not_answer_is_waited_for_only_so_long(discord: Discord) -> None:
    place = discord.hosts.opens(Instance("i-silent", APP), ADA)
    place.partner.silent = True
    with discord.browser.new_context() as context:
        page = context.new_page()
        page.clock.install()
        page.goto(place.address)
        frame = frame_in(page)
        place.partner.until(lambda: place.partner.heard)
        expect(frame.get_by_role("button", name="Play as a guest")).to_be_visible()
        page.clock.fast_forward(DEADLINE_MS)
        expect(frame.get_by_role("alert")).to_contain_text("Discord does not answer.")
        frame.get_by_role("button", name="Log in with Discord").click()
        frame.get_by_role("button", name="Play as a guest").click()
        expect(frame.get_by_role("button", name="Play today’s race")).to_be_visible()
        assert said(place.partner) == ["HANDSHAKE"], "Discord takes only one"


def test_without_the_login_service_guests_play(discord: Discord) -> None:
    place = discord.hosts.opens(Instance("i-away", APP), ADA)
    with discord.browser.new_context() as context:
        context.route("**/login*", lambda route: route.fulfill(status=502, body="Bad Gateway"))
        page = context.new_page()
        page.goto(place.address)
        alert = frame_in(page).get_by_role("alert")
        expect(alert).to_contain_text("This server has no login with Discord.")


def test_only_discord_is_listened_to_and_only_if_it_makes_sense(discord: Discord) -> None:
    instance = Instance("i-foreign", APP)
    discord.service.races[instance.id] = "K7QPXM"
    place = discord.hosts.opens(instance, ADA)
    with discord.shows(place) as frame:
        place.partner.subscribes("ACTIVITY_LAYOUT_MODE_UPDATE")
        expect(frame.get_by_text("No room has this code")).to_be_visible()  # that of the instance
        frame.evaluate(
            """(tile) => {
              const hear = (origin, data) =>
                dispatchEvent(new MessageEvent("message", { origin, data }));
              for (const origin of ["https://discord.com.example", "null", ""]) hear(origin, tile);
              for (const data of [null, 7, [], [1], [1, null], [9, {}], [1, { nonce: "?" }]])
                hear("https://discord.com", data);
            }""",
            [
                1,
                {
                    "cmd": "DISPATCH",
                    "evt": "ACTIVITY_LAYOUT_MODE_UPDATE",
                    "data": {"layout_mode": 1},
                },
            ],
        )
        expect(frame.locator(".tile")).to_be_hidden()
        expect(frame.locator(".me .name")).to_have_text("Ada")


def test_a_shared_link_leads_to_its_race_also_as_a_guest(discord: Discord) -> None:
    place = discord.hosts.opens(Instance("i-link", APP), BOB, custom_id="K7QPXM")
    with discord.shows(place, viewport={"width": 844, "height": 390}) as frame:
        expect(frame.get_by_text("No room has this code")).to_be_visible()
        assert frame.evaluate("location.hash") == "#room=K7QPXM"
