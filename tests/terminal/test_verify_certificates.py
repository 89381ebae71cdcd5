"""`bigben verify` with a file of certificates, as a real process that can import only the rules."""

import gzip
import lzma
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from tests.support.paths import ROOT
from tests.terminal.command import bigben_here, complaint

from bigben_solver.certificates import HEADER
from bigben_terminal.subcommands.verify import NOT_PROVED, PROVED, WIN

with lzma.open(ROOT / "research" / "published" / "certificates.xz", "rt") as published:
    ALL = [line.strip() for line in islice(published, 1, 30)]
WON = [line for line in ALL if " won " in line][:3]
OPEN = "bigben book 7 unknown 50000"


def file_of(*lines: str, total: int | None = None) -> bytes:
    first = f"{HEADER} {len(lines) if total is None else total}"
    return "".join(f"{line}\n" for line in (first, *lines)).encode()


@pytest.mark.parametrize(
    "compress", [bytes, lzma.compress, gzip.compress], ids=["plain", "xz", "gzip"]
)
def test_every_line_is_played_again(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    file = tmp_path / "certificates"
    file.write_bytes(compress(file_of(*WON, OPEN)))
    done = bigben_here("verify", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "✓ bigben standard: 3 deals, 3 won, 0 lost, 0 unknown",
        "✓ bigben book: 1 deals, 0 won, 0 lost, 1 unknown",
        WIN,
        NOT_PROVED,
    ]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([WON[0][:-1]], "certificate 1: The moves end with"),
        ([*WON[:2], WON[0]], "certificate 3: Its deal has come before."),
        ([WON[0].replace(" won", " lost")], "certificate 1: '"),
        ([WON[0].replace("standard", "default")], "certificate 1: There is a mistake: no rules"),
    ],
)
def test_a_file_with_a_wrong_line_is_refused(lines: list[str], sentence: str) -> None:
    done = bigben_here("verify", "-", stdin=file_of(*lines))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"✗ {sentence}")


def test_a_file_with_a_missing_line_is_refused() -> None:
    done = bigben_here("verify", "-", stdin=file_of(*WON, total=4))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "✗ the file has 3 certificates; its first line says 4\n"


def test_losses_are_proved_again_on_demand() -> None:
    lost = "bigben book 277 lost 2000"
    done = bigben_here("verify", "--deep", "-", stdin=file_of(lost))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "✓ bigben book: 1 deals, 0 won, 1 lost, 0 unknown",
        WIN,
        PROVED,
    ]
    claimed = f"{WON[0].rsplit(' ', 2)[0]} lost 2000"
    done = bigben_here("verify", "--deep", "-", stdin=file_of(claimed))
    assert done.returncode == 1
    assert done.stderr.startswith("✗ certificate 1: The solver does not prove that it is lost")


@pytest.mark.parametrize(
    "damaged",
    [
        lzma.compress(file_of(*WON))[:-9],
        gzip.compress(file_of(*WON))[:-9],
        file_of(*WON)[:-1],
        f"{HEADER} many\n".encode(),
        f"{HEADER} 1\n{'0' * 9_999}\n".encode(),
        lzma.compress(b"something else\n"),
    ],
)
def test_a_damaged_file_gets_a_sentence(damaged: bytes) -> None:
    assert complaint("verify", "-", stdin=damaged).startswith("bigben verify: -: ")
