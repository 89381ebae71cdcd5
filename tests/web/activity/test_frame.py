"""The page in Discord's frame: who plays there, with whom, and what it does if Discord says no."""

import re

import pytest
from playwright.sync_api import Browser, Frame, expect
from tests.discord.standin.person import Person
from tests.web.activity.browsing import DISCORD, frame_in, reload, shown
from tests.web.activity.evening import PAGE, Evening
from tests.web.activity.hosts import Place
from tests.web.activity.partner import FOCUSED, PIP, Partner
from tests.web.hands import moved, play_greedily, see_result

DEADLINE_MS = 11_000
"""More than the page waits for an answer of Discord's."""
LAPTOP, UPRIGHT, ACROSS = (1280, 720), (390, 700), (844, 390)


def said(partner: Partner) -> list[str]:
    """What the page has asked of Discord, in its order."""
    commands = [
        f"{payload.get('cmd', 'HANDSHAKE')} {payload.get('evt', '')}".strip()
        for _, payload in partner.heard
    ]
    return commands


def fits(frame: Frame, part: str) -> None:
    """All of this is to be seen, and nothing is wider than the frame."""
    expect(frame.locator(part)).to_be_in_viewport(ratio=1)
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")


def place_of(
    evening: Evening, person: Person, *, platform: str = "desktop", link: str = ""
) -> Place:
    """Where this person has opened the activity, alone."""
    instance = evening.launched(person)
    return evening.hosts.opens(instance, person.user, platform=platform, link=link)


def test_friends_in_one_call_meet_in_a_room_by_one_tap(evening: Evening, browser: Browser) -> None:
    people = evening.person("Ada"), evening.person("Bob", locale="de")
    instance = evening.launched(*people)
    hers, his = (evening.hosts.opens(instance, one.user) for one in people)
    with (
        shown(browser, evening, hers, size=LAPTOP) as ada,
        shown(browser, evening, his, size=ACROSS) as bob,
    ):
        expect(ada.get_by_role("list", name="Here with you")).to_contain_text("Bob")
        expect(ada.locator(".me .name")).to_have_text("Ada")
        assert said(hers.partner)[:3] == ["HANDSHAKE", "AUTHORIZE", "AUTHENTICATE"]
        expect(bob.get_by_role("list", name="Mit dir hier")).to_contain_text("Ada")
        ada.get_by_role("button", name="Open a room for all who are here").click()
        expect(ada.get_by_text("Also here, without a seat yet: Bob.")).to_be_visible()
        bob.get_by_role("button", name="Zum Raum von Ada").click()
        expect(bob.locator(".seat .name")).to_have_text(["Ada", "Bob"])
        expect(ada.get_by_text("Also here")).to_be_hidden()
        bob.get_by_role("button", name="Link teilen").click()
        his.partner.until(lambda: his.partner.commands("SHARE_LINK"))
        (shared,) = his.partner.commands("SHARE_LINK")
        assert bob.evaluate("location.hash") == f"#room={shared['custom_id']}"
        his.partner.shows(PIP)
        expect(bob.locator(".tile .rings text")).to_have_text("0 von 2")
        his.partner.shows(FOCUSED)
        for one, ready in ((ada, "Ready"), (bob, "Bereit")):
            one.get_by_role("button", name=ready, exact=True).click()
        for one in (ada, bob):
            fits(one, ".controls .deal")
        assert sorted(said(hers.partner)[3:]) == [
            "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS",
            "SET_ORIENTATION_LOCK_STATE",
            "SUBSCRIBE ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE",
            "SUBSCRIBE ACTIVITY_LAYOUT_MODE_UPDATE",
            "USER_SETTINGS_GET_LOCALE",
        ]


