"""A race inside Discord, from its message to its end, with all real parts."""

import json
from pathlib import Path
from signal import SIGKILL

from playwright.sync_api import Browser, Frame, expect
from tests.discord.standin.logins import SECRET
from tests.discord.standin.messages import Message
from tests.discord.standin.person import Person
from tests.web.activity.browsing import DISCORD, reload, shown
from tests.web.activity.evening import Evening
from tests.web.activity.hosts import Place
from tests.web.firefox import button, firefox, needs_firefox, pile
from tests.web.hands import moved, play_greedily, play_on, start_alone


def ready(*frames: Frame) -> None:
    for one in frames:
        one.get_by_role("button", name="Ready", exact=True).click()
    for one in frames:
        expect(one.locator("svg.board")).to_be_visible()


def lobby_of(evening: Evening, host: Person, **options: str) -> Message:
    """The message of a room that somebody has opened in the channel."""

    async def opens() -> Message:
        return await (await host.types(evening.channel, "bigben race", options)).shown()

    return evening.does(opens())


def places(frame: Frame) -> list[str]:
    expect(frame.locator(".bars h2")).to_have_text("Result")
    return frame.locator(".bars li").all_inner_texts()


def test_two_frames_of_one_instance_race_each_other_to_the_end(
    evening: Evening, browser: Browser
) -> None:
    """The seat in the frame is that under the buttons, and nobody is told a secret."""
    ada, bob = evening.person("Ada"), evening.person("Bob")
    message = lobby_of(evening, ada)
    instance = evening.launched_from(message, ada, bob)
    hers, his = (evening.hosts.opens(instance, one.user) for one in (ada, bob))
    with shown(browser, evening, hers) as one, shown(browser, evening, his) as other:
        for frame in (one, other):
            expect(frame.locator(".seats li")).to_have_count(2)
        ready(one, other)
        play_on(one, 2)
        reload(one)
        moved(one, 2)
        play_greedily(one, 6)
        play_greedily(other, 4)
        assert places(one) == places(other)

    over = evening.front.world.changes.until(
        lambda: "The race is over" in message.content, "the message has the result"
    )
    evening.does(over)
    assert message.content.count("Ada") == message.content.count("Bob") == 1
    assert secrets_told(evening, hers, his) == []


def test_who_has_left_a_race_of_the_invited_finds_back(evening: Evening, browser: Browser) -> None:
    bob = evening.person("Bob")
    message = lobby_of(evening, evening.person("Ada"), who="here")
    place = evening.hosts.opens(evening.launched_from(message, bob), bob.user)
    with shown(browser, evening, place) as frame:
        frame.get_by_role("button", name="Leave").click()
        frame.locator(".instance .primary").click()
        expect(frame.locator(".seat .name")).to_have_text(["Ada", "Bob"])


def secrets_told(evening: Evening, *places: Place) -> list[str]:
    """Addresses and messages to Discord that have a secret: its own access token is none to it."""
    token = "eyJhbGciOi"  # as each of the server's and of the bot's begins
    secret = ("access", "refresh", token, SECRET)
    told = [json.dumps(said) for place in places for said in place.partner.heard]
    mine = [one for one in told if '"cmd": "AUTHENTICATE"' not in one]
    mine += [one for one in told if token in one]
    return [one for one in [*evening.hosts.asked, *mine] if any(word in one for word in secret)]


def test_a_frame_without_an_origin_plays_a_race_as_a_player(
    evening: Evening, browser: Browser
) -> None:
    """As on iOS: no storage, and no source of scripts is its own."""
    ada = evening.person("Ada")
    message = lobby_of(evening, ada)
    place = evening.hosts.opens(evening.launched_from(message, ada), ada.user, opaque=True)
    with shown(browser, evening, place) as frame:
        assert frame.evaluate("origin") == "null"
        start_alone(frame)
        play_on(frame, 1)
        reload(frame)
        moved(frame, 1)
        play_greedily(frame, 2)
        assert "Ada" in places(frame)[0]


def test_a_server_that_was_lost_is_there_again(evening: Evening, browser: Browser) -> None:
    ada = evening.person("Ada")
    place = evening.hosts.opens(evening.launched(ada), ada.user)
    with shown(browser, evening, place, server_goes=True) as frame:
        frame.get_by_role("button", name="Practise").click()
        moved(frame, 0)
        play_on(frame, 1)
        evening.front.server.end(SIGKILL)
        expect(
            frame.get_by_role("status").filter(has_text="The connection is lost")
        ).to_be_visible()
        evening.front.server.launch()
        play_on(frame, 1)
        moved(frame, 2)
        expect(frame.locator(".me .name")).to_have_text("Ada")


@needs_firefox
def test_a_player_races_in_a_frame_in_firefox(evening: Evening, tmp_path: Path) -> None:
    ada = evening.person("Ada")
    place = evening.hosts.opens(evening.launched_from(lobby_of(evening, ada), ada), ada.user)
    with firefox(tmp_path, proxy=evening.tunnel) as tab:
        tab.open(f"{DISCORD}/{place.path}")
        place.partner.until(lambda: place.partner.commands("AUTHENTICATE"))
        tab.enter_frame()
        for name in ("Start now", "Yes, start"):
            tab.wait_for(button(name))
            tab.press(button(name))
        tab.wait_for(pile("Stock: 56"))
        tab.press(pile("Stock: 56"))
        tab.wait_for(pile("Stock: 55"))
        assert tab.wrong == place.partner.wrong == []
