"""The analysis at the result of a closed race, computed by a real server."""

from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import person
from tests.web.hands import come_in, give_up, see_result, start_alone, type_move


def test_a_closed_race_is_analysed_at_a_press(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        come_in(page, "Ada")
        page.get_by_role("button", name="Open a room").click()
        start_alone(page)
        type_move(page, "deal", 1)
        type_move(page, "deal", 2)
        expect(page.get_by_role("button", name="Analyse")).to_have_count(0)
        give_up(page)
        see_result(page)
        page.get_by_role("button", name="Analyse").click()
        analysis = page.locator(".analysis")
        expect(analysis.get_by_role("heading", level=3)).to_be_focused()
        curve = analysis.get_by_role("img", name="Ada’s winning chance by move")
        expect(curve).to_be_visible()
        expect(analysis).to_contain_text("Best known win:")
        expect(analysis).to_contain_text("Skill")
        sums = page.evaluate(SUMS)
        assert sums["chance"] == sums["skill"] + sums["luck"]
        # A link to a move leads to the replay before it.
        page.goto(f"{page.url.split('#')[0]}#replay={sums['race']}&player={sums['player']}&move=2")
        expect(page.locator(".side .hint").first).to_contain_text("Move 1 of 3")


def test_what_comes_and_goes_before_a_part_of_the_page_leaves_the_focus_in_it(idle: Page) -> None:
    """The places take the place of the bars while the analysis is computed."""
    assert idle.evaluate(FOCUSED) == "analysis"


SUMS = """
async () => {
  const { placeOf } = await import("/address.js");
  const { race } = placeOf(location.hash);
  const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
  await new Promise((resolve) => (socket.onopen = resolve));
  socket.send(JSON.stringify({ type: "hello", token: localStorage.getItem("bigben.token") }));
  socket.send(JSON.stringify({ type: "get-analysis", race, ref: 9 }));
  const told = await new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "analysis" && message.done === message.of) resolve(message);
    };
  });
  socket.close();
  const [{ player, points, skill = 0, luck = 0 }] = told.seats;
  return { race, player, skill, luck, chance: points.at(-1)[1] - points[0][1] };
}
"""

FOCUSED = """
async () => {
  const { draw, h } = await import("/draw.js");
  const there = document.createElement("div");
  document.body.append(there);
  const part = (key) => h("section", { key }, h("h3", { tabindex: "-1" }, key));
  draw(there, part("bars"), part("analysis"));
  there.querySelector("section:last-child h3").focus();
  draw(there, part("places"), part("course"), part("analysis"));
  const { textContent } = document.activeElement;
  there.remove();
  return textContent;
}
"""
