"""`bigben deal`: the deal of a seed, with nothing but the standard library and the rules."""

import json

import pytest
from tests.support.paths import ROOT
from tests.terminal.command import bigben, complaint

DEALS = json.loads((ROOT / "tests/rules/deals.json").read_bytes())
SEED = DEALS[0]["seed"]


@pytest.mark.parametrize("pinned", DEALS, ids=lambda pinned: pinned["seed"][-8:])
def test_the_deal_of_a_seed_as_json(pinned: dict[str, str]) -> None:
    done = bigben("deal", "--seed", pinned["seed"], "--json")
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
    done = bigben("deal", "--seed", "AB" * 32, "--json")
    assert json.loads(done.stdout)["seed"] == "ab" * 32


@pytest.mark.parametrize(
    ("wanted", "named"),
    [("book", "book"), ("survey", "book"), ("fans-always-playable", "fans-always-playable")],
)
def test_the_rules_are_written_by_their_main_name(wanted: str, named: str) -> None:
    done = bigben("deal", "--game", "bigben", "--rules", wanted, "--seed", SEED, "--json")
    assert json.loads(done.stdout)["rules"] == named


def test_without_json_people_can_read_it() -> None:
    done = bigben("deal", "--seed", SEED)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"commitment  {DEALS[0]['commitment']}" in done.stdout
    assert "\n  12  5D          6H 4D 9H\n   1  6C          AC 6S 9C\n" in done.stdout
    assert done.stdout.rstrip().endswith("QH 9S JH 7H KS")


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--seed", "12"], "bigben deal: a seed is written as 64 hex digits"),
        (["--seed", "g" * 64], "bigben deal: a seed is written as 64 hex digits"),
        (["--seed", ""], "bigben deal: a seed is written as 64 hex digits"),
        (["--seed", SEED, "--game", "poker"], "bigben deal: no game is called 'poker'"),
        (["--seed", SEED, "--rules", "chess"], "bigben deal: no rules are called 'chess'"),
    ],
)
def test_invalid_input_gets_a_sentence(argv: list[str], sentence: str) -> None:
    assert complaint("deal", *argv).startswith(sentence)


@pytest.mark.parametrize("argv", [[], ["--seed"], ["--seed", SEED, "more"], ["--sed", SEED]])
def test_other_arguments_get_the_usage(argv: list[str]) -> None:
    done = bigben("deal", *argv)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: bigben deal ")
    assert "Traceback" not in done.stderr
