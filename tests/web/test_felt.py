"""The felt: where piles lie with long fans, the last cards, the moment of a win, and motion."""

from collections.abc import Iterator

import pytest
from msgspec import to_builtins
from playwright.sync_api import Browser, Page, expect
from tests.rules.recorded import GAMES
from tests.support.torture import tortured
from tests.web.guests import practising
from tests.web.hands import pile

from bigben_protocol.sentence import Sentence, sentence
from bigben_protocol.texts import told

WON = GAMES["won_standard"]
LEFT = 6
"""The last moves of this game all bring a card home."""

EIGHTS = """
async ([width, height]) => {
  const { Games } = await import("/wire/games.js");
  const { layoutOf } = await import("/board/layout/layout.js");
  const { lying, spread } = await import("/board/layout/spread.js");
  const game = (await Games.fetched()).of({ game: "bigben" });
  const held = (kind) => (kind === "tableau" ? 8 : 1);
  const pile = ({ kind }) => ({ up: Array(held(kind)).fill("10H"), down: 0 });
  const piles = Object.fromEntries(game.slots.map((slot) => [slot.pile, pile(slot)]));
  const { berths } = layoutOf(game, { width, height }, piles);
  return game.slots.map((slot) => {
    const berth = berths[slot.pile];
    const { cards } = spread(berth, lying(slot, piles[slot.pile]));
    const [first, last] = [cards[0], cards.at(-1)];
    const step = cards[1] ? Math.abs(cards[1].x - first.x) + Math.abs(cards[1].y - first.y) : 99;
    return [slot.pile, first.x, first.y, last.x + berth.w, last.y + berth.h, berth.w, step];
  });
}
"""
"""Every pile's corners, how wide its cards are and the way to the next one, all fans with eight."""


@pytest.mark.parametrize(
    ("felt", "card", "step"),
    [
        ((1072, 800), 94, 18),
        ((1432, 1080), 127, 25),
        ((816, 768), 73, 13),
        ((1072, 680), 80, 16),
        ((390, 732), 59, 17),
        ((390, 552), 53, 8),
        ((360, 528), 50, 7),
        ((844, 390), 62, 8),
    ],
)
def test_fans_of_eight_lie_on_the_felt_and_not_on_each_other(
    idle: Page, felt: tuple[int, int], card: int, step: int
) -> None:
    boxes = idle.evaluate(EIGHTS, list(felt))
    for name, left, top, right, bottom, width, way in boxes:
        where = f"pile {name} on {felt}: {left, top, right, bottom}"
        assert left >= -0.5, where
        assert top >= -0.5, where
        assert right <= felt[0] + 0.5, where
        assert bottom <= felt[1] + 0.5, where
        assert way >= step, where
        assert width >= card * 0.89, where
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            across = min(one[3], other[3]) - max(one[1], other[1])
            down = min(one[4], other[4]) - max(one[2], other[2])
            assert across <= 0.5 or down <= 0.5, (felt, one, other)


@pytest.fixture
def nearly_won(browser: Browser, address: str) -> Iterator[Page]:
    """The table of a practice game that can only be won."""
    with practising(browser, address, WON.moves[:-LEFT], seed=WON.seed) as page:
        yield page


def test_the_last_cards_go_home_one_by_one_and_the_clock_strikes(nearly_won: Page) -> None:
    n = len(WON.moves) - LEFT
    nearly_won.get_by_role("button", name="Bring all home").click()
    expect(nearly_won.locator("svg.board.won")).to_have_attribute("data-n", str(n + LEFT))
    expect(nearly_won.locator("svg.board .win .clock-face")).to_have_count(1)
    expect(nearly_won.locator("svg.board .complete")).to_have_count(12)
    running = "document.getAnimations().filter((one) => one.playState === 'running').length"
    nearly_won.wait_for_function(f"() => {running} <= 1")  # but the brackets, which fade


