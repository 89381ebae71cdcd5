"""The data and the clients of the version before still work.

``record.py`` made the recordings; CONTRIBUTING.md says when to make another one.
"""

import json
import shutil
from pathlib import Path
from typing import Final

import pytest
from tests.compatibility.command import bigben
from tests.compatibility.conversation import Frame, Line, Names, encoded, frame_of, read
from tests.compatibility.relay import served
from tests.compatibility.replay import Replay
from tests.compatibility.stopped_clock import StoppedClock
from tests.server.packed_by_hand import pack_closed

from bigben_protocol import CODECS, FrameError, RaceId
from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.opening import client_of
from bigben_server.storage.race_log import Store

HERE: Final = Path(__file__).parent
RECORDED: Final = tuple(sorted(HERE.glob("recorded_*")))
RECEIPTS: Final = pytest.mark.parametrize(
    "receipt",
    sorted(HERE.glob("recorded_*/receipts/*")),
    ids=lambda receipt: f"{receipt.parts[-3]}-{receipt.name}",
)


@pytest.fixture(params=RECORDED, ids=lambda folder: folder.name)
def recorded(request: pytest.FixtureRequest) -> Path:
    """Each version's folder."""
    assert isinstance(request.param, Path)
    return request.param


@pytest.fixture
def later(recorded: Path) -> list[Line]:
    """The conversation of players who returned to the data."""
    return read(recorded / "later.jsonl")


@pytest.fixture
def data(recorded: Path, tmp_path: Path) -> Path:
    """A copy of the stored data, which a server may change."""
    return copied(recorded, tmp_path)


def copied(recorded: Path, folder: Path) -> Path:
    """A copy of a version's stored data."""
    data = Path(shutil.copytree(recorded / "stored", folder / "data"))
    data.chmod(0o700)  # which git does not keep
    return data


def written(receipt: Path) -> object:
    """The content of a receipt."""
    return json.loads(receipt.read_bytes())


async def admin(data: Path, *argv: str | Path) -> str:
    """The output of ``bigben admin``."""
    code, said = await bigben(data.parent, "admin", "--data", data, *argv)
    assert code == 0, said
    return said


async def test_a_server_answers_the_recorded_clients_as_it_did(tmp_path: Path) -> None:
    await Replay(tmp_path / "data", tmp_path).run(read(HERE / "recorded_8617899/first.jsonl"))


async def test_stored_races_continue_as_they_did(
    data: Path, later: list[Line], tmp_path: Path
) -> None:
    await Replay(data, tmp_path).run(later)


async def test_no_stored_data_counts_as_damaged(data: Path) -> None:
    await admin(data, "check")


def as_far_as_a_restart(lines: list[Line]) -> list[Line]:
    """The conversation before the races close."""
    return lines[: lines.index({"stop": True}) + 1]


def without_ratings(lines: list[Line]) -> list[Line]:
    """The conversation without what races of three and more are rated: 0.2.0 rates them anew."""

    def of_ratings(frame: Frame) -> bool:
        return frame.get("by") == "rating" or frame.get("board", "").endswith(".rating")

    def said(frame: Frame) -> Frame:
        if "tallies" not in frame:
            return frame
        tallies = [
            {name: value for name, value in tally.items() if name != "rating"}
            for tally in frame["tallies"]
        ]
        return frame | {"tallies": tallies}

    return [
        line | {name: said(line[name]) for name in ("frame", "answer") if name in line}
        for line in lines
        if not of_ratings(line.get("frame", {}))
    ]


async def test_stored_races_continue_after_they_are_packed_and_their_boards_rebuilt(
    data: Path, later: list[Line], tmp_path: Path
) -> None:
    assert await packed(data)
    await admin(data, "rebuild-boards")
    await Replay(data, tmp_path).run(without_ratings(as_far_as_a_restart(later)))


async def test_stored_races_continue_after_an_export_and_an_import(
    data: Path, later: list[Line], tmp_path: Path
) -> None:
    await admin(data, "export", tmp_path / "export")
    await admin(tmp_path / "other", "import", tmp_path / "export")
    await Replay(tmp_path / "other", tmp_path).run(without_ratings(as_far_as_a_restart(later)))


async def packed(data: Path) -> list[RaceId]:
    """Pack all closed races; returns which."""
    async with EmbeddedRedis(data) as url, client_of(url) as client:
        return await pack_closed(Store(client))


@RECEIPTS
async def test_a_stored_race_has_the_same_receipt_though_it_is_packed(
    receipt: Path, tmp_path: Path
) -> None:
    recorded = receipt.parents[1]
    data = copied(recorded, tmp_path)
    assert receipt.name in await packed(data)
    when, *_ = read(recorded / "later.jsonl")
    StoppedClock(tmp_path / "clock").set(when["clock"])
    async with served(data, tmp_path / "clock") as url:
        code, said = await bigben(
            tmp_path, "receipt", receipt.name, "--server", url, "--name", "Eve"
        )
    assert code == 0, said
    assert Names().missing(written(receipt), json.loads(said)) == []


@RECEIPTS
async def test_an_old_receipt_still_holds(receipt: Path, tmp_path: Path) -> None:
    code, said = await bigben(tmp_path, "verify", receipt)
    assert code == 0, said


@pytest.fixture(
    params=sorted(HERE.glob("recorded_*/*.jsonl")),
    ids=lambda file: f"{file.parent.name}-{file.stem}",
)
def conversation(request: pytest.FixtureRequest) -> list[Line]:
    """Each recorded conversation."""
    assert isinstance(request.param, Path)
    return read(request.param)


def messages(lines: list[Line], direction: str) -> list[Line]:
    """The frames in this direction."""
    return [line["frame"] for line in lines if direction in line]


@pytest.mark.parametrize("codec", CODECS)
def test_what_old_clients_say_means_the_same(codec: str, conversation: list[Line]) -> None:
    malformed = []
    for frame in messages(conversation, "say"):
        try:
            message = CODECS[codec].decode_client(encoded(frame, codec))
        except FrameError:
            malformed.append(frame)
        else:
            again = frame_of(CODECS[codec].encode(message), codec)
            assert Names().missing(frame, again) == []
    assert [frame["n"] for frame in malformed] in ([], ["one"])


@pytest.mark.parametrize("codec", CODECS)
def test_what_old_servers_say_means_the_same(codec: str, conversation: list[Line]) -> None:
    for frame in messages(conversation, "hear"):
        message = CODECS[codec].decode_server(encoded(frame, codec))
        again = frame_of(CODECS[codec].encode(message), codec)
        assert Names().missing(frame, again) == []
