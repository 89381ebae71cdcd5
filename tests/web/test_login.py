"""A login with Discord: from the start page, and for another device that shows a code."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.discord.running import KEY
from tests.support.front import fronting
from tests.support.login_standin import APP, LoginStandIn, logging_in
from tests.support.server_process import UNHURRIED, serving
from tests.terminal.typist import Typist
from tests.web.axe import faults
from tests.web.chromium import Watched, person
from tests.web.hands import come_in, moved

DISCORD = "https://discord.com/oauth2/authorize"
CONSENT = '<p>Who are you?</p><a href="{yes}">Authorise</a> <a href="{no}">Cancel</a>'


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, LoginStandIn]]:
    settings = {**UNHURRIED, "BIGBEN_ISSUER_DISCORD_KEY": KEY, "BIGBEN_DISCORD_APP": APP}
    with (
        serving(tmp_path_factory.mktemp("server"), settings) as server,
        logging_in(server.url, KEY) as login,
        fronting(server.url.replace("ws:", "http:"), login.address) as front,
    ):
        yield front.address, login


@contextmanager
def visitor(browser: Browser, address: str, code: str = "77-Dora") -> Iterator[Watched]:
    """Somebody whose browser is logged in at Discord."""

    def consent(route: Route) -> None:
        asked = dict(parse_qsl(urlsplit(route.request.url).query))
        assert asked["client_id"] == APP
        assert asked["scope"] == "identify"
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert asked["redirect_uri"] == f"{address}/"
        back = f"{address}/?state={asked['state']}"
        body = CONSENT.format(yes=f"{back}&code={code}", no=f"{back}&error=access_denied")
        route.fulfill(content_type="text/html", body=body)

    with person(browser, address, besides=DISCORD) as one:
        one.context.route(f"{DISCORD}*", consent)
        yield one


def log_in(page: Page) -> None:
    page.get_by_role("button", name="Log in with Discord").click()
    page.get_by_role("link", name="Authorise").click()


def plays_as(page: Page, name: str) -> None:
    expect(page.get_by_text(f"You play as {name}.")).to_be_visible()


def test_a_new_player_is_who_they_are_on_discord(
    browser: Browser, place: tuple[str, LoginStandIn]
) -> None:
    address, _ = place
    with visitor(browser, address) as dora:
        page = dora.page()
        expect(page.get_by_text("Then you are the same player")).to_be_visible()
        log_in(page)
        plays_as(page, "Dora")
        assert page.url == f"{address}/"
        assert not page.evaluate("sessionStorage.length")
        page.reload()
        plays_as(page, "Dora")
        assert faults(page) == []


def test_a_guest_is_asked_before_the_account_replaces_them(
    browser: Browser, place: tuple[str, LoginStandIn]
) -> None:
    address, _ = place
    with visitor(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)
        page.goto(address)
        log_in(page)
        expect(page.locator(".linked dd bdi")).to_have_text(["Ada", "Dora"])
        page.get_by_role("button", name="Play as Dora").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Does Ada belong to Dora?")
        assert faults(page) == []
        page.reload()
        page.get_by_role("button", name="Not now").click()
        plays_as(page, "Dora")
        expect(page.get_by_role("button", name="Switch to Ada")).to_be_visible()


def test_a_login_that_was_not_begun_here_sends_nothing(
    browser: Browser, place: tuple[str, LoginStandIn]
) -> None:
    address, login = place
    before = len(login.asked)
    with visitor(browser, address) as eve:
        page = eve.page("?code=1-Mallory&state=forged")
        expect(page.get_by_role("alert").last).to_contain_text("Nothing was sent")
        assert page.url == f"{address}/"
        page.get_by_role("button", name="Log in with Discord").click()
        page.get_by_role("link", name="Cancel").click()
        expect(page.get_by_role("alert").last).to_contain_text("Discord did not log you in")
        expect(page.get_by_role("button", name="Log in with Discord")).to_be_visible()
    assert len(login.asked) == before


def test_a_terminal_is_let_in_by_who_has_just_logged_in(
    browser: Browser, place: tuple[str, LoginStandIn], tmp_path: Path
) -> None:
    address, _ = place
    with visitor(browser, address) as dora:
        page = dora.page("#device=BCDF-GHJM")
        code = page.get_by_label("The code that the other device shows")
        expect(code).to_have_value("BCDF-GHJM")
        assert faults(page) == []
        log_in(page)
        expect(page.get_by_role("alert").last).to_contain_text("No device waits")
        for answer in ("Refuse", "Allow"):
            with Typist("login", address, home=tmp_path) as terminal:
                terminal.sees(f"Open {address}/#device in a browser")
                page.goto(f"{address}/#device")
                page.reload()
                code.fill(terminal.sees_like(r"[B-Z]{4}-[B-Z]{4}")[-9:].lower())
                log_in(page)
                expect(page.locator(".linked")).to_contain_text("bigben-terminal/1")
                expect(page.locator(".linked")).to_contain_text("they would play as you")
                assert faults(page) == []
                page.get_by_role("button", name=answer).click()
                if answer == "Refuse":
                    expect(page.get_by_text("That device was refused.")).to_be_visible()
                    assert "refused on the page" in terminal.ends()[1]
                else:
                    expect(page.get_by_text("That device plays as Dora now.")).to_be_visible()
                    assert "You play as Dora now" in terminal.ends()[1]
