"""`bigben analyse` as a real process: it takes a receipt that holds, and nothing else."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.fairness.forging import write
from tests.fairness.races import RACES
from tests.terminal.command import complaint
from tests.terminal.test_receipt import bigben

from bigben_client import Client

RECEIPT = write(RACES["short_live"]())


@pytest.fixture
def receipt(tmp_path: Path) -> Path:
    """The receipt of a short race."""
    file = tmp_path / "receipt.json"
    file.write_text(RECEIPT)
    return file


async def test_a_receipt_is_analysed_and_the_analysis_is_kept(receipt: Path, home: Path) -> None:
    wanted = ("analyse", str(receipt), "--player", "ada", "--ascii")
    code, out, err = await bigben(*wanted, home=home)
    assert (code, err) == (0, "")
    assert "Best known win: " in out
    assert "Ada: 20 home, gave up, 13 moves" in out
    assert "Winning chance" in out
    assert "Skill " in out
    assert out.isascii()
    (kept,) = (home / "bigben" / "analyses").glob("*.json")
    assert kept.stat().st_mode & 0o777 == 0o600
    changed = json.loads(kept.read_text()) | {"luck": 1234}
    kept.write_text(json.dumps(changed))
    _, out, _ = await bigben(
        "analyse", "-", *wanted[2:4], "--json", home=home, stdin=RECEIPT.encode()
    )
    (seat,) = json.loads(out)["seats"]
    assert (seat["name"], seat["luck"]) == ("Ada", 1234), "it is not computed twice"
    kept.write_text("{")
    assert (await bigben(*wanted, home=home))[0] == 0, "a broken file is computed again"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seed": "5e" * 32}, "seed is"),
        ({"seats": []}, "seats is empty"),
        ({"order": ["AC"] * 92}, "order"),
        ({"version": 7}, "version is 7"),
        ({"game": "x" * 999}, "game is"),
    ],
)
def test_an_altered_receipt_is_refused(changes: dict[str, object], why: str) -> None:
    text = json.dumps(json.loads(RECEIPT) | changes)
    said = complaint("analyse", "-", stdin=text.encode())
    assert f"this is not the receipt of a race that is over: {why}" in said


def test_what_cannot_be_analysed_is_refused_in_a_sentence(receipt: Path) -> None:
    for stdin in (b"", b"\xff\xfe", b"[]", b'{"a": ' * 9_999, b"x" * 1_000_000):
        assert complaint("analyse", "-", stdin=stdin)
    clock = write(RACES["clock_standard"]()).encode()
    only = "bigben analyse: only races of Big Ben and Grandfather’s Clock can be analysed"
    assert complaint("analyse", "-", stdin=clock) == only
    nobody = "bigben analyse: nobody called Zoë played in this race"
    assert complaint("analyse", str(receipt), "--player", "Zoë") == nobody


async def test_an_open_race_of_a_server_is_refused(server: str, home: Path) -> None:
    async with Client(server, name="Ada") as ada:
        race = (await ada.create()).race
        await ada.ready(race)
        await ada.start(race)
        await asyncio.wait_for(until_dealt(ada, race), 60)
        code, out, err = await bigben("analyse", race, "--server", server, home=home)
        assert (code, out) == (2, "")
        assert "is not closed; it closes at" in err


async def until_dealt(client: Client, race: str) -> None:
    events = client.events()
    while race not in client.views:
        await anext(events)
