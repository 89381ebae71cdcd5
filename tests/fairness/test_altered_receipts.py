"""A receipt that is altered anywhere is refused with the reason."""

import json
import re
from collections import Counter
from dataclasses import MISSING, fields
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fairness.alterations import Alteration, alterations
from tests.fairness.forging import sealed, write
from tests.fairness.races import RACES, SHORT
from tests.support.torture import examples, often

from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Altered, Receipt, Unreadable, read

FIELDS = tuple(field.name for field in fields(Receipt) if field.default is MISSING)
NEW = ("kept_until", "mixed_at", "extra")
REASON = re.compile(rf"({'|'.join((*FIELDS, *NEW))})2?\b.*\.", re.DOTALL)
"""A sentence that begins with the name of a field; ``seed2`` is an added field."""
ATTESTED = {
    "race",
    "opened_at",
    "undo",
    "seats",
    "seats[].player",
    "seats[].name",
    "seats[].begun_at",
    "seats[].moves",
    "seats[].moves[].ms",
    "seal",
    "kept_until",
    "mixed_at",
    "seats[].nonce_hash",  # of a nonce that was withheld: nothing else can tell its hash
}
"""Fields that rest on the server's word alone; see ``docs/fairness.md``."""


def document(race: str) -> Any:
    return json.loads(write(RACES[race]()))


def reason(altered: Any) -> str:
    """Why the document is refused; empty when it holds."""
    try:
        for _ in check(read(json.dumps(altered))):
            pass
    except (Altered, Unreadable) as refused:
        return str(refused)
    return ""


def general(path: str) -> str:
    """``seats[].moves[].ms`` for ``seats[2].moves[7][0]``."""
    named = re.sub(r"(moves\[\d+\])\[(\d)\]", lambda m: m[1] + (".ms", ".move")[int(m[2])], path)
    return re.sub(r"\[\d+\]", "[]", named)


@pytest.mark.parametrize("race", SHORT)
def test_an_alteration_of_any_single_field_is_refused_with_the_reason(race: str) -> None:
    tried = Counter[str]()
    for path, altered in alterations(document(race)):
        tried[re.split(r"\W", path)[0]] += 1
        if path:
            assert REASON.fullmatch(reason(altered)), (path, reason(altered))
    assert min(tried[field] for field in FIELDS) >= 8


@pytest.mark.parametrize("race", SHORT)
def test_text_that_is_not_exactly_a_receipt_is_refused(race: str) -> None:
    for path, altered in alterations(document(race)):
        if path in ("", "extra"):
            assert reason(altered)


@pytest.mark.parametrize("race", RACES)
@given(data=st.data())
@examples(15)
def test_a_random_alteration_in_a_long_race_is_refused(race: str, data: st.DataObject) -> None:
    original = document(race)
    seat = data.draw(st.integers(0, len(original["seats"]) - 1))

    def whole(other: Any) -> Any:
        seats = [*original["seats"][:seat], other, *original["seats"][seat + 1 :]]
        return {**original, "seats": seats}

    of_the_seat = alterations(original["seats"][seat], f"seats[{seat}]", whole)
    nth = data.draw(st.integers(0, 3000))
    altered = next(islice(of_the_seat, nth, None), Alteration("extra", {**original, "extra": 0}))
    assert REASON.fullmatch(reason(altered.document)), altered.path


@pytest.mark.longer
@pytest.mark.parametrize("race", often(("short_live", "alone"), SHORT))
def test_with_a_new_seal_only_what_the_server_alone_attests_can_be_altered(race: str) -> None:
    held = set()
    for path, altered in alterations(document(race)):
        try:
            resealed = sealed(read(json.dumps(altered)))
        except (Altered, Unreadable):
            continue
        if not reason(json.loads(write(resealed))):
            held.add(general(path))
            if path.endswith("nonce_hash"):
                seat = int(re.findall(r"\d+", path)[0])
                assert altered["seats"][seat]["nonce_state"] == "withheld", path
    assert held <= ATTESTED
    assert "seats[].name" in held
    if race == "short_live":
        assert {"race", "opened_at", "seats[].moves[].ms"} <= held


