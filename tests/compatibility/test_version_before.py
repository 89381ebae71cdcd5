"""What the version before stored and said still holds: its data and its clients go on.

``record.py`` made the recordings; CONTRIBUTING.md says when to make another one.
"""

import json
import shutil
from pathlib import Path
from typing import Final

import pytest
from tests.compatibility.command import bigben
from tests.compatibility.conversation import Line, Names, encoded, frame_of, read
from tests.compatibility.relay import served
from tests.compatibility.replay import Replay
from tests.compatibility.stopped_clock import StoppedClock

from bigben_protocol import CODECS, FrameError

FOLDER: Final = Path(__file__).parent / "recorded_8617899"
FIRST: Final = read(FOLDER / "first.jsonl")
LATER: Final = read(FOLDER / "later.jsonl")
RECEIPTS: Final = pytest.mark.parametrize(
    "receipt", sorted((FOLDER / "receipts").iterdir()), ids=lambda receipt: receipt.name
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the stored data, which a server may change."""
    folder = Path(shutil.copytree(FOLDER / "stored", tmp_path / "data"))
    folder.chmod(0o700)  # which git does not keep
    return folder


def written(receipt: Path) -> object:
    """What a receipt says."""
    return json.loads(receipt.read_bytes())


async def admin(data: Path, *argv: str | Path) -> str:
    """What ``bigben admin`` says when it is done."""
    code, said = await bigben(data.parent, "admin", "--data", data, *argv)
    assert code == 0, said
    return said


async def test_a_server_answers_the_recorded_clients_as_it_did(tmp_path: Path) -> None:
    await Replay(tmp_path / "data", tmp_path).run(FIRST)


async def test_stored_races_go_on_as_they_did(data: Path, tmp_path: Path) -> None:
    await Replay(data, tmp_path).run(LATER)


async def test_nothing_that_is_stored_counts_as_damaged(data: Path) -> None:
    await admin(data, "check")


async def test_stored_races_go_on_after_their_boards_are_rebuilt(
    data: Path, tmp_path: Path
) -> None:
    await admin(data, "rebuild-boards")
    await Replay(data, tmp_path).run(LATER)


async def test_stored_races_go_on_after_an_export_and_an_import(data: Path, tmp_path: Path) -> None:
    await admin(data, "export", tmp_path / "export")
    await admin(tmp_path / "other", "import", tmp_path / "export")
    await Replay(tmp_path / "other", tmp_path).run(LATER)


@RECEIPTS
async def test_a_stored_race_has_the_same_receipt(
    receipt: Path, data: Path, tmp_path: Path
) -> None:
    StoppedClock(tmp_path / "clock").set(max(line.get("clock", 0) for line in FIRST))
    async with served(data, tmp_path / "clock") as url:
        code, said = await bigben(
            tmp_path, "receipt", receipt.name, "--server", url, "--name", "Eve"
        )
    assert code == 0, said
    assert Names().missing(written(receipt), json.loads(said)) == []


@RECEIPTS
async def test_an_old_receipt_holds(receipt: Path, tmp_path: Path) -> None:
    code, said = await bigben(tmp_path, "verify", receipt)
    assert code == 0, said


def messages(lines: list[Line], direction: str) -> list[Line]:
    """The frames that were sent in this direction."""
    return [line["frame"] for line in lines if direction in line]


@pytest.mark.parametrize("codec", CODECS)
def test_what_old_clients_say_means_the_same(codec: str) -> None:
    malformed = []
    for frame in messages(FIRST + LATER, "say"):
        try:
            message = CODECS[codec].decode_client(encoded(frame, codec))
        except FrameError:
            malformed.append(frame)
        else:
            again = frame_of(CODECS[codec].encode(message), codec)
            assert Names().missing(frame, again) == []
    assert [frame["n"] for frame in malformed] == ["one"]


@pytest.mark.parametrize("codec", CODECS)
def test_what_old_servers_say_means_the_same(codec: str) -> None:
    for frame in messages(FIRST + LATER, "hear"):
        message = CODECS[codec].decode_server(encoded(frame, codec))
        again = frame_of(CODECS[codec].encode(message), codec)
        assert Names().missing(frame, again) == []