def test_a_tile_shows_the_clock_and_the_rings_and_gives_all_back(
    evening: Evening, browser: Browser
) -> None:
    place = place_of(evening, evening.person("Ada"))
    with shown(browser, evening, place, size=LAPTOP) as frame:
        frame.get_by_role("button", name="Play today’s race").click()
        frame.locator(".controls .deal").click()
        expect(frame.locator("svg.board")).to_have_attribute("data-n", "1")
        place.partner.subscribes("ACTIVITY_LAYOUT_MODE_UPDATE")
        page = frame.page
        for width, height in (LAPTOP, UPRIGHT, ACROSS):
            page.set_viewport_size({"width": width, "height": height})
            frame.locator(".brand").click()  # no browser has a way back here
            frame.get_by_role("button", name="Continue today’s race").click()
            expect(frame.locator("svg.board")).to_have_attribute("data-n", "1")
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
        frame.evaluate("parent.postMessage('nonsense', '*')")  # after which Discord ends all talk
        frame.get_by_role("button", name="Invite").click()
        expect(frame.locator(".toasts")).to_contain_text("Discord did not share it.")
        frame.locator(".controls .deal").click()
        expect(frame.locator("svg.board")).to_have_attribute("data-n", "2")
        place.partner.wrong.clear()


def test_who_is_not_told_who_plays_goes_on_as_a_guest_and_may_try_again(
    evening: Evening, browser: Browser
) -> None:
    place = place_of(evening, evening.person("Ada"))
    place.partner.consents = False
    with shown(browser, evening, place, size=UPRIGHT) as frame:
        expect(frame.get_by_role("alert")).to_contain_text("Discord did not tell who you are")
        frame.get_by_role("button", name="Play today’s race").click()
        fits(frame, ".controls .deal")
        frame.evaluate("history.back()")
        place.partner.consents = True
        frame.get_by_role("button", name="Log in with Discord").click()
        expect(frame.locator(".me .name")).to_have_text("Ada")
        expect(frame.get_by_role("alert")).to_be_hidden()


_EARLIER = """
() => {
  const token = `e30.${btoa(JSON.stringify({ sub: "discord:1", name: "Eve" }))}.e30`;
  const kept = JSON.parse(localStorage.getItem("bigben.players"));
  localStorage.setItem("bigben.players", JSON.stringify([...kept, token]));
}
"""
"""Another account of Discord's has played in this browser before."""


def test_nobody_plays_as_the_account_that_was_here_before(
    evening: Evening, browser: Browser
) -> None:
    place = place_of(evening, evening.person("Ada"))
    with shown(browser, evening, place) as frame:
        expect(frame.locator(".me .name")).to_have_text("Ada")
        frame.evaluate(_EARLIER)
        reload(frame)
        expect(frame.get_by_text(re.compile("You play as .*Ada"))).to_be_visible()
        assert frame.locator(".others").count() == 0
        assert frame.evaluate("JSON.parse(localStorage.getItem('bigben.players')).length") == 1
        assert frame.get_by_role("button", name="Forget me here").count() == 0


def test_a_discord_that_does_not_answer_is_waited_for_only_so_long(
    evening: Evening, browser: Browser
) -> None:
    place = place_of(evening, evening.person("Ada"))
    place.partner.silent = True
    with browser.new_context() as context:
        page = context.new_page()
        page.clock.install()
        page.goto(f"{DISCORD}/{place.path}")
        frame = frame_in(page)
        place.partner.until(lambda: place.partner.heard)
        expect(frame.get_by_role("button", name="Play as a guest")).to_be_visible()
        page.clock.fast_forward(DEADLINE_MS)
        expect(frame.get_by_role("alert")).to_contain_text("Discord does not answer.")
        frame.get_by_role("button", name="Log in with Discord").click()
        frame.get_by_role("button", name="Play as a guest").click()
        expect(frame.get_by_role("button", name="Play today’s race")).to_be_visible()
        frame.get_by_role("button", name="Log in with Discord").click()
        place.partner.closes(4003, "Token revoked.")
        ended = "Discord has ended the connection, so you play as a guest. Token revoked."
        expect(frame.get_by_role("alert")).to_have_text(ended)
        assert said(place.partner) == ["HANDSHAKE"], "Discord takes only one"


