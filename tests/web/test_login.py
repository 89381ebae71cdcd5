"""A login with Discord: on the page, and in the terminal by a code that the page confirms."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.discord.standin.person import Person
from tests.terminal.typist import Typist
from tests.web.activity.aside import aside
from tests.web.axe import faults
from tests.web.chromium import Watched, person
from tests.web.front import Front, deployment
from tests.web.hands import come_in, give_up, moved

DISCORD = "https://discord.com/oauth2/authorize"


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with aside(lambda: deployment(tmp_path_factory.mktemp("deployment"))) as one:
        yield one


@contextmanager
def visitor(browser: Browser, front: Front, who: Person) -> Iterator[Watched]:
    """A browser in which this person is logged in at Discord."""

    def consent(route: Route) -> None:
        asked = dict(parse_qsl(urlsplit(route.request.url).query))
        assert asked["client_id"] == front.world.application
        assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
        where, state = asked["redirect_uri"], {"state": asked["state"]}
        code = front.world.state.logins.authorize(
            who.user, asked["code_challenge"], where, asked["scope"]
        )
        yes, no = urlencode({**state, "code": code}), urlencode({**state, "error": "access_denied"})
        body = f'<a href="{where}?{yes}">Authorise</a> <a href="{where}?{no}">Cancel</a>'
        route.fulfill(content_type="text/html", body=body)

    with person(browser, front.address, besides=DISCORD) as one:
        one.context.route(f"{DISCORD}*", consent)
        yield one


def log_in(page: Page) -> None:
    page.get_by_role("button", name="Log in with Discord").click()
    page.get_by_role("link", name="Authorise").click()


def plays_as(page: Page, name: str) -> None:
    expect(page.get_by_text(f"You play as {name}.")).to_be_visible()


def test_a_new_player_is_who_they_are_on_discord_until_they_log_out(
    browser: Browser, front: Front
) -> None:
    with visitor(browser, front, front.world.person("Dora")) as dora:
        page = dora.page()
        expect(page.get_by_text("Then you are the same player")).to_be_visible()
        log_in(page)
        plays_as(page, "Dora")
        assert page.url == f"{front.address}/"
        assert not page.evaluate("sessionStorage.length")
        page.reload()
        plays_as(page, "Dora")
        assert faults(page) == []
        page.get_by_role("button", name="Log out everywhere").click()
        expect(page.get_by_role("button", name="No", exact=True)).to_be_focused()
        page.get_by_role("button", name="Yes, everywhere").click()
        expect(page.get_by_role("alert").last).to_have_text("Dora is logged out everywhere.")
        expect(page.get_by_role("button", name="Log in with Discord")).to_be_visible()
        assert not page.evaluate("localStorage.getItem('bigben.players')")


def test_a_guest_is_tied_to_the_account_once_it_is_asked_and_can_be(
    browser: Browser, front: Front
) -> None:
    with visitor(browser, front, front.world.person("Emil")) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        moved(page, 0)
        page.goto(front.address)
        log_in(page)
        expect(page.locator(".linked dd bdi")).to_have_text(["Ada", "Emil"])
        assert faults(page) == []
        page.get_by_role("button", name="Both are me").click()
        expect(page.get_by_role("alert").last).to_contain_text("finish or resign it first")
        expect(page.get_by_role("heading", level=1)).to_have_text("Does Ada belong to Emil?")
        assert faults(page) == []
        page.get_by_role("button", name="Yes, Ada is me").click()
        expect(page.get_by_role("alert").last).to_contain_text("finish or resign it first")
        page.reload()
        page.get_by_role("button", name="Not now").click()
        plays_as(page, "Emil")
        page.get_by_role("button", name="Switch to Ada").click()
        plays_as(page, "Ada")
        page.get_by_role("button", name="Continue today’s race").click()
        give_up(page)
        page.goto(front.address)
        log_in(page)
        page.get_by_role("button", name="Both are me").click()
        expect(page.get_by_role("alert").last).to_have_text("Ada belongs to Emil now.")
        plays_as(page, "Emil")
        expect(page.get_by_role("button", name="Switch to Ada")).to_have_count(0)
        assert page.evaluate("JSON.parse(localStorage.getItem('bigben.players')).length") == 1


def test_a_login_that_was_not_begun_here_sends_nothing(browser: Browser, front: Front) -> None:
    front.logins.clear()
    with visitor(browser, front, front.world.person("Eve")) as eve:
        page = eve.page("?code=of-mallory&state=forged")
        expect(page.get_by_role("alert").last).to_contain_text("Nothing was sent")
        assert page.url == f"{front.address}/"
        assert front.logins == []
        page.get_by_role("button", name="Log in with Discord").click()
        page.get_by_role("link", name="Cancel").click()
        expect(page.get_by_role("alert").last).to_contain_text("Discord did not log you in")
        expect(page.get_by_role("button", name="Log in with Discord")).to_be_visible()
        assert front.logins == ["GET /login"]


def test_a_terminal_is_let_in_by_who_has_just_logged_in(
    browser: Browser, front: Front, tmp_path: Path
) -> None:
    with Typist("groups", "--server", front.address, "--name", "Gus", home=tmp_path) as guest:
        assert guest.ends()[0] == 0
    with (
        visitor(browser, front, front.world.person("Frida")) as frida,
        Typist("login", front.address, home=tmp_path) as terminal,
    ):
        terminal.sees(f"Open {front.address}/#device in a browser")
        page = frida.page("#device=BCDF-GHJM")
        code = page.get_by_label("The code that the other device shows")
        expect(code).to_have_value("BCDF-GHJM")
        assert faults(page) == []
        log_in(page)
        expect(page.get_by_role("alert").last).to_contain_text("No terminal waits with this code")
        code.fill(terminal.sees_like(r"[B-Z]{4}-[B-Z]{4}")[-9:].lower())
        log_in(page)
        expect(page.locator(".linked dd")).to_contain_text(["bigben-terminal/1"])
        expect(page.locator(".linked dd")).to_contain_text(["127.0.0.1"])
        expect(page.locator(".linked")).to_contain_text("they would play as you")
        assert faults(page) == []
        page.get_by_role("button", name="Allow").click()
        expect(page.get_by_text("That device plays as Frida now.")).to_be_visible()
        terminal.sees("You play as Frida now")
        terminal.sees("the guest Gus")
        terminal.type("yes")
        assert "Gus belongs to Frida now." in terminal.ends()[1]
        page.get_by_role("link", name="Big Ben").click()
        log_in(page)
        plays_as(page, "Frida")
        with Typist("logout", front.address, "--everywhere", home=tmp_path) as leaving:
            assert "Frida is logged out everywhere" in leaving.ends()[1]
        expect(page.get_by_role("alert").last).to_contain_text("You have logged out everywhere")
        page.get_by_role("button", name="Reload").click()
        expect(page.get_by_role("button", name="Log in with Discord")).to_be_visible()
        # The button is there before the server has refused the old token.
        page.wait_for_function("() => !localStorage.getItem('bigben.players')")