@pytest.mark.parametrize(
    ("race", "path", "value", "said"),
    [
        ("short_live", ["commitment"], "0" * 64, "commitment is"),
        ("short_live", ["server_seed"], "0" * 64, "commitment is"),
        ("short_live", ["seed"], "0" * 64, "seed is"),
        ("short_live", ["seats", 2, "nonce"], "0" * 64, "seed is"),
        ("short_live", ["order", 91], "KD", 'order[91] is "KD"; the seed gives "QD".'),
        ("short_live", ["rules"], "survey", 'rules is "survey"; their one name is "book".'),
        ("short_live", ["rules"], "none", 'rules is "none": no rules are called'),
        ("short_live", ["kind"], "daily", 'race is "K7QPXM"; a daily is called daily.YYYY-MM-DD'),
        ("short_live", ["kind"], "practice", "kind is"),
        ("short_live", ["limit_ms"], 60_001, "closes_at is"),
        ("short_live", ["seats", 0, "begun_at"], 5, "seats[0].begun_at is 5; all started at"),
        ("short_live", ["seats", 0, "place"], 2, "seats[0].place is 2; the results give 1."),
        ("short_live", ["seats", 1, "player"], "guest:" + "a" * 24, "seats[1].player is"),
        ("short_live", ["seats", 1, "moves", 4, 0], 59_999, "seats[1].moves[4] is a timeout at"),
        ("short_live", ["seats", 2, "moves", 4, 0], 60_000, "seats[2].moves[4] is at 60000 ms"),
        ("short_live", ["seats", 2, "moves", 4, 1], "timeout", "seats[2].moves[4] is a timeout"),
        ("short_live", ["seats", 2, "moves", 2, 0], 1_999, "seats[2].moves[2] is at 1999 ms, bef"),
        ("short_live", ["seats", 2, "moves", 0, 1], "12 fdn", "seats[2].moves[0]: logs hold 12 f7"),
        ("short_live", ["seats", 2, "moves", 0, 1], "hm", "seats[2].moves[0]: 'hm' is not a move"),
        ("short_live", ["seats", 2, "moves", 0, 1], "undo", 'seats[2].moves[0] is "undo", which'),
        ("short_live", ["seats", 3, "moves"], [], "seats[3].moves end in the middle of the game"),
        ("alone", ["undo"], True, "seal is"),
        ("alone", ["seats"], [], "seats is empty"),
        ("won_live", ["seats", 0, "result", "home_ms"], 7, "seats[0].result.home_ms is 7; the mo"),
        ("won_live", ["undo"], False, 'seats[0].moves[1] is "undo", which is illegal: This race'),
        ("won_live", ["seats", 0, "result", "state"], "resigned", "seats[0].result.state is"),
        ("won_daily", ["race"], "daily.2026-11-22.bigben.standard", "opened_at is"),
        ("won_daily", ["race"], "daily.20261121.bigben.standard", "race is"),
        ("won_daily", ["race"], "daily.2026-11-21.bigben.book", "race is"),
        ("won_daily", ["race"], "daily", "race is"),
        ("won_daily", ["kind"], "live", "race is"),
        ("won_daily", ["starts_at"], 1, "starts_at is 1; in a daily it is 0."),
        ("won_daily", ["limit_ms"], 1, "limit_ms is 1; in a daily it is 0."),
        ("won_daily", ["undo"], True, "undo is true; in a daily it is false."),
        ("won_daily", ["seed"], "0" * 64, "seed is"),
        ("won_daily", ["seats", 0, "nonce"], "0" * 64, "seats[0].nonce is"),
        ("won_daily", ["seats", 0, "begun_at"], 1, "seats[0].begun_at is 1, when the race was no"),
        ("won_daily", ["seats", 4, "begun_at"], 1_795_305_595_001, "seats[4].moves[4] is a timeo"),
        ("won_daily", ["seats", 1, "moves", 108, 0], 109_001, "seats[1].result.ms is 109000; the"),
        ("won_daily", ["seats", 1, "moves", 108, 1], "resign", "seats[1].result.state is"),
        ("blocked_daily", ["seats", 1, "moves", 109, 1], "resign", "seats[1].result.state is"),
    ],
)
def test_the_reason_names_the_field_and_what_it_should_be(
    race: str, path: list[str | int], value: object, said: str
) -> None:
    altered = document(race)
    place = altered
    for step in path[:-1]:
        place = place[step]
    assert place[path[-1]] != value
    place[path[-1]] = value
    assert reason(altered).startswith(said)


@pytest.mark.parametrize(("race", "state"), [("won_live", "won"), ("blocked_daily", "blocked")])
def test_nothing_comes_after_the_end_of_a_game(race: str, state: str) -> None:
    altered = document(race)
    states = [seat["result"]["state"] for seat in altered["seats"]]
    number = states.index(state)
    moves = altered["seats"][number]["moves"]
    moves.append([moves[-1][0], "resign"])
    assert reason(altered) == (
        f"seats[{number}].moves[{len(moves) - 1}] comes when the game is over ({state})."
    )


def test_a_repeated_field_is_refused() -> None:
    text = write(RACES["alone"]())
    twice = text.replace('"place":1', '"place":2,"place":1')
    assert twice != text
    with pytest.raises(Altered, match="place is there twice"):
        read(twice)


@pytest.mark.parametrize("text", [b"", b"hello", b"[]", b"7", b"\xff\xfe\xff", b"[" * 100_000])
def test_text_that_is_not_a_json_object_cannot_be_read(text: bytes) -> None:
    with pytest.raises(Unreadable, match="this is"):
        read(text)


def test_the_fields_may_come_in_any_order_and_spacing() -> None:
    receipt = RACES["alone"]()
    backwards = dict(reversed(json.loads(write(receipt)).items()))
    assert read(json.dumps(backwards, indent=4)) == receipt
