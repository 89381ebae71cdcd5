"""docs/deals.md and docs/rules-exact.md are true: their examples, tables and names."""

import re
from itertools import islice
from pathlib import Path

import pytest
from tests.rules.support import BIG_BEN, board, play

from bigben_protocol.texts import text
from bigben_rules import GAMES, Card, commitment, seed_from_hex, shuffle
from bigben_rules.bigben.layout import CLOCKWISE, FOUNDATION
from bigben_rules.bigben.variants import PRESETS
from bigben_rules.grandfathersclock import FOUNDATION as HOURS
from bigben_rules.seeds import numbers

DOCS = Path(__file__).parents[2] / "docs"
DEALS = (DOCS / "deals.md").read_text("utf-8")
RULES = (DOCS / "rules-exact.md").read_text("utf-8")


def test_the_example_of_a_deal_is_the_deal_of_its_seed() -> None:
    example = DEALS[DEALS.index("## Examples") :]
    [hex_digits] = re.findall(r"`([0-9a-f]{64})`", example)
    seed = seed_from_hex(hex_digits)
    assert f"commitment  {commitment(seed)}" in example
    shown = re.search(r"numbers +([\d ]+)", example)
    assert shown
    first = [int(number) for number in shown[1].split()]
    assert first == list(islice(numbers(seed), 7))
    order = re.search(r"order +((?:[\dAJQK]+[CDHS]\s+)+)", example)
    assert order
    assert tuple(order[1].split()) == shuffle(BIG_BEN.pack, seed)
    piles = BIG_BEN.deal(shuffle(BIG_BEN.pack, seed), "standard").piles()
    fans = [" ".join(cards.up) for pile, cards in piles.items() if pile in ("1", "12")]
    assert re.findall(r"`([^`]+)`", example)[1:3] == fans[::-1]


def test_the_example_of_a_deal_of_one_pack_is_that_of_the_same_seed() -> None:
    _, example = DEALS.split("A game of 52 cards from the same seed:")
    order = re.match(r"\s+order +((?:[\dAJQK]+[CDHS]\s+)+)", example)
    assert order
    assert tuple(order[1].split()) == shuffle(GAMES["clock"].pack, bytes(range(32)))
    piles = GAMES["clock"].deal([Card(name) for name in order[1].split()], "standard").text()
    assert f"pile 12 is then `{piles.split()[4].split('/')[11].replace(',', ' ')}`" in example


def test_the_table_of_foundations_is_the_layout() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \| (\w+) \| (\d+) \|$", RULES, re.M)
    assert [(int(hour), start, end, int(size)) for hour, start, end, size in rows] == [
        (hour, FOUNDATION[hour][0], FOUNDATION[hour][-1], len(FOUNDATION[hour]))
        for hour in CLOCKWISE
    ]


def test_the_table_of_grandfathers_clock_is_its_layout() -> None:
    section = section_of("grandfathersclock")
    rows = re.findall(r"^\| (hour|from|to) \| (.*) \|$", section, re.M)
    table = zip(*(cells.split(" | ") for _, cells in rows), strict=True)
    shown = {f"f{hour}": (start, end) for hour, start, end in table}
    assert shown == {pile: (cards[0], cards[-1]) for pile, cards in HOURS.items()}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_choices_in_its_section_with_the_default_first(name: str) -> None:
    rows = re.findall(r"^\| (?:`(\w+)`)? *\| `(\w+)` \|", section_of(name), re.M)
    shown: list[tuple[str, list[str]]] = []
    for field, value in rows:
        shown += [(field, [])] if field else []
        shown[-1][1].append(value)
    choices = GAMES[name].description.choices
    assert shown == [(choice.field, [*choice.values]) for choice in choices]


def test_every_preset_of_big_ben_is_named() -> None:
    assert all(f"`{preset}`" in section_of("bigben") for preset in PRESETS)


def section_of(name: str) -> str:
    """What the page says of a game, to the next heading of the same size."""
    _, after = RULES.split(f"\n## {text(f'game.{name}')}\n")
    return after.split("\n## ")[0]


@pytest.mark.parametrize("name", ["grandfathersclock", "germanclock", "watch"])
def test_the_example_of_a_position_has_the_words_of_a_position(name: str) -> None:
    [shown] = re.findall(rf"^    ({name} .*)$", RULES, re.M)
    written = GAMES[name].deal(GAMES[name].pack, "standard").text()
    assert len(shown.split()) == len(written.split())


def test_the_notation_of_the_table_is_understood() -> None:
    table = RULES[RULES.index("| typed |") : RULES.index("Case and spaces")]
    position = board(fans={3: "KS QH 8D", 5: "2S 2H 9D"}, home={8: "7D"}, waste="3C")
    typed = re.findall(r"`([^`]+)`", re.sub(r"\|[^|]*\|$", "", table, flags=re.M))
    assert typed[:6] == ["3 fdn", "3 f9", "3 5", "w fdn", "w f9", "w 5"]
    assert [position.format(position.parse(text)) for text in typed[:6]] == [
        "3 f8",
        "3 f9",
        "3 5",
        "w f9",
        "w f9",
        "w 5",
    ]
    assert {"refill", "turn", "deal"} <= set(typed)
    assert play(position, "deal") == play(position, "turn")


def test_the_example_for_developers_runs() -> None:
    [code] = re.findall(r"```python\n(.*?)```", RULES, re.S)
    exec(compile(code, "docs/rules-exact.md", "exec"), {})


def test_the_links_lead_somewhere() -> None:
    for page in (DEALS, RULES):
        for target in re.findall(r"\]\(([^)]+)\)", page):
            assert (DOCS / target).exists(), target
