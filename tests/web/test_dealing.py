"""The page deals from a seed as everybody does, and follows the cards of every game."""

import hashlib
import json
from pathlib import Path
from random import Random

import pytest
from msgspec import to_builtins
from playwright.sync_api import Page
from tests.support.torture import each_kind

from bigben_protocol import RaceId
from bigben_rules import GAMES, Game, shuffle
from bigben_server.race.game import Play

DEALS = Path(__file__).parents[1] / "rules" / "deals.json"


def test_sha_256_is_that_of_everybody(idle: Page) -> None:
    digests = """
    async (all) => {
      const { sha256 } = await import("/fairness/sha256.js");
      const { hexOf } = await import("/fairness/hex.js");
      const bytesOf = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
      return all.map((text) => hexOf(sha256(bytesOf(text))));
    }
    """
    texts = [bytes(range(256))[:length] for length in range(130)] + [b"abc", b"a" * 100_000]
    found = idle.evaluate(digests, [text.decode("latin-1") for text in texts])
    assert found == [hashlib.sha256(text).hexdigest() for text in texts]


def test_the_deals_of_the_seeds_are_those_of_everybody(idle: Page) -> None:
    deal = """
    async (seeds) => {
      const dealing = await import("/fairness/dealing.js");
      const { bytesOf, commitmentOf, packOf, shuffled } = dealing;
      const { Games } = await import("/wire/games.js");
      const pack = packOf((await Games.fetched()).of({ game: "bigben" }).deal);
      return seeds.map((seed) => {
        const bytes = bytesOf(seed);
        return [commitmentOf(bytes), shuffled(pack, bytes)];
      });
    }
    """
    deals = json.loads(DEALS.read_text())
    found = idle.evaluate(deal, [one["seed"] for one in deals])
    assert found == [[one["commitment"], one["order"].split()] for one in deals]


TABLE = """
async ([name, snapshots, diffs, order]) => {
  const { packOf } = await import("/fairness/dealing.js");
  const { Table } = await import("/fairness/table.js");
  const { Games } = await import("/wire/games.js");
  const { pilesOf } = await import("/wire/view.js");
  const { deal } = (await Games.fetched()).of({ game: name });
  const table = new Table(deal, order);
  const wrong = [];
  snapshots.forEach((snapshot, n) => {
    if (n && table.carryOut(diffs[n - 1].steps)) wrong.push(n);
    if (!table.shows(pilesOf(snapshot.piles))) wrong.push(n);
  });
  const other = new Table(deal, order.toReversed());
  return [packOf(deal), wrong, other.shows(pilesOf(snapshots.at(-1).piles))];
}
"""


@pytest.mark.parametrize("game", each_kind(GAMES))
def test_the_table_of_every_game_is_that_of_the_server(idle: Page, game: Game) -> None:
    order, luck = shuffle(game.pack, bytes(32)), Random(7)
    play = Play(RaceId("K7QPXM"), game.deal(order, "standard"), 0, undo=False)
    snapshots, diffs = [play.snapshot()], []
    while not play.over and play.n < 100:
        play.play(luck.choice(play.legal), 0)
        diffs.append(play.now)
        snapshots.append(play.snapshot())
    told = [game.name, to_builtins(snapshots), to_builtins(diffs), order]
    assert idle.evaluate(TABLE, told) == [[*game.pack], [], False]
