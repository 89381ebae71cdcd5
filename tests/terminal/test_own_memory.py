"""`bigben verify` compares a receipt with the evidence on this machine."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.fairness.forging import write
from tests.fairness.races import RACES
from tests.terminal.command import bigben
from tests.terminal.typist import Typist

from bigben_terminal.local_files import seen_races
from bigben_terminal.receipts.own_memory import compare
from bigben_terminal.receipts.receipt_form import Altered, Receipt
from bigben_terminal.subcommands.verify import AGREES

LIVE = {"limit_ms": 60_000, "undo": True}
"""The rules of ``short_live``, as they are kept."""


def kept_of(receipt: Receipt, **other: Any) -> str:
    """The evidence of the first seat, except for these fields. Any: any JSON."""
    seat = receipt.seats[0]
    fields = {
        "race": receipt.race,
        "player": seat.player,
        "kind": receipt.kind,
        "rules": {"limit_ms": receipt.limit_ms, "undo": receipt.undo, "rules": receipt.rules},
        "commitment": receipt.commitment,
        "nonce": seat.nonce,
        "begun_at": seat.begun_at,
        "moves": [[n, text, ms, []] for n, (ms, text) in enumerate(seat.moves, 1)],
    }
    return json.dumps({**fields, **other})


@pytest.mark.parametrize("race", ["short_live", "short_daily"])
def test_a_receipt_that_agrees_with_the_evidence_holds(race: str) -> None:
    receipt = RACES[race]()
    [line] = compare(receipt, [kept_of(receipt)])
    assert line.startswith("Ada, on this machine: the commitment, ")
    assert ("the nonce" in line) is (race == "short_live")
    count = len(receipt.seats[0].moves)
    assert f"{count} of {count} moves are as they were seen" in line


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"commitment": "0" * 64}, "commitment is "),
        ({"nonce": "0" * 64}, "seats[0].nonce is "),
        ({"begun_at": 7}, "seats[0].begun_at is "),
        ({"kind": "daily"}, "kind is "),
        ({"rules": {}}, "limit_ms is "),
        ({"rules": {**LIVE, "game": "watch"}}, "game is "),
        ({"rules": {**LIVE, "winnable": True}}, "wanted is "),
        ({"rules": {**LIVE, "winnable": True, "grade": "hard"}}, "wanted is "),
        ({"counter": 7}, "counter is "),
        ({"moves": [[1, "turn", 5, []]]}, "seats[0].moves[0] is "),
        ({"moves": [[99, "turn", 5, []]]}, "seats[0].moves[98] is not there; "),
        ({"player": "guest:somebody"}, 'seats lack "guest:somebody"'),
    ],
    ids=[
        "commitment",
        "nonce",
        "begin",
        "kind",
        "limit",
        "game",
        "winnable",
        "grade",
        "counter",
        "move",
        "no such move",
        "player",
    ],
)
def test_a_receipt_that_contradicts_the_evidence_does_not_hold(
    other: dict[str, Any], field: str
) -> None:
    receipt = RACES["short_live"]()
    with pytest.raises(Altered) as caught:
        list(compare(receipt, [kept_of(receipt, **other)]))
    assert str(caught.value).startswith(field)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "other",
    [
        {"race": "OTHER1"},
        {"begun_at": 0, "player": "guest:somebody"},
        {"moves": [7]},
        {"moves": 7},
    ],
)
def test_evidence_of_another_race_or_that_cannot_be_read_is_ignored(other: dict[str, Any]) -> None:
    receipt = RACES["short_live"]()
    assert [*compare(receipt, [kept_of(receipt, **other), "{", "[]"])] == []


def test_a_daily_of_another_server_is_another_race() -> None:
    receipt = RACES["short_daily"]()
    elsewhere = kept_of(receipt, player="guest:somebody", commitment="0" * 64)
    assert [*compare(receipt, [elsewhere])] == []
    with pytest.raises(Altered, match="seats lack"):
        list(compare(receipt, [kept_of(receipt, player="guest:somebody")]))


def test_the_command_reads_what_play_has_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    receipt = RACES["short_live"]()
    seat = receipt.seats[0]
    seen_races.save("ws://a", receipt.race, seat.player, kept_of(receipt))
    done = bigben("verify", "-", stdin=write(receipt).encode())
    assert (done.returncode, done.stdout.endswith(f"{AGREES}\n")) == (0, True)
    seen_races.save("ws://a", receipt.race, seat.player, kept_of(receipt, commitment="0" * 64))
    done = bigben("verify", "-", stdin=write(receipt).encode())
    assert done.returncode == 1
    assert "on this machine it was " in done.stderr


def test_a_receipt_is_compared_when_it_is_requested(server: str, tmp_path: Path) -> None:
    arguments = ("play", "--create", "--server", server, "--name", "Ada")
    with Typist(*arguments, home=tmp_path) as ada:
        race = ada.sees("Type ready when you are").split("bigben play ")[1].split()[0]
        ada.type("ready")
        ada.type("start")
        ada.sees("Type yes")
        ada.type("yes")
        ada.sees("move 0 ")
        ada.type("resign")
        ada.sees("your nonce, your 1 move and its time agree.")
    with Typist("receipt", race, "--server", server, "--output", os.devnull, home=tmp_path) as ada:
        code, shown = ada.ends()
    assert code == 0
    assert "your nonce, your 1 move and its time agree." in shown
