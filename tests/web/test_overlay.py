"""An overlay for streams: plates and a clock over nothing, without a card, as late as is wished."""

import json
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final, TypeVar

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from tests.support.relay import relaying
from tests.support.server_process import UNHURRIED, serving
from tests.web.chromium import person
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from bigben_protocol import (
    CODECS,
    JSON,
    ClientMessage,
    Create,
    Diff,
    Hello,
    Join,
    Move,
    RaceId,
    Ready,
    Rematch,
    Room,
    Snapshot,
    Welcome,
)

Told = TypeVar("Told")

STREAM: Final = {"width": 1920, "height": 1080}
FOUR: Final = ("Ada", "Bob", "Cy", "Dora")
_CODEC: Final = CODECS[JSON]


class Racer:
    """A player who has no page, in one race after another."""

    def __init__(self, address: str, name: str, within: ExitStack, *, token: str = "") -> None:
        url = address.replace("http:", "ws:")
        # With a bound nobody would read pings behind what others do, which no racer asks for.
        line = connect(url, subprotocols=[Subprotocol(JSON)], proxy=None, max_queue=None)
        self._line = within.enter_context(line)
        hello = Hello(token=token) if token else Hello(name=name)
        self.token = self.ask(hello, Welcome).token
        self.race = RaceId("")

    def ask(self, message: ClientMessage, kind: type[Told]) -> Told:
        """The first message of this kind from now on."""
        self._line.send(_CODEC.encode(message), text=True)
        return self.hear(kind)

    def hear(self, kind: type[Told]) -> Told:
        while not isinstance(told := _CODEC.decode_server(self._line.recv(20)), kind):
            pass
        return told

    def plays(self, homes: int, *, last: str = "") -> None:
        """Deal until so many more cards are home, then play ``last``."""
        begun = self.ask(Join(self.race), Snapshot)
        now: Snapshot | Diff = begun
        while now.home < begun.home + homes:
            assert isinstance(now.legal, tuple)
            move = next((one for one in now.legal if one.endswith("fdn")), now.legal[0])
            now = self.ask(Move(self.race, now.n + 1, move), Diff)
        if last:
            self.ask(Move(self.race, now.n + 1, last), Diff)


def begin(race: RaceId, racers: Sequence[Racer]) -> None:
    """All take their seats and wait for the cards."""
    for one in racers:
        one.race = race
        one.ask(Join(race), Room)
    for at, one in enumerate(racers):
        one.ask(Ready(race, nonce=f"{at:064x}"), Room)
    for one in racers:
        one.hear(Snapshot)


@contextmanager
def racing(address: str, *names: str) -> Iterator[list[Racer]]:
    """These players in a live race of theirs, which runs."""
    with ExitStack() as within:
        racers = [Racer(address, name, within) for name in names]
        begin(racers[0].ask(Create(), Room).race, racers)
        yield racers


def types(frames: Sequence[str]) -> set[str]:
    return {json.loads(frame)["type"] for frame in frames}


