"""What front ends say about the deal of a room: first the wish, then what came of it."""

import pytest
from msgspec.structs import replace

from bigben_protocol import Phase, RaceId, Room, Rules
from bigben_protocol.wishes import choosing_text, deal_text

HARD = Room(RaceId("K7QPXM"), "live", "open", Rules(winnable=True, grade="hard"), "", 0)
ANY = replace(HARD, rules=Rules(winnable=True))


@pytest.mark.parametrize(
    ("phase", "choosing", "certified", "said"),
    [
        ("open", False, False, ("grade.hard", "grade.winnable")),
        ("countdown", True, False, ("grade.hard", "grade.winnable")),
        ("countdown", False, True, ("grade.hard", "grade.winnable")),
        ("running", False, True, ("grade.hard", "grade.winnable")),
        ("countdown", False, False, ("grade.unknown", "grade.unknown")),
        ("closed", False, False, ("grade.unknown", "grade.unknown")),
        ("cancelled", False, False, ("grade.hard", "grade.winnable")),
    ],
)
def test_a_deal_that_was_not_found_is_not_called_hard(
    phase: Phase, choosing: bool, certified: bool, said: tuple[str, str]
) -> None:
    rooms = [replace(r, phase=phase, choosing=choosing, certified=certified) for r in (HARD, ANY)]
    assert tuple(map(deal_text, rooms)) == said
    wait = ("choosing.hard", "choosing.winnable") if choosing else ("", "")
    assert tuple(map(choosing_text, rooms)) == wait


def test_a_room_that_asks_for_nothing_says_nothing() -> None:
    assert deal_text(replace(HARD, rules=Rules())) == choosing_text(HARD) == ""
