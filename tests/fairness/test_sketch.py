"""The verifier printed in docs/fairness.md: it runs, and agrees with `bigben verify`."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.fairness.alterations import alterations
from tests.fairness.forging import sealed, write
from tests.fairness.races import RACES, SHORT
from tests.support.torture import tortured

from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Altered, Receipt, Unreadable, read

PAGE = Path(__file__).parents[2] / "docs" / "fairness.md"


@pytest.fixture(scope="module")
def verify() -> Callable[[str], None]:
    """``verify`` of the sketch, which raises any exception if a receipt does not hold."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), names)
    found: Callable[[str], None] = names["verify"]
    return found


def holds(verify: Callable[[str], None], text: str) -> bool:
    """Whether the receipt holds for the sketch."""
    try:
        verify(text)
    except Exception:
        return False
    return True


def holds_here(receipt: Receipt) -> bool:
    """Whether the receipt holds for `bigben verify`."""
    try:
        return bool([*check(receipt)])
    except Altered:
        return False


@pytest.mark.parametrize("race", RACES)
def test_the_sketch_takes_the_receipts_of_real_races(
    verify: Callable[[str], None], race: str
) -> None:
    verify(write(RACES[race]()))


@pytest.mark.parametrize("race", SHORT)
def test_the_sketch_refuses_an_alteration_of_any_field(
    verify: Callable[[str], None], race: str
) -> None:
    for path, altered in alterations(json.loads(write(RACES[race]()))):
        assert not holds(verify, json.dumps(altered)), path


@pytest.mark.parametrize("race", [SHORT[0], *tortured(*SHORT[1:])])
def test_with_a_new_seal_the_sketch_and_the_command_say_the_same(
    verify: Callable[[str], None], race: str
) -> None:
    compared = 0
    for path, altered in alterations(json.loads(write(RACES[race]()))):
        try:
            receipt = sealed(read(json.dumps(altered)))
        except (Altered, Unreadable):
            continue
        compared += 1
        assert holds(verify, write(receipt)) == holds_here(receipt), path
    assert compared > 300
