"""The card to share, as the page makes it."""

import json
import re
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import person
from tests.web.hands import OVER, come_in, give_up, home, play_greedily, see_result, show_card

VECTORS = json.loads(
    (Path(__file__).parents[1] / "protocol" / "share_vectors.json").read_text(encoding="utf-8")
)
TEXTS = """
async ([vectors, language]) => {
  const { shareText } = await import("/share/share.js");
  const { textsFor } = await import("/words.js");
  const { Games } = await import("/wire/games.js");
  const [{ say }, games] = await Promise.all([textsFor(language), Games.fetched()]);
  return vectors.map((vector) => {
    const room = { rules: {}, ...vector.room };
    return shareText(say, { ...vector, room, game: games.of(room.rules) });
  });
}
"""
HOURS = """
async () => {
  const { hoursOf } = await import("/share/share.js");
  const { Games } = await import("/wire/games.js");
  const games = await Games.fetched();
  const pilesOf = ({ slots, deal }) => Object.fromEntries(slots.map(({ pile }) => {
    return [pile, { up: deal.laid.filter(([laid]) => laid === pile).map(([, card]) => card) }];
  }));
  const steps = [[["3", "f12", "6D", ""], ["4", "f1", "7C", ""]], [["f1", "4", "7C", ""]]];
  const record = { piles: pilesOf(games.usual), steps };
  return [hoursOf(record, games.usual), hoursOf({ piles: {} }, games.of({ game: "germanclock" }))];
}
"""


def test_the_text_is_as_the_table_says(idle: Page) -> None:
    for language in ("en", "de"):
        wanted = [vector[language] for vector in VECTORS]
        assert idle.evaluate(TEXTS, [VECTORS, language]) == wanted


def test_the_hours_are_those_of_the_foundations_at_the_end(idle: Page) -> None:
    hours, none = idle.evaluate(HOURS)
    assert hours == [[2, 8], *[[1, 9]] * 8, *[[1, 8]] * 3]
    assert none == []


def test_the_card_of_a_finished_game_is_copied_by_one_tap(browser: Browser, address: str) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with person(browser, address, permissions=allowed) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Play today’s race").click()
        play_greedily(page, 6)
        cards = home(page)
        clock = page.locator("svg.board").text_content() or ""
        see_result(page)
        said = page.locator(OVER).text_content() or ""
        (time,) = re.findall(r"Last card home at (\d+:\d\d\.\d)\.", said)
        show_card(page)
        page.get_by_role("button", name="Copy as text").click()
        expect(page.locator(".toasts")).to_contain_text("Copied.")
        copied = page.evaluate("() => navigator.clipboard.readText()")
        assert re.fullmatch(
            rf"Big Ben \d{{4}}-\d\d-\d\d · {cards}/104 · {time} · .*\n[■◕◑◔□]{{12}}", copied
        )
        assert time in clock, "the board shows the same time"
        assert copied == page.get_by_label("The card as text").input_value()
        expect(page.get_by_role("img", name=copied.split("\n")[0])).to_be_visible()


def test_where_nothing_can_be_copied_the_text_is_marked(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error());")
        page.reload()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        give_up(page)
        see_result(page)
        show_card(page)
        page.get_by_role("button", name="Copy as text").click()
        expect(page.locator(".toasts")).to_contain_text("the text is marked")
        marked = page.evaluate("() => document.getSelection().toString()")
        assert marked == page.get_by_label("The card as text").input_value()


def test_a_phone_shares_by_its_own_means(browser: Browser, address: str) -> None:
    with person(browser, address, has_touch=True, is_mobile=True) as ada:
        page = ada.page()
        page.add_init_script(
            "navigator.canShare = () => true;"
            "navigator.share = async (what) => { (window.shared ??= []).push(what); };"
        )
        page.reload()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        give_up(page)
        see_result(page)
        expect(page.locator(".share-box")).to_be_hidden()
        show_card(page)
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_role("button", name="Share picture").click()
        page.wait_for_function("() => window.shared.length === 2")
        text, name, kind = page.evaluate(
            "() => [shared[0].text, shared[1].files[0].name, shared[1].files[0].type]"
        )
        assert text.startswith("Big Ben practice · 12/104 · ")
        assert (name, kind) == ("bigben-practice.png", "image/png")


def test_the_picture_shows_the_hours_once_the_race_is_closed(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Practise").click()
        play_greedily(page, 8)
        see_result(page)
        expect(page.locator(".share-box .hint")).to_contain_text("From twelve, clockwise")
        signs = page.get_by_label("The card as text").input_value().split("\n")[1]
        assert set(signs) <= set("◔◑◕■")
        show_card(page)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Share picture").click()
        picture = tmp_path / "card.png"
        saved.value.save_as(picture)
        with Image.open(picture) as card:
            assert (card.format, card.size) == ("PNG", (1000, 524))
            assert len(card.getcolors(1_000_000) or []) > 20
