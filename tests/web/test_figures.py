"""The signs that stand for results and players: wheels, medals, avatars, and what charts mean."""

from playwright.sync_api import Page

WHEELS = """
async () => {
  const { wheel } = await import("/figures/wheel.js");
  const { draw } = await import("/draw.js");
  const there = document.createElement("div");
  const hours = [[8, 8], [3, 9], [0, 9], ...Array(9).fill([9, 9])];
  const of = (more) => {
    draw(there, wheel({ size: 38, home: 92, total: 104, hours, ...more }));
    const fills = [...there.querySelectorAll("path")].map((path) => path.getAttribute("fill"));
    const count = (colour) => fills.filter((fill) => fill === colour).length;
    return { gold: count("#f2c55a"), green: count("#8fe3a8"), texts: there.textContent };
  };
  return {
    small: of({}),
    fine: of({ size: 164, middle: 92 }),
    kings: of({ size: 164, hours: [...Array(12).fill([1, 4]), [4, 4]] }),
    unknown: of({ hours: [], numbers: true }),
  };
}
"""
HOURS = """
async () => {
  const { hoursOf } = await import("/share/share.js");
  const { Games } = await import("/wire/games.js");
  const games = await Games.fetched();
  const of = (game) => {
    const piles = Object.fromEntries(game.slots.map(({ pile }) => [pile, { up: [], down: 4 }]));
    for (const [pile, card] of game.deal?.laid ?? []) piles[pile] = { up: [card] };
    const king = game.slots.find(({ goal }) => goal === "K");
    const turned = king && [king.pile, "any", "KH", "turned"];
    const steps = king ? [[turned], [["any", king.pile, "KH", "under"]]] : [];
    return hoursOf({ piles, steps }, game);
  };
  return Object.fromEntries(games.all.map((game) => [game.name, of(game)]));
}
"""


def test_an_hour_is_green_when_it_is_complete_and_gold_before(idle: Page) -> None:
    wheels = idle.evaluate(WHEELS)
    assert wheels["small"] == {"gold": 1, "green": 10, "texts": ""}
    assert wheels["fine"] == {"gold": 3, "green": 8 + 9 * 9, "texts": "92"}
    assert wheels["kings"] == {"gold": 12, "green": 4, "texts": ""}


def test_no_hour_is_shown_where_the_hours_are_not_public(idle: Page) -> None:
    unknown = idle.evaluate(WHEELS)["unknown"]
    assert unknown == {"gold": 0, "green": 0, "texts": "121234567891011"}


def test_every_game_fills_a_wheel(idle: Page) -> None:
    hours = idle.evaluate(HOURS)
    assert [whole for _, whole in hours.pop("bigben")] == [8, *[9] * 8, 8, 8, 8]
    grandfather = hours.pop("grandfathersclock")
    assert (len(grandfather), sum(whole for _, whole in grandfather)) == (12, 52)
    for game, filled in hours.items():
        assert filled == [[0, 4]] * 12 + [[1, 4]], game


MEDALS = """
async () => {
  const { medal } = await import("/figures/medal.js");
  const { avatar } = await import("/figures/avatar.js");
  const { draw } = await import("/draw.js");
  const there = document.createElement("div");
  const told = (one) => {
    draw(there, one);
    return [there.textContent, there.querySelectorAll("circle").length];
  };
  const [ada, guest, tick] = [{ name: "Ada" }, { name: "Guest 4711" }, { name: "Tick", bot: true }];
  const avatars = [avatar(ada, 7), avatar(guest, 2), avatar(tick, 1)];
  return [medal(1), medal(3), medal(4), ...avatars].map(told);
}
"""


def test_three_places_have_medals_and_guests_their_digits(idle: Page) -> None:
    told = idle.evaluate(MEDALS)
    assert told == [["1", 2], ["3", 2], ["4", 0], ["Ad", 1], ["11", 1], ["", 1]]


