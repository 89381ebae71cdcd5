"""A server that is killed in mid-game, a second tab, a link from elsewhere: the seat goes on."""

import signal
from pathlib import Path

from playwright.sync_api import Browser, Page, WebSocket, expect
from tests.support.relay import relaying
from tests.support.server_process import UNHURRIED, serving
from tests.web.chromium import person
from tests.web.hands import come_in, moved, pile, type_move
from tests.web.links import link_of


def practising(page: Page, name: str = "Ada") -> None:
    come_in(page, name)
    page.get_by_role("button", name="Practise").click()
    moved(page, 0)


def test_a_server_that_is_killed_in_mid_game_is_found_again(
    browser: Browser, tmp_path: Path
) -> None:
    with relaying() as relay:
        address = f"http://127.0.0.1:{relay.port}"
        with person(browser, address, server_goes=True) as ada:
            with serving(tmp_path, UNHURRIED) as first:
                relay.to = first.port
                page = ada.page()
                practising(page)
                type_move(page, "deal", 1)
                relay.to = 0
                first.end(signal.SIGKILL)
            expect(page.get_by_text("The connection is lost.")).to_be_visible()
            # Typed while nobody hears it, it is played when the server is back, and once.
            page.get_by_role("textbox", name="Type a move").fill("deal")
            page.keyboard.press("Enter")
            with serving(tmp_path, UNHURRIED) as second:
                relay.to = second.port
                moved(page, 2)
                expect(page.get_by_text("The connection is lost.")).to_have_count(0)
                type_move(page, "deal", 3)
                page.reload()
                moved(page, 3)
                # For its race: when it was lost, while it was away, and when it was loaded again.
                race = page.url.partition("=")[2]
                assert relay.asked[0] == "/"
                assert set(relay.asked[1:]) == {f"/?race={race}"}
                page.close()


def test_the_page_changes_over_to_where_its_room_is_served_best_and_shows_nothing_of_it(
    browser: Browser, tmp_path: Path
) -> None:
    # With another server on the same data a proxy may know a better one for each room.
    with serving(tmp_path, UNHURRIED), serving(tmp_path, UNHURRIED) as server:
        address = server.url.replace("ws:", "http:")
        with person(browser, address) as ada, person(browser, address) as bob:
            page = ada.page()
            sockets: list[WebSocket] = []
            page.on("websocket", lambda one: sockets.append(one))  # it takes no builtin
            come_in(page, "Ada")
            with page.expect_websocket(lambda one: "?race=" in one.url):
                page.get_by_role("button", name="Open a room").click()
            link = page.get_by_label("Send this link").input_value()
            first, second = sockets
            if not first.is_closed():
                first.wait_for_event("close")
            assert second.url.endswith(f"/?race={link.partition('=')[2]}")
            expect(page.get_by_text("The connection is lost.")).to_have_count(0)
            his = bob.page(f"#{link.partition('#')[2]}")
            come_in(his, "Bob")
            his.get_by_role("button", name="Join").click()
            expect(page.locator(".seats")).to_contain_text("Bob")
            for one in (page, his):
                one.get_by_role("button", name="Ready", exact=True).click()
            type_move(page, "deal", 1)
            assert len(sockets) == 2


def test_a_move_whose_answer_is_lost_is_sent_again_and_played_once(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path, UNHURRIED) as server, relaying() as relay:
        relay.to = server.port
        with person(browser, f"http://127.0.0.1:{relay.port}", server_goes=True) as ada:
            page = ada.page()
            practising(page)
            relay.mute = True
            page.get_by_role("textbox", name="Type a move").fill("deal")
            page.keyboard.press("Enter")
            assert relay.swallowed.wait(20), "the server has answered"
            moved(page, 0)
            relay.mute = False
            relay.drop()
            moved(page, 1)
            type_move(page, "deal", 2)
            expect(page.locator(".notice")).to_have_count(0)


def test_two_tabs_of_one_player_show_the_same_game(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        one = ada.page()
        practising(one)
        other = ada.page(f"#{one.url.partition('#')[2]}")
        moved(other, 0)
        pile(one, "s").click()
        moved(other, 1)
        pile(other, "s").click()
        moved(one, 2)


def test_a_link_carries_the_seat_and_leaves_the_address(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        token = link_of(ada.page())
        page = ada.page(f"#link={token}")
        expect(page.get_by_text("You play as Dora of Discord.")).to_be_visible()
        assert token not in page.url
        assert token not in page.evaluate("JSON.stringify(history.state) + location.href")
        page.reload()
        expect(page.get_by_text("You play as Dora of Discord.")).to_be_visible()


def test_a_link_that_was_used_says_so_and_what_to_do(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as thief:
        token = link_of(ada.page())
        first = ada.page(f"#link={token}")
        expect(first.get_by_text("You play as Dora of Discord.")).to_be_visible()
        late = thief.page(f"#link={token}")
        expect(late.get_by_role("alert").last).to_contain_text(
            "This link was used already, or has expired. Get a new one where you play"
        )
        come_in(late, "Thief")
        late.get_by_role("button", name="Practise").click()
        moved(late, 0)


def test_the_page_itself_makes_a_link_to_another_device(browser: Browser, address: str) -> None:
    with person(browser, address) as desk, person(browser, address) as phone:
        page = desk.page()
        practising(page)
        pile(page, "s").click()
        moved(page, 1)
        race = page.url.partition("#")[2]
        page.get_by_role("link", name="Big Ben").click()
        page.get_by_role("button", name="Continue on another device").click()
        link = page.get_by_label("Open this link there").input_value()
        there = phone.page(link.removeprefix(f"{address}/"))
        expect(there.get_by_text("You play as Ada.")).to_be_visible()
        there.goto(f"{address}/#{race}")
        moved(there, 1)


def test_a_forgotten_player_can_join_as_a_new_one(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        practising(page)
        page.get_by_role("link", name="Big Ben").click()
        page.get_by_text("Change name").click()
        page.get_by_label("Your name").fill("Ada the Great")
        page.get_by_role("button", name="Save name").click()
        expect(page.get_by_text("You play as Ada the Great.")).to_be_visible()
        page.get_by_role("button", name="Forget me here").click()
        page.get_by_role("button", name="Yes, forget").click()
        practising(page, "Somebody else")
        page.reload()
        moved(page, 0)
        expect(page.locator("header")).to_contain_text("Somebody else")
