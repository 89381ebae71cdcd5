"""A one-time link that is followed where somebody is already: it asks, and nobody is lost."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from tests.support.relay import relaying
from tests.support.server_process import UNHURRIED, serving
from tests.web.axe import faults
from tests.web.chromium import person
from tests.web.hands import come_in, moved, type_move
from tests.web.links import link_of, link_of_user, unsigned


def practising(page: Page, name: str) -> str:
    """One move into a practice game; the fragment that leads back to it."""
    come_in(page, name)
    page.get_by_role("button", name="Practise").click()
    moved(page, 0)
    type_move(page, "deal", 1)
    return page.url.partition("#")[2]


def follow(page: Page, token: str) -> None:
    """Open a link in this very tab, as by pasting it over the address."""
    page.evaluate("(token) => { location.hash = `link=${token}` }", token)


def plays_as(page: Page, name: str) -> None:
    expect(page.get_by_text(f"You play as {name}.")).to_be_visible()


def test_a_link_shows_who_is_here_and_who_would_come_and_asks(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada, person(browser, address) as dora:
        page = ada.page()
        practising(page, "Ada")
        token = link_of(page)
        follow(page, token)
        expect(page.get_by_role("heading", level=1)).to_have_text("Who do you want to play as?")
        expect(page.locator(".linked dd bdi")).to_have_text(["Ada", "Dora of Discord"])
        page.reload()
        page.get_by_role("button", name="Stay Ada").click()
        plays_as(page, "Ada")
        page.reload()
        plays_as(page, "Ada")
        # The link was not used.
        plays_as(dora.page(f"#link={token}"), "Dora of Discord")


def test_one_who_follows_a_link_can_be_again_who_they_were(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        game = practising(page, "Ada")
        follow(page, link_of(page))
        page.get_by_role("button", name="Play as Dora of Discord").click()
        plays_as(page, "Dora of Discord")
        page.reload()
        plays_as(page, "Dora of Discord")
        page.get_by_role("button", name="Switch to Ada").click()
        plays_as(page, "Ada")
        expect(page.get_by_role("button", name="Switch to Dora of Discord")).to_be_visible()
        page.goto(f"{address}/#{game}")
        moved(page, 1)
        type_move(page, "deal", 2)


def test_a_link_that_is_no_good_leaves_one_where_one_was(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as dora:
        page = ada.page()
        practising(page, "Ada")
        page.get_by_role("link", name="Big Ben").click()
        spent = link_of(page)
        plays_as(dora.page(f"#link={spent}"), "Dora of Discord")
        follow(page, spent)
        page.get_by_role("button", name="Play as Dora of Discord").click()
        expect(page.get_by_role("alert").last).to_contain_text("was used already, or has expired")
        plays_as(page, "Ada")
        follow(page, spent[: len(spent) // 2])
        expect(page.get_by_role("alert").last).to_contain_text("Part of this link is missing")
        page.get_by_role("button", name="Practise").click()
        moved(page, 0)


def test_a_link_waits_for_a_server_that_is_away_and_nobody_is_lost(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, UNHURRIED) as server, relaying() as relay:
        relay.to = server.port
        with person(browser, f"http://127.0.0.1:{relay.port}", server_goes=True) as ada:
            page = ada.page()
            practising(page, "Ada")
            token = link_of(page)
            relay.to = 0
            relay.drop()
            follow(page, token)
            page.get_by_role("button", name="Play as Dora of Discord").click()
            expect(page.get_by_text("The connection is lost.")).to_be_visible()
            page.get_by_role("button", name="Stay Ada").click()
            follow(page, token)
            relay.to = server.port
            page.get_by_role("button", name="Play as Dora of Discord").click()
            plays_as(page, "Dora of Discord")
            expect(page.get_by_role("button", name="Switch to Ada")).to_be_visible()


def test_who_comes_by_a_link_from_another_platform_may_say_that_both_are_one(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as zoe, person(browser, address) as elsewhere:
        page = zoe.page()
        follow(page, link_of_user(page, "discord:8035", "Zoë", "6501"))
        plays_as(page, "Zoë")
        other = elsewhere.page(f"#link={link_of_user(page, 'matrix:@zo:example.org', 'zo')}")
        plays_as(other, "zo")
        follow(page, link_of_user(page, "matrix:@zo:example.org", "zo", "abchall"))
        expect(page.locator(".linked dd bdi")).to_have_text(["Zoë", "zo"])
        shown = ["from Discord …8035", "from Matrix @zo"]
        expect(page.locator(".linked dd small")).to_have_text(shown)
        expect(page.get_by_text("what zo has played counts under Zoë")).to_be_visible()
        assert faults(page) == []
        page.get_by_role("button", name="Both are me").click()
        expect(page.get_by_role("alert").last).to_have_text("zo belongs to Zoë now.")
        for one in (page, other):  # which was connected, and comes back by itself
            plays_as(one, "Zoë")
            expect(one.locator(".others")).to_have_count(0)
            one.reload()
            plays_as(one, "Zoë")
            assert one.evaluate("JSON.parse(localStorage.getItem('bigben.players')).length") == 1
        # Their links from Matrix are their own now, and ask nothing.
        link = link_of_user(page, "matrix:@zo:example.org", "zo", "abchall")
        page = zoe.page(f"#link={link}")
        plays_as(page, "Zoë")
        page.goto(f"{address}/#groups")
        groups = page.get_by_role("heading", name="…")
        expect(groups).to_have_text(["Discord server …6501", "Matrix room …hall"])


def test_a_guest_may_be_one_with_the_player_of_a_link(browser: Browser, address: str) -> None:
    with person(browser, address, locale="de") as ada:
        page = ada.page()
        follow(page, link_of(page, "Ada"))
        expect(page.get_by_text("Du spielst als Ada.")).to_be_visible()
        follow(page, link_of(page))
        expect(page.get_by_role("button", name="Als Dora of Discord spielen")).to_be_visible()
        assert not page.get_by_role("button", name="Beide bin ich").count(), "two guests"
        follow(page, link_of_user(page, "matrix:@countess:example.org", "Countess"))
        expect(page.get_by_text("kann ab jetzt alles unter Countess zählen")).to_be_visible()
        page.get_by_role("button", name="Beide bin ich").click()
        expect(page.get_by_role("alert").last).to_have_text("Ada gehört jetzt zu Countess.")
        expect(page.get_by_text("Du spielst als Countess.")).to_be_visible()


HOSTILE_NAMES = {
    "<img src=x onerror=alert(1)>": "<img src=x onerror=alert(1)>",
    "a\u202egnp.exe\n\n\u200bAda": "a gnp.exe Ada",
    "X" * 900: "X" * 32,
    "e" + "\u0301" * 300: "é" + "\u0301" * 4,
    "\u2800": "?",
    "{here}": "{here}",
}


def test_a_link_that_lies_about_its_player_is_text_and_is_refused(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        practising(page, "Ada")
        for name, shown in HOSTILE_NAMES.items():
            payload = {"iss": "link", "sub": "guest:<b>1</b>", "name": name, "exp": 2**40}
            follow(page, unsigned({**payload, "jti": "1"}))
            expect(page.locator(".linked dd bdi").last).to_have_text(shown)
            assert page.evaluate("document.documentElement.scrollWidth") <= 480
            assert not page.locator("main img, main b").count()
            page.get_by_role("button", name="Play as").click()
            expect(page.get_by_role("alert").last).to_contain_text(
                "was used already, or has expired"
            )
            plays_as(page, "Ada")


def test_a_link_that_is_no_token_is_told_from_one(browser: Browser, address: str) -> None:
    good = {"iss": "link", "sub": "guest:1", "name": "Eve"}
    tokens = [
        "%00",
        "..",
        "<script>",
        unsigned([]),
        unsigned(None),
        unsigned({**good, "name": 7}),
        unsigned({**good, "name": {"toString": 1}}),
        unsigned({**good, "sub": "nobody"}),
        unsigned({**good, "sub": "guest:\u202e"}),
        unsigned({**good, "more": "x" * 4000}),
    ]
    with person(browser, address) as ada:
        page = ada.page()
        practising(page, "Ada")
        for token in tokens:
            follow(page, token)
            expect(page.get_by_role("alert").last).to_contain_text("Part of this link is missing")
            page.get_by_role("button", name="Practise").click()
            moved(page, 0)


def test_a_link_is_in_no_address_and_in_no_request(browser: Browser, address: str) -> None:
    asked: list[str] = []
    with person(browser, address) as ada:
        ada.context.on("request", lambda request: asked.append(request.url))
        page = ada.page()
        practising(page, "Ada")
        token = link_of(page)
        page.goto(f"{address}/#link={token}")
        page.reload()
        page.get_by_role("button", name="Play as Dora of Discord").click()
        plays_as(page, "Dora of Discord")
        page.go_back()
        assert token not in page.url
        assert not [url for url in asked if token in url]
        kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, history.state])")
        assert token not in kept


def test_a_used_link_is_forgotten_before_anything_else_is_answered(
    browser: Browser, address: str
) -> None:
    def without_standings(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(
            lambda sent: None if '"get-standings"' in str(sent) else server.send(sent)
        )

    with person(browser, address) as ada:
        page = ada.page()
        practising(page, "Ada")
        token = link_of(page)
        page.route_web_socket("**", without_standings)
        page.reload()
        moved(page, 1)
        follow(page, token)
        page.get_by_role("button", name="Play as Dora of Discord").click()
        plays_as(page, "Dora of Discord")
        assert token not in page.evaluate("JSON.stringify(sessionStorage)")


def test_a_tab_stays_who_it_is_when_another_one_follows_a_link(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, UNHURRIED) as server, relaying() as relay:
        relay.to = server.port
        with person(browser, f"http://127.0.0.1:{relay.port}", server_goes=True) as ada:
            first = ada.page()
            practising(first, "Ada")
            second = ada.page(f"#link={link_of(first)}")
            second.get_by_role("button", name="Play as Dora of Discord").click()
            plays_as(second, "Dora of Discord")
            relay.drop()
            type_move(first, "deal", 2)
            expect(first.locator("header")).to_contain_text("Ada")
            second.reload()
            plays_as(second, "Dora of Discord")
