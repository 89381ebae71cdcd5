"""docs/deals.md and docs/rules.md are true: their examples, tables and names."""

import re
from itertools import islice
from pathlib import Path

from tests.rules.support import BIG_BEN, board, play

from bigben_rules import commitment, seed_from_hex, shuffle
from bigben_rules.bigben.layout import CLOCKWISE, FOUNDATION
from bigben_rules.bigben.variants import CHOICES, PRESETS
from bigben_rules.seeds import numbers

DOCS = Path(__file__).parents[2] / "docs"
DEALS = (DOCS / "deals.md").read_text("utf-8")
RULES = (DOCS / "rules.md").read_text("utf-8")


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


def test_the_table_of_foundations_is_the_layout() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \| (\w+) \| (\d+) \|$", RULES, re.M)
    assert [(int(hour), start, end, int(size)) for hour, start, end, size in rows] == [
        (hour, FOUNDATION[hour][0], FOUNDATION[hour][-1], len(FOUNDATION[hour]))
        for hour in CLOCKWISE
    ]


def test_every_variant_and_preset_is_named() -> None:
    for field, values in CHOICES.items():
        assert f"| `{field}` |" in RULES
        assert all(f"| `{value}` |" in RULES for value in values)
    assert all(f"`{preset}`" in RULES for preset in PRESETS)


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
    exec(compile(code, "docs/rules.md", "exec"), {})


def test_the_links_lead_somewhere() -> None:
    for text in (DEALS, RULES):
        for target in re.findall(r"\]\(([^)]+)\)", text):
            assert (DOCS / target).exists(), target
