"""The page keeps what it saw of a race and finds at the close whether the server has lied."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.fairness.lying import LIES, Lie, honest, lying
from tests.support.server_process import ServerProcess
from tests.web.chromium import BINARY, OPTIONS, Watched, person
from tests.web.guests import Guest
from tests.web.hands import come_in, give_up, moved, see_result, start_alone, type_move

from bigben_protocol import CODECS, JSON, Record, Reveal, Room, Welcome

HONEST = "honest"
TOLD = ("another server seed", "other cards")
"""Lies that are told to a page in a browser; all of them are told to its check."""

CHECK = """
async ([frames, player, nonce, older]) => {
  const keeping = await import("/fairness/keeping.js");
  const { withAcknowledgement, withDeal, withDiff, withPromise, withRoom, withSnapshot } = keeping;
  const { check } = await import("/fairness/check.js");
  const { Games } = await import("/wire/games.js");
  const { viewOf } = await import("/wire/view.js");
  const games = await Games.fetched();
  let game = null;
  let kept = null;
  const last = {};
  for (const message of frames.map((frame) => JSON.parse(frame))) {
    last[message.type] = message;
    if (message.type === "room") {
      game = games.of(message.rules);
      kept = withDeal(withRoom(kept, { seats: [], ...message }, player), game.deal);
      if (message.phase === "open") kept = withPromise(kept, nonce);
      if (message.phase === "countdown") kept = withAcknowledgement(kept);
    }
    if (message.type === "snapshot") {
      kept = withSnapshot(kept, message, viewOf(message, game.slots).piles);
    }
    if (message.type === "diff") kept = withDiff(kept, message);
  }
  // An older server fixed no hashes, and mixed nothing.
  if (older) kept = { ...kept, seats: [], nonceHash: "" };
  const reveal = older ? { ...last.reveal, nonce_states: [], mixed_at: 0 } : last.reveal;
  return check(kept, last.room, reveal, last.record).map(({ what, holds }) => [what, holds]);
}
"""
"""What the page's check finds when it has heard these frames."""


@pytest.fixture(scope="module")
def racers(browser: Browser, server: ServerProcess) -> Iterator[dict[str, Watched]]:
    """One live race, closed, in which each racer's page was told another lie."""
    with ExitStack() as stack:
        people = {}
        for name in (HONEST, *TOLD):
            lie = LIES[name][0] if name in LIES else lambda: honest
            relay = stack.enter_context(lying(server.url, lie))
            address = relay.url.replace("ws:", "http:")
            people[name] = stack.enter_context(person(browser, address))
        race({name: one.page() for name, one in people.items()})
        yield people


READY = """
async (race) => {
  const socket = new WebSocket(`ws://${location.host}/`, "bigben.v1.json");
  const ask = (message) => new Promise((resolve) => {
    socket.onmessage = resolve;
    socket.send(JSON.stringify(message));
  });
  await new Promise((resolve) => (socket.onopen = resolve));
  await ask({ type: "hello", token: localStorage.getItem("bigben.token") });
  await ask({ type: "ready", race });
  await ask({ type: "start", race });
  socket.close();
}
"""
"""The player of the page is ready and starts alone, on another device."""


def page_of(one: Watched) -> Page:
    (page,) = one.context.pages
    return page


def race(pages: dict[str, Page]) -> None:
    """Two cards each, and no more."""
    host, *others = pages
    room = opened(pages[host], host)
    for name in others:
        joined(pages[name], name, room)
    for page in pages.values():
        page.get_by_role("button", name="Ready", exact=True).click()
    for page in pages.values():
        moved(page, 0)
        type_move(page, "turn", 1)
        type_move(page, "turn", 2)
    for page in pages.values():
        give_up(page)
    for page in pages.values():
        see_result(page)


def opened(page: Page, name: str) -> str:
    """The fragment that leads to a new room."""
    come_in(page, name)
    page.get_by_role("button", name="Open a room").click()
    link = page.get_by_label("Send this link").input_value()
    return link.partition("#")[2]


def joined(page: Page, name: str, room: str) -> None:
    page.evaluate("(room) => { location.hash = room }", room)
    # The start page, which is left only now, has a field for the name too.
    expect(page.locator(".invitation")).to_be_visible()
    come_in(page, name)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("button", name="Ready", exact=True)).to_be_visible()


@pytest.mark.parametrize("lie", TOLD)
def test_a_lie_is_found_and_told_loudly(racers: dict[str, Watched], lie: str) -> None:
    page = page_of(racers[lie])
    alert = page.locator(".verdict.broken [role=alert]")
    expect(alert).to_contain_text("This race is not what was promised!")
    expect(alert.locator(f"[data-what={LIES[lie][1].replace(' ', '_')}]")).to_be_visible()
    expect(alert).to_contain_text("Don’t trust its result.")
    evidence = json.loads(page.get_by_label("What your browser kept").input_value())
    assert set(evidence) == {"kept", "told"}


