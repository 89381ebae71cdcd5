"""`bigben deal`: the deal of a seed, with nothing but the standard library and the rules."""

import json

import pytest
from tests.support.paths import ROOT
from tests.terminal.command import bigben_here, complaint

from bigben_rules import GAMES, Game, shuffle

DEALS = json.loads((ROOT / "tests/rules/deals.json").read_bytes())
SEED = DEALS[0]["seed"]


@pytest.mark.parametrize("pinned", DEALS, ids=lambda pinned: pinned["seed"][-8:])
def test_the_deal_of_a_seed_as_json(pinned: dict[str, str]) -> None:
    done = bigben_here("deal", "--seed", pinned["seed"], "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "version": 1,
        "game": "bigben",
        "rules": "standard",
        "seed": pinned["seed"],
        "commitment": pinned["commitment"],
        "order": pinned["order"].split(),
    }


def test_the_seed_is_read_in_any_case_and_written_in_one() -> None:
    done = bigben_here("deal", "--seed", "AB" * 32, "--json")
    assert json.loads(done.stdout)["seed"] == "ab" * 32


@pytest.mark.parametrize(
    ("wanted", "named"),
    [("book", "book"), ("survey", "book"), ("fans-always-playable", "fans-always-playable")],
)
def test_the_rules_are_written_by_their_main_name(wanted: str, named: str) -> None:
    done = bigben_here("deal", "--game", "bigben", "--rules", wanted, "--seed", SEED, "--json")
    assert json.loads(done.stdout)["rules"] == named


def test_names_are_read_in_any_case() -> None:
    done = bigben_here("deal", "--game", "Bigben", "--rules", "BOOK", "--seed", SEED, "--json")
    assert json.loads(done.stdout)["game"] == "bigben"
    assert json.loads(done.stdout)["rules"] == "book"


def test_without_json_people_can_read_it() -> None:
    done = bigben_here("deal", "--seed", SEED)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"commitment  {DEALS[0]['commitment']}" in done.stdout
    assert "\n f12  5D\n  12  6H 4D 9H\n   1  AC 6S 9C\n" in done.stdout
    assert "\nstock, 56 cards, the next one first:\n" in done.stdout
    assert done.stdout.rstrip().endswith("QH 9S JH 7H KS")


SHOWN = {
    "grandfathersclock": ["f12  9C\n   1  2D KS 7C 5D QC\n", "\n   8  3C AD 6S AS 7D\n"],
    "clock": ["top last\n  12  QC 6C ", "\n   1  4S 6S ", "\n  13  3D ", ", face down\n"],
    "travellers": ["\n   1  QC 3D 2D 10D, face down\n", "\n  13  JH 4D 9H 4C, face down\n"],
    "germanclock": ["\n\nstock, 52 cards, the next one first:\nQC 4S 3S KD AD", " JH 4D 9H 4C\n"],
}
"""What is shown of the deal of the seed 0, by game."""


@pytest.mark.parametrize("name", SHOWN)
def test_people_can_read_the_deal_of_every_game(name: str) -> None:
    done = bigben_here("deal", "--seed", "00" * 32, "--game", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(shown in done.stdout for shown in SHOWN[name])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_is_dealt_from_its_own_pack(game: Game) -> None:
    for rules in game.variants:
        argv = ["--seed", SEED, "--game", game.name, "--rules", rules]
        shown = json.loads(bigben_here("deal", *argv, "--json").stdout)
        assert (shown["game"], shown["rules"]) == (game.name, rules)
        assert shown["order"] == [*shuffle(game.pack, bytes.fromhex(SEED))]
        assert len(shown["order"]) == {"bigben": 92, "grandfathersclock": 40}.get(game.name, 52)


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--seed", "12"], "bigben deal: a seed is written as 64 hex digits"),
        (["--seed", "g" * 64], "bigben deal: a seed is written as 64 hex digits"),
        (["--seed", ""], "bigben deal: a seed is written as 64 hex digits"),
        (["--seed", SEED, "--game", "poker"], "bigben deal: no game is called 'poker'"),
        (["--seed", SEED, "--rules", "chess"], "bigben deal: no rules are called 'chess'"),
        (
            ["--seed", SEED, "--game", "germanclock", "--rules", "3"],
            "bigben deal: no rules are called '3'; there are standard, 1",
        ),
        (
            ["--seed", SEED, "--game", "clock", "--rules", "book"],
            "bigben deal: no rules are called 'book'; there is standard",
        ),
    ],
)
def test_invalid_input_gets_a_sentence(argv: list[str], sentence: str) -> None:
    assert complaint("deal", *argv).startswith(sentence)


@pytest.mark.parametrize("argv", [[], ["--seed"], ["--seed", SEED, "more"], ["--sed", SEED]])
def test_other_arguments_get_the_usage(argv: list[str]) -> None:
    done = bigben_here("deal", *argv)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: bigben deal ")
    assert "Traceback" not in done.stderr