def test_bringing_all_home_stops_at_a_tap(nearly_won: Page) -> None:
    n = len(WON.moves) - LEFT
    nearly_won.clock.install()
    nearly_won.clock.pause_at(nearly_won.evaluate("Date.now()") + 1)
    nearly_won.get_by_role("button", name="Bring all home").click()
    pile(nearly_won, "s").click()
    expect(nearly_won.get_by_role("button", name="Bring all home")).to_be_visible()
    expect(nearly_won.locator(".table.asking")).to_have_count(0)
    stopped = nearly_won.locator("svg.board").get_attribute("data-n")
    assert int(stopped or 0) < n + LEFT
    nearly_won.clock.run_for(2000)
    expect(nearly_won.locator("svg.board")).to_have_attribute("data-n", stopped or "")


def test_a_game_with_hidden_cards_is_not_offered_to_end(browser: Browser, address: str) -> None:
    with practising(browser, address, WON.moves[:40], seed=WON.seed) as page:
        expect(page.get_by_role("button", name="Bring all home")).to_have_count(0)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_win_is_quiet_where_less_motion_is_wished_for(
    browser: Browser, address: str, motion: str
) -> None:
    looks = {"reduced_motion": motion}
    with practising(browser, address, WON.moves[:-1], looks=looks, seed=WON.seed) as page:
        page.evaluate("""() => {
          window.travelled = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, pace) {
            if (frames.translate || frames.transform || frames.scale) window.travelled += 1;
            return animate.call(this, frames, pace);
          };
        }""")
        page.get_by_role("textbox", name="Type a move").fill(WON.moves[-1])
        page.keyboard.press("Enter")
        expect(page.locator("svg.board.won .win")).to_be_attached()
        expect(page.locator("svg.board .complete")).to_have_count(12)
        assert (page.evaluate("window.travelled") == 0) == (motion == "reduce")
        if motion == "no-preference":
            page.mouse.click(5, 300)  # any tap ends it
            page.wait_for_function(
                "() => !document.querySelector('.win').getAnimations({ subtree: true }).length"
            )


def test_a_tight_fan_opens_when_it_is_pointed_at(idle: Page) -> None:
    assert idle.evaluate(OPENED) == {"tight": True, "steps": True, "inside": True}


OPENED = """
async () => {
  const { berth, fanned, spread } = await import("/board/layout/spread.js");
  const cards = Array.from({ length: 12 }, (_, at) => ({ card: "10H", down: 0, at }));
  const narrow = berth(300, 100, 50, { along: "y", step: 25, height: 130 });
  const felt = { width: 360, height: 500 };
  const usual = spread(narrow, cards).cards;
  const { cards: open } = fanned(narrow, cards, felt);
  return {
    tight: usual[1].y - usual[0].y < 11,
    steps: open[1].y - open[0].y >= 16,
    inside: open[0].y >= 0 && open.at(-1).y + narrow.h <= felt.height,
  };
}
"""


TWINS = """
async (all) => {
  const { sayer } = await import("/words.js");
  const say = sayer("de", await (await fetch("/texts/de.json")).json());
  return all.map(([said, english]) => say.told(said, english));
}
"""


def test_the_page_says_the_sentences_of_the_server_as_all_front_ends_do(
    idle: Page,
) -> None:
    on_jack = sentence("goes.home_or_fan", card="QC", below="JC", hours=("1", "5"), above="KC")
    said = [
        [on_jack, sentence("hint.only")],
        [sentence("why.move", card="3C", moves=("3 f9", "3 5"))],
        [sentence("empty.fan", fan=12)],
        [sentence("race.of_tomorrow")],
        [Sentence("empty.fan", {"of_tomorrow": 1})],
        [],
    ]
    german = idle.evaluate(TWINS, [[to_builtins(one), "In English."] for one in said])
    assert german == [told(one, "In English.", "de") for one in said]
    assert german[2:] == ["Fächer 12 ist leer.", "In English.", "In English.", "In English."]


@pytest.mark.parametrize(
    "size", [(1280, 800), (360, 640), (667, 375), *tortured((390, 844), (844, 390))]
)
def test_every_button_at_the_table_is_large_enough_for_a_finger(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    looks = {"viewport": {"width": size[0], "height": size[1]}}
    with practising(browser, address, ["turn"], looks=looks, seed=WON.seed) as page:
        buttons = page.locator("button:visible, input:visible, select:visible")
        for box in buttons.evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().toJSON())"
        ):
            assert min(box["width"], box["height"]) >= 43.9, box
            assert box["right"] <= size[0] + 0.5, box
            assert box["bottom"] <= size[1] + 0.5, box