def test_the_check_finds_every_lie_and_none_where_there_is_none(
    racers: dict[str, Watched],
) -> None:
    page, codec = page_of(racers[HONEST]), CODECS[JSON]
    expect(page.locator(".verdict.holds")).to_be_visible()
    frames = [codec.decode_server(frame) for frame in racers[HONEST].frames]
    (player,) = {one.player for one in frames if isinstance(one, Welcome)}
    # The result and the card to share ask for records too, also for those of others.
    records = [one for one in frames if isinstance(one, Record)]
    record = next(one for one in records if one.standing.player == player)
    frames = [one for one in frames if one is record or not isinstance(one, Record)]
    (closed,) = [one for one in frames if isinstance(one, Room) and one.phase == "closed"]
    (reveal,) = [one for one in frames if isinstance(one, Reveal)]
    nonce = reveal.nonces[[seat.player for seat in closed.seats].index(player)]
    cases: dict[str, tuple[Callable[[], Lie], str]] = {HONEST: (lambda: honest, ""), **LIES}
    for name, (lie, what) in cases.items():
        say = lie()
        told = [codec.encode(say(frame)).decode() for frame in frames]
        found = dict(page.evaluate(CHECK, [told, player, nonce, False]))
        assert len(found) == 11
        wrong = {one for one, holds in found.items() if not holds}
        assert {what.replace(" ", "_")} <= wrong if what else not wrong, name
        if name == "nonces changed":
            assert dict(page.evaluate(CHECK, [told, player, nonce, True]))["nonce"] is False
    assert record.order, "told at the close"


def test_an_honest_race_holds_in_every_point_and_after_a_reload(
    racers: dict[str, Watched],
) -> None:
    page = page_of(racers[HONEST])
    for _ in range(2):
        verdict = page.locator(".verdict.holds")
        expect(verdict).to_contain_text("Fair: commitment, seed, cards, your moves and their times")
        verdict.get_by_text("What was compared").click()
        expect(verdict.locator("li.yes")).to_have_count(11)
        expect(verdict.locator("li.no, li.open")).to_have_count(0)
        page.reload()


