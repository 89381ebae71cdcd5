"""The page folds snapshots and diffs as bigben_protocol.View does: whole games, in the browser."""

import json
import random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page
from tests.support.torture import each_kind

from bigben_protocol import Diff, RaceId, Snapshot, View
from bigben_rules import GAMES, Game, shuffle
from bigben_server.race.game import Play

FOLD = """
async ([game, snapshot, diffs]) => {
  const { after, digest, viewOf } = await import("/wire/view.js");
  const { Games } = await import("/wire/games.js");
  let view = viewOf(JSON.parse(snapshot), (await Games.fetched()).of({ game }).slots);
  const views = [view];
  for (const diff of diffs) views.push((view = after(view, JSON.parse(diff))));
  return views.map((one) => ({ ...one, digest: digest(one.piles, one.order) }));
}
"""


def played(game: Game, seed: int, rules: str) -> tuple[Snapshot, list[Diff]]:
    """Random play to the end or through 150 moves, undo among it."""
    luck = random.Random(seed)
    dealt = game.deal(shuffle(game.pack, luck.randbytes(32)), rules)
    play = Play(RaceId("K7QPXM"), dealt, 1_700_000_000_000, undo=True)
    first, diffs = play.snapshot(), []
    while not play.over and play.n < 150:
        undoes = play.now.can_undo and (not play.legal or luck.random() < 0.2)
        play.play("undo" if undoes else luck.choice(play.legal), 10 * play.n)
        diffs.append(play.now)
    return first, diffs


def shown(view: View) -> dict[str, Any]:
    """A view as the page has it."""
    return {
        "race": view.race,
        "n": view.n,
        "state": view.state,
        "home": view.home,
        "ms": view.ms,
        "homeMs": view.home_ms,
        "piles": {name: {"up": list(p.up), "down": p.down} for name, p in view.piles.items()},
        "order": list(view.piles),
        "legal": list(view.legal),
        "begunAt": view.begun_at,
        "canUndo": view.can_undo,
        "digest": view.digest,
    }


@pytest.mark.parametrize("game", each_kind(GAMES))
def test_every_view_of_random_games_is_the_same_in_both_languages(idle: Page, game: Game) -> None:
    rules = [choice for choice in game.variants if choice in game.description.presets]
    for seed in range(6):
        snapshot, diffs = played(game, seed, rules[seed % len(rules)])
        frames = [json.loads(msgspec.json.encode(diff)) for diff in diffs]
        views = [View.of(snapshot)]
        for diff in diffs:
            views.append(views[-1].after(diff))
        whole = msgspec.json.encode(snapshot).decode()
        sent = [game.name, whole, list(map(json.dumps, frames))]
        assert idle.evaluate(FOLD, sent) == [shown(view) for view in views]


LEARNS = """
async () => {
  const { Games } = await import("/wire/games.js");
  const { Followed } = await import("/wire/followed.js");
  const { Session } = await import("/wire/session.js");
  const identities = { token: "", welcomed: () => {}, leave: () => {} };
  const evidence = { add: (player, race, add) => add(null) };
  let changed = () => {};
  const tell = { changed: () => changed(), received: () => {}, race: () => "" };
  const url = location.origin.replace("http", "ws");
  const session = new Session(url, identities, evidence, new Games([]), tell);
  session.follow = (room, of) => new Followed(room, of);
  await session.hello({ name: "Ada" });
  const { race } = await session.ask({ type: "create", game: "watch", practice: true });
  await session.ask({ type: "ready", race });
  const followed = session.followed.get(race);
  while (!followed.view) await new Promise((resolve) => (changed = resolve));
  session.connection.hangUp();
  return [followed.game.name, followed.view.legal];
}
"""


def test_a_page_learns_games_that_are_newer_than_itself(idle: Page) -> None:
    assert idle.evaluate(LEARNS) == ["watch", ["turn"]]


def test_a_view_notices_a_diff_that_does_not_fit(idle: Page) -> None:
    snapshot, diffs = played(GAMES["bigben"], 1, "standard")
    wrong = [
        ("Gap", [diffs[1]]),
        ("Diverged", [msgspec.structs.replace(diffs[0], digest=1)]),
        ("Diverged", [msgspec.structs.replace(diffs[0], steps=diffs[0].steps * 2)]),
    ]
    caught = f"(sent) => ({FOLD.strip()})(sent).then(() => '', (error) => error.constructor.name)"
    for name, told in wrong:
        sent = ["bigben", msgspec.json.encode(snapshot).decode()]
        sent_diffs = [msgspec.json.encode(diff).decode() for diff in told]
        assert idle.evaluate(caught, [*sent, sent_diffs]) == name