def holes(picture: bytes, *, width: int, height: int) -> set[int]:
    """How opaque the corners and the middle of a picture are."""
    image = Image.open(BytesIO(picture)).getchannel("A")
    assert image.size == (width, height)
    points = [(x, y) for x in (0, width - 1) for y in (0, height - 1)]
    alpha = image.tobytes()
    return {alpha[y * width + x] for x, y in [*points, (width // 2, height // 2)]}


def test_four_plates_and_the_clock_stand_over_nothing_and_name_no_card(
    browser: Browser, address: str
) -> None:
    with racing(address, *FOUR) as racers, person(browser, address, viewport=STREAM) as streamer:
        page = streamer.page(f"overlay#{racers[0].race}")
        for one, homes in zip(racers, (6, 4, 2, 2), strict=True):
            one.plays(homes)
        plates = page.locator(".plate")
        expect(plates.locator(".how")).to_have_text(
            [re.compile("^in front$"), *[re.compile(r"^\d+ behind$")] * 3]
        )
        expect(plates.locator(".name")).to_have_text([*FOUR])
        expect(page.locator(".leads")).to_have_count(1)
        expect(page.locator(".clock")).to_contain_text(racers[0].race)
        assert holes(page.screenshot(omit_background=True), **STREAM) == {0}

        for one in racers:
            one.plays(0, last="resign")
        expect(page.locator(".clock")).to_contain_text("over")
        expect(plates.locator(".how")).to_have_text(["gave up"] * 4)
        assert types(streamer.sent) <= {"hello", "watch", "ping"}
        assert not types(streamer.frames) & {"snapshot", "diff", "record"}
        html = page.content()
        assert not re.search(r">\s*(?:[A2-9TJQK]|10)[CDHS♣♦♥♠]\s*<", html)
        # A guest of its own, once, which is the player of no other page.
        assert page.evaluate("Object.keys(localStorage)") == ["bigben.overlay"]


def test_two_who_are_named_in_another_place_size_and_language(
    browser: Browser, address: str
) -> None:
    with (
        racing(address, *FOUR[:3]) as racers,
        person(browser, address, viewport=STREAM) as streamer,
    ):
        racers[2].plays(3)
        page = streamer.page(f"overlay#{racers[0].race}&players=cy,Ada&side=left&scale=150&lang=de")
        plates = page.locator(".plate")
        expect(plates.locator(".name")).to_have_text(["Cy", "Ada"])
        expect(plates.locator(".how").first).to_have_text("vorn")
        boxes = [one.bounding_box() for one in plates.all()]
        assert [box and (round(box["x"]), round(box["width"])) for box in boxes] == [(60, 645)] * 2


def homes(page: Page) -> dict[str, int]:
    """The cards home on each plate."""
    found = page.locator(".plate").all()
    return {
        one.locator(".name").inner_text(): int(one.locator(".home").inner_text()) for one in found
    }


def test_all_of_it_is_as_late_as_the_stream(browser: Browser, address: str) -> None:
    with racing(address, *FOUR[:2]) as racers, person(browser, address) as streamer:
        now, late = (streamer.context.new_page() for _ in range(2))
        late.clock.install()
        with late.expect_websocket() as found:
            late.goto(f"{address}/overlay#{racers[0].race}&delay=600")
        now.goto(f"{address}/overlay#{racers[0].race}")
        expect(now.locator(".plate")).to_have_count(2)
        with found.value.expect_event("framereceived", lambda frame: '"resigned"' in str(frame)):
            racers[0].plays(2, last="resign")
        expect(now.locator(".how").first).to_have_text("gave up")
        expect(late.locator("body > *")).to_have_count(0)
        minutes = int(now.locator(".time").inner_text().split(":")[0])
        late.clock.fast_forward(600_000)
        expect(late.locator(".how").first).to_have_text("gave up")
        assert homes(late) == homes(now)
        assert int(late.locator(".time").inner_text().split(":")[0]) - minutes in (0, 1)


def test_a_server_that_is_killed_is_found_again(browser: Browser, tmp_path: Path) -> None:
    with relaying() as relay, ExitStack() as within:
        address = f"http://127.0.0.1:{relay.port}"
        with person(browser, address, server_goes=True, viewport=STREAM) as streamer:
            with serving(tmp_path, UNHURRIED) as first, racing(first.url, *FOUR[:2]) as racers:
                relay.to = first.port
                page = streamer.page(f"overlay#{racers[0].race}")
                racers[0].plays(2)
                expect(page.locator(".how").first).to_have_text("in front")
                before = homes(page)["Ada"]
                relay.to = 0
                first.end(signal.SIGKILL)
            assert homes(page)["Ada"] == before
            with serving(tmp_path, UNHURRIED) as second:
                relay.to = second.port
                ada = Racer(second.url, "Ada", within, token=racers[0].token)
                ada.race = racers[0].race
                ada.plays(3)
                expect(page.locator(".home").first).to_have_text(re.compile(f"^(?!{before}$)"))
                assert homes(page)["Ada"] >= before + 3
                page.close()


def test_a_rematch_takes_the_place_of_the_result_when_it_begins(
    browser: Browser, address: str
) -> None:
    with racing(address, *FOUR[:2]) as racers, person(browser, address) as streamer:
        page = streamer.page(f"overlay#{racers[0].race}")
        code, how = page.locator(".clock"), page.locator(".how")
        for one in racers:
            one.plays(0, last="resign")
        expect(code).to_contain_text("over")
        first = racers[0].race
        room = racers[0].ask(Rematch(first), Room)
        while room.race == first:  # it tells of its rematch, too
            room = racers[0].hear(Room)
        rematch = room.race
        racers[1].ask(Join(rematch), Room)
        expect(how).to_have_text(["gave up"] * 2)
        expect(code).to_contain_text(first)
        begin(rematch, racers)
        expect(code).to_contain_text(rematch)
        expect(how).to_have_text(["level"] * 2)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("AAAAAA", "There is no race AAAAAA; check its name."),
        ("", "The address of an overlay ends"),
    ],
)
def test_a_wrong_code_is_said_in_the_corner(
    browser: Browser, address: str, code: str, sentence: str
) -> None:
    with person(browser, address, viewport=STREAM) as streamer:
        page = streamer.page(f"overlay#{code}")
        expect(page.locator(".wrong")).to_contain_text(sentence)
        expect(page.locator("main")).to_have_count(0)
        assert holes(page.screenshot(omit_background=True), **STREAM) == {0}