def test_commitment_and_nonce_are_shown_before_the_start_and_survive_a_reload(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada, person(browser, address) as bob:
        hers, his = ada.page(), bob.page()
        room = opened(hers, "Ada")
        promise = hers.locator(".promise")
        (told,) = [json.loads(frame) for frame in ada.frames if '"type":"room"' in frame]
        expect(promise).to_contain_text(f"Sealed deal {told['commitment'][:12]}…")
        promise.locator("summary").click()
        expect(promise.locator("code")).to_have_text([told["commitment"]])
        # Once all in the room are ready, the race begins: not before he has his seat.
        joined(his, "Bob", room)
        hers.get_by_role("button", name="Ready", exact=True).click()
        expect(promise.locator("code")).to_have_count(2)
        nonce = promise.locator("code").last.text_content()
        hers.reload()
        promise.locator("summary").click()
        expect(promise.locator("code").last).to_have_text(nonce or "")
        his.get_by_role("button", name="Ready", exact=True).click()
        moved(hers, 0)
        type_move(hers, "turn", 1)
        hers.reload()
        moved(hers, 1)
        give_up(hers)
        see_result(hers)
        expect(hers.locator(".result")).to_contain_text(
            "When the race is over for everybody, this page checks"
        )
        hers.get_by_role("link", name="Big Ben").click()
        moved(his, 0)
        give_up(his)
        hers.goto(f"{address}/#{room}")
        hers.reload()
        expect(hers.locator(".verdict.holds")).to_be_visible()


def test_a_race_that_closes_while_another_screen_is_shown_is_checked_too(
    browser: Browser, address: str
) -> None:
    guest = Guest(address)
    room = guest.opens(limit_ms=1_500)
    with person(browser, address, token=guest.token) as ada:
        page = ada.context.new_page()
        with page.expect_event("websocket") as dialled:
            page.goto(f"{address}/#room={room}")
        expect(page.get_by_role("button", name="Ready", exact=True)).to_be_visible()
        page.get_by_role("link", name="Big Ben").click()
        with dialled.value.expect_event("framereceived", lambda frame: '"reveal"' in str(frame)):
            page.evaluate(READY, room)
        page.go_back()
        # Ready was said elsewhere, and the nonce with it.
        expect(page.locator(".verdict.partly")).to_contain_text("1 of 11 points")


def test_points_that_were_not_seen_are_shown_as_unchecked(browser: Browser, address: str) -> None:
    with person(browser, address) as ada, person(browser, address) as cy:
        hers = ada.page()
        room = opened(hers, "Ada")
        start_alone(hers)
        type_move(hers, "turn", 1)
        # As on another device: the same player, and nothing kept.
        hers.evaluate("""
          Object.keys(localStorage).filter((key) => key.includes("race "))
            .forEach((key) => localStorage.removeItem(key))
        """)
        hers.reload()
        moved(hers, 1)
        give_up(hers)
        see_result(hers)
        partly = hers.locator(".verdict.partly")
        expect(partly).to_contain_text("4 of 11 points could not be checked")
        theirs = cy.page(f"#{room}".replace("room", "watch"))
        come_in(theirs, "Cy")
        theirs.get_by_role("button", name="See the result").click()
        expect(theirs.locator(".verdict")).to_contain_text("kept nothing of this race")


def test_a_second_device_says_that_the_first_one_must_stay(browser: Browser, address: str) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        opened(page, "Ada")
        page.get_by_role("button", name="Ready", exact=True).click()
        expect(page.get_by_role("button", name="Not ready")).to_be_visible()
        expect(page.locator(".elsewhere")).to_have_count(0)
        # As on another device: the same player, and nothing kept.
        page.evaluate("""
          Object.keys(localStorage).filter((key) => key.includes("race "))
            .forEach((key) => localStorage.removeItem(key))
        """)
        page.reload()
        expect(page.locator(".elsewhere")).to_contain_text("it has your random number")


def test_a_race_is_checked_over_plain_http_from_another_host_too(
    browser: Browser, server: ServerProcess
) -> None:
    # There the browser has no SHA-256 to lend.
    elsewhere = [*OPTIONS, "--host-resolver-rules=MAP bigben.test 127.0.0.1"]
    with (
        browser.browser_type.launch(executable_path=BINARY, args=elsewhere) as other,
        person(other, f"http://bigben.test:{server.port}") as ada,
    ):
        page = ada.page()
        assert not page.evaluate("isSecureContext || Boolean(crypto.subtle)")
        opened(page, "Ada")
        start_alone(page)
        give_up(page)
        see_result(page)
        expect(page.locator(".verdict.holds")).to_be_visible()


def test_answers_without_sense_are_lies_and_not_a_broken_page(idle: Page) -> None:
    senseless = """
    async () => {
      const { check } = await import("/fairness/check.js");
      const { Games } = await import("/wire/games.js");
      const { deal } = (await Games.fetched()).usual;
      const kept = { kind: "live", rules: {}, commitment: "a", nonce: "b", moves: [] };
      Object.assign(kept, { deal, shown: {}, shownN: 0 });
      kept.moves.push([1, "turn", 7, [["s", "w", "7H"]]]);
      const odd = [undefined, null, 7, "x", [7], {}, { length: 92 }, [["s"]]];
      return odd.map((one) => {
        const reveal = { commitment: one, server_seed: one, seed: one, nonces: one };
        const record = { order: one, moves: one, steps: one, begun_at: one };
        const room = { kind: "live", rules: {}, commitment: one, seats: one };
        return check(kept, room, reveal, record).filter(({ holds }) => holds === false).length;
      });
    }
    """
    assert min(idle.evaluate(senseless)) >= 2


def test_the_kept_evidence_has_a_bound(idle: Page) -> None:
    fill = """
    async () => {
      const { Evidence } = await import("/fairness/evidence.js");
      const { Memory } = await import("/memory.js");
      const evidence = new Evidence(new Memory());
      const of = (i, commitment) => ({ player: "guest:1", race: `R${i}`, commitment, moves: [] });
      const keys = () => Object.keys(localStorage).filter((key) => key.startsWith("bigben.race "));
      for (let i = 0; i < 40; i++) evidence.add("guest:1", `R${i}`, () => of(i, `${i}`));
      evidence.add("guest:1", "R39", () => of(39, "x".repeat(1e6)));
      evidence.add("guest:2", "R1", () => ({ ...of(1, "2"), player: "guest:2" }));
      localStorage.setItem("bigben.race guest:1 R38", "[1]");
      const found = [keys().length, evidence.of("guest:1", "R7"), evidence.of("guest:1", "R38")];
      found.push(evidence.of("guest:1", "R39").commitment);
      evidence.forget("guest:1");
      return [...found, keys()];
    }
    """
    left = ["bigben.race guest:2 R1"]
    assert idle.evaluate(fill) == [32, None, None, "39", left]
