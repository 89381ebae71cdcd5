"""The page folds snapshots and diffs as bigben_protocol.View does: whole games, in the browser."""

import json
import random
from typing import Any

import msgspec
from playwright.sync_api import Browser
from tests.web.chromium import person

from bigben_protocol import Diff, RaceId, Snapshot, View
from bigben_rules import GAMES, shuffle
from bigben_server.race.game import Play

FOLD = """
async ([snapshot, diffs]) => {
  const { after, digest, viewOf } = await import("/wire/view.js");
  let view = viewOf(JSON.parse(snapshot));
  const views = [view];
  for (const diff of diffs) views.push((view = after(view, JSON.parse(diff))));
  return views.map((one) => ({ ...one, digest: digest(one.piles) }));
}
"""


def game(seed: int, rules: str) -> tuple[Snapshot, list[Diff]]:
    """Random play to the end or through 150 moves, undo among it."""
    luck = random.Random(seed)
    big_ben = GAMES["bigben"]
    dealt = big_ben.deal(shuffle(big_ben.pack, luck.randbytes(32)), rules)
    play = Play(RaceId("K7QPXM"), dealt, 1_700_000_000_000, undo=True)
    first, diffs = play.snapshot(), []
    while not play.over and play.n < 150:
        undoes = play.now.can_undo and (not play.legal or luck.random() < 0.2)
        diffs.append(play.play("undo" if undoes else luck.choice(play.legal), 10 * play.n))
    return first, diffs


def shown(view: View) -> dict[str, Any]:
    """A view as the page has it."""
    return {
        "race": view.race,
        "n": view.n,
        "state": view.state,
        "home": view.home,
        "ms": view.ms,
        "piles": {name: {"up": list(p.up), "down": p.down} for name, p in view.piles.items()},
        "legal": list(view.legal),
        "begunAt": view.begun_at,
        "canUndo": view.can_undo,
        "digest": view.digest,
    }


def test_every_view_of_random_games_is_the_same_in_both_languages(
    browser: Browser, address: str
) -> None:
    with person(browser, address) as ada:
        page = ada.page()
        for seed in range(6):
            snapshot, diffs = game(seed, ["standard", "book", "open"][seed % 3])
            frames = [json.loads(msgspec.json.encode(diff)) for diff in diffs]
            views = [View.of(snapshot)]
            for diff in diffs:
                views.append(views[-1].after(diff))
            sent = [msgspec.json.encode(snapshot).decode(), list(map(json.dumps, frames))]
            assert page.evaluate(FOLD, sent) == [shown(view) for view in views]


def test_a_view_notices_a_diff_that_does_not_fit(browser: Browser, address: str) -> None:
    snapshot, diffs = game(1, "standard")
    wrong = [
        ("Gap", [diffs[1]]),
        ("Diverged", [msgspec.structs.replace(diffs[0], digest=1)]),
        ("Diverged", [msgspec.structs.replace(diffs[0], steps=diffs[0].steps * 2)]),
    ]
    caught = f"(sent) => ({FOLD.strip()})(sent).then(() => '', (error) => error.constructor.name)"
    with person(browser, address) as ada:
        page = ada.page()
        for name, told in wrong:
            sent = [msgspec.json.encode(snapshot).decode()]
            sent_diffs = [msgspec.json.encode(diff).decode() for diff in told]
            assert page.evaluate(caught, [*sent, sent_diffs]) == name