def test_without_the_login_service_guests_play(evening: Evening, browser: Browser) -> None:
    place = place_of(evening, evening.person("Ada"))
    with browser.new_context() as context:
        context.route("**/login*", lambda route: route.fulfill(status=502, body="Bad Gateway"))
        page = context.new_page()
        page.goto(f"{DISCORD}/{place.path}")
        alert = frame_in(page).get_by_role("alert")
        expect(alert).to_contain_text("The login can’t be reached.")


def test_only_discord_is_listened_to_and_only_if_it_makes_sense(
    evening: Evening, browser: Browser
) -> None:
    place = place_of(evening, evening.person("Ada"))
    tile = {"evt": "ACTIVITY_LAYOUT_MODE_UPDATE", "data": {"layout_mode": PIP}}
    with shown(browser, evening, place) as frame:
        place.partner.subscribes("ACTIVITY_LAYOUT_MODE_UPDATE")
        frame.evaluate(
            """(tile) => {
              const hear = (origin, data) =>
                dispatchEvent(new MessageEvent("message", { origin, data }));
              for (const origin of ["https://discord.com.example", "null", ""]) hear(origin, tile);
              for (const data of [null, 7, [], [1], [1, null], [9, {}], [1, { nonce: "?" }]])
                hear("https://discord.com", data);
            }""",
            [1, {"cmd": "DISPATCH", **tile}],
        )
        expect(frame.locator(".me .name")).to_have_text("Ada")
        expect(frame.locator(".tile")).to_be_hidden()


def test_a_shared_link_leads_to_its_race_also_as_a_guest(
    evening: Evening, browser: Browser
) -> None:
    place = place_of(evening, evening.person("Bob"), link="K7QPXM")
    place.partner.consents = False
    with shown(browser, evening, place) as frame:
        expect(frame.get_by_role("heading", name="You are invited to a race.")).to_be_visible()
        assert frame.evaluate("location.hash") == "#room=K7QPXM"


_CUT = """
() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const cut = [...document.querySelectorAll("button, a, input, summary")].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    const whole = one.scrollWidth <= one.clientWidth + 1 && left > -1 && right < clientWidth + 1;
    return one.checkVisibility() && !whole;
  });
  const wide = scrollWidth > clientWidth ? ["the page"] : [];
  return [...cut.map((one) => one.outerHTML.slice(0, 120)), ...wide];
}
"""
"""What is cut: buttons, and the page itself if it is wider than its frame."""


@pytest.mark.parametrize("size", [UPRIGHT, ACROSS])
def test_nothing_is_cut_in_a_small_frame(
    evening: Evening, browser: Browser, size: tuple[int, int]
) -> None:
    place = place_of(evening, evening.person("Ada"), platform="mobile")
    with shown(browser, evening, place, size=size) as frame:
        frame.get_by_role("button", name="Practise").click()
        moved(frame, 0)
        assert frame.evaluate(_CUT) == []
        assert frame.evaluate("document.documentElement.scrollHeight") == size[1]
        play_greedily(frame, 1)
        assert frame.evaluate(_CUT) == []
        see_result(frame)
        assert frame.evaluate(_CUT) == []
        frame.get_by_role("link", name="Replay").click()
        expect(frame.get_by_role("heading", name="Practice · replay")).to_be_visible()
        assert frame.evaluate(_CUT) == []
        frame.get_by_role("link", name="See the result").click()
        expect(frame.get_by_role("link", name="Replay")).to_be_visible()


def test_a_link_to_elsewhere_is_opened_by_discord(evening: Evening, browser: Browser) -> None:
    place = place_of(evening, evening.person("Ada"))
    with shown(browser, evening, place) as frame:
        expect(frame.locator(".me .name")).to_have_text("Ada")
        frame.evaluate(
            """(url) => {
              const link = Object.assign(document.createElement("a"), { href: url });
              document.body.append(link);
              link.click();
            }""",
            f"{PAGE}/#help",
        )
        place.partner.until(lambda: place.partner.commands("OPEN_EXTERNAL_LINK"))
        assert place.partner.commands("OPEN_EXTERNAL_LINK") == [{"url": f"{PAGE}/#help"}]
