"""`bigben verify` as a real process that can import only the rules."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.fairness.forging import sealed, write
from tests.fairness.races import RACES
from tests.terminal.command import arguments, bigben_here, complaint, environment

from bigben_terminal.receipts.receipt_form import Receipt
from bigben_terminal.subcommands.verify import HOLDS


@pytest.fixture
def receipt(tmp_path: Path) -> Path:
    """The receipt of a short race."""
    return written(tmp_path, RACES["short_live"]())


def written(folder: Path, receipt: Receipt) -> Path:
    file = folder / "receipt.json"
    file.write_text(write(receipt))
    return file


def alter(receipt: Path, **fields: Any) -> None:
    receipt.write_text(json.dumps({**json.loads(receipt.read_text()), **fields}))


def test_a_receipt_that_holds_says_what_was_checked(receipt: Path) -> None:
    done = bigben_here("verify", str(receipt))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"\n{HOLDS}\n")
    checked = done.stdout.removesuffix(f"{HOLDS}\n").splitlines()
    assert [line.split(":")[0] for line in checked] == [
        "✓ race",
        "✓ commitment",
        "✓ seed",
        "✓ deal",
        "✓ Ada",
        "✓ Bob ♣",
        "✓ Çyd",
        "✓ Dan",
        "✓ places",
        "✓ seal",
    ]
    assert "✓ Ada: resigned, 13 moves, 20 cards home, the last one at 0:12.254" in checked


@pytest.mark.parametrize("race", RACES)
def test_a_receipt_can_come_by_standard_input(race: str) -> None:
    done = bigben_here("verify", "-", stdin=write(RACES[race]()).encode())
    assert (done.returncode, done.stderr) == (0, "")


def test_an_altered_receipt_is_refused_in_one_sentence(receipt: Path) -> None:
    alter(receipt, seed="0" * 64)
    done = bigben_here("verify", str(receipt))
    assert done.returncode == 1
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == ["✓ race", "✓ commitment"]
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith(f'✗ seed is "{"0" * 64}"; server_seed and the nonces give "')


def test_an_added_field_is_refused(receipt: Path) -> None:
    alter(receipt, winner="Bob")
    done = bigben_here("verify", str(receipt))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "✗ winner is no field of a receipt of bigben-receipt-v1.\n"


def test_a_field_that_only_the_server_attests_breaks_the_seal(receipt: Path) -> None:
    alter(receipt, race="K7QPXN")
    done = bigben_here("verify", str(receipt))
    assert done.returncode == 1
    assert done.stderr.startswith("✗ seal is ")


def test_names_from_strangers_are_harmless_to_the_terminal(tmp_path: Path) -> None:
    honest = RACES["alone"]()
    seat = replace(honest.seats[0], name="\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}Eve\n✓ seal")
    file = written(tmp_path, sealed(replace(honest, seats=(seat,))))
    done = bigben_here("verify", str(file))
    assert done.returncode == 0
    assert "✓ �[2J�Eve�✓ seal: resigned, 1 move" in done.stdout


def test_a_stream_without_tick_marks_gets_words(receipt: Path) -> None:
    def verify() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            arguments("verify", str(receipt)),
            env={**environment(), "PYTHONIOENCODING": "ascii"},
            capture_output=True,
            check=False,
        )

    shown = verify().stdout.decode("ascii")
    assert shown.startswith("ok race: ")
    assert "\nok Bob \\u2663: " in shown
    alter(receipt, kind="café")
    assert verify().stderr == b'NO kind is "caf\\u00e9"; live, daily or deadline belongs there.\n'


@pytest.mark.parametrize("text", [b"", b"hello", b"[]", b"\xff\xfe\x00", b"[" * 100_000])
def test_an_unreadable_receipt_gets_a_sentence(text: bytes) -> None:
    assert complaint("verify", "-", stdin=text).startswith("bigben verify: -: this is ")


def test_a_missing_file_gets_a_sentence_in_verify(tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    assert complaint("verify", str(file)) == f"bigben verify: {file}: No such file or directory"