CHARTS = """
async () => {
  const { columnOf, columns } = await import("/figures/columns.js");
  const { spark } = await import("/figures/cells.js");
  const { ratingLine } = await import("/figures/rating.js");
  const { means } = await import("/records/form_view.js");
  const { draw } = await import("/draw.js");
  const given = { say: Object.assign((key) => key, { language: "en" }) };
  const there = document.createElement("div");
  const found = (selector) => [...there.querySelectorAll(selector)];
  const all = (selector, name) => found(selector).map((one) => one.getAttribute(name));

  const days = (homes) => {
    draw(there, spark(given, homes, 104));
    return { line: all(".days-line", "d")[0], last: all(".last", "d") };
  };
  const counted = (home, total, homes) => {
    const own = columnOf(home, total, homes.length);
    draw(there, columns(given, homes, total, { own, word: "you", title: "", what: "" }));
    const rows = found("tbody tr").map((row) => row.textContent);
    const gold = all("rect", "class").indexOf("gold");
    return { own, rows, gold, heights: all("rect", "height").map(Number) };
  };
  const rated = (tally) => {
    draw(there, ratingLine(given, tally));
    const band = there.querySelector(".band");
    const marks = found(".of").map((one) => Number(one.textContent));
    const heights = all(".of", "y").map((y) => Number(y) - 4);
    const [low, high, from, to] = [marks[0], marks.at(-1), heights[0], heights.at(-1)];
    const value = (y) => Math.round(low + ((from - y) * (high - low)) / (from - to));
    const [y, height] = ["y", "height"].map((name) => Number(band.getAttribute(name)));
    const points = all(".line", "d").flatMap((d) => d.split(/[ML]/).slice(1));
    const line = points.map((point) => value(Number(point.split(" ")[1])));
    const later = there.textContent.includes("player.rating_later");
    return { band: [value(y + height), value(y)], line, later };
  };
  const weeks = ["2026-W45", "2026-W46", "2026-W48"];
  const ratings = [1640, 1720, 1655].map((rating, at) => ({ week: weeks[at], rating }));
  return {
    gaps: days([-1, 50, 60, -1, 104, 10, -1]),
    none: days(Array(14).fill(-1)),
    columns: [0, 7, 8, 95, 103, 104].map((home) => columnOf(home, 104, 13)),
    ofOnePack: [0, 3, 4, 51, 52].map((home) => columnOf(home, 52, 13)),
    tie: counted(94, 104, [1, 0, 0, 0, 0, 0, 0, 4, 0, 0, 2, 2, 1]),
    rated: rated({ rating: 1655, uncertainty: 100, ratings }),
    provisional: rated({ rating: 1655, uncertainty: 100, ratings, provisional: true }),
    means: means([[[8, 8], [2, 9]], [[4, 8], [3, 9]]]),
  };
}
"""


def test_charts_show_what_was_played(idle: Page) -> None:
    charts = idle.evaluate(CHARTS)
    # A missed day breaks the line; what is all home is at the top, a bad day on the floor.
    line = charts["gaps"]["line"]
    assert [part.count("h0") for part in line.split("M")] == [0, 2, 2]
    assert line.endswith("L81.3 22.0h0")
    assert " 4.0h0" in line
    assert charts["gaps"]["last"] == ["M81.3 22.0h0"], "the last day that was played is marked"
    assert charts["none"] == {"line": "", "last": []}
    # A result is in one of thirteen columns, and all home is in the last.
    assert charts["columns"] == [0, 0, 1, 11, 12, 12]
    assert charts["ofOnePack"] == [0, 0, 1, 12, 12]
    tie = charts["tie"]
    assert (tie["own"], tie["gold"]) == (11, 11)
    assert tie["heights"][10] == tie["heights"][11] == tie["heights"][7] / 2
    assert tie["heights"][1] == 0
    assert (tie["rows"][11], tie["rows"][12]) == ("88–952 (you)", "96–1041")
    # The band is what the rating says: the strength is at least it, and at most twice as far above.
    assert charts["rated"] == {"band": [1655, 1855], "line": [1640, 1720, 1655], "later": False}
    assert charts["provisional"] == {"band": [1655, 1855], "line": [], "later": True}
    assert charts["means"] == [[6, 8], [3, 9]]
