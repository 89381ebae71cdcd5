"""docs/protocol.md is true: its frames are messages, its game can be played, its numbers hold."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from tests.support.patience import PATIENCE_S
from tests.wire.in_process import server_here
from tests.wire.page import TEXT, blocks, frames, rows, section
from tests.wire.peer import peer
from tests.wire.schemas import fits
from tools.describe_protocol import ROOT

from bigben_protocol import CODECS, JSON, Diff, FrameError, Snapshot, View
from bigben_protocol.conversation import CLOSES, REFUSALS
from bigben_server.accounts.names import LONGEST
from bigben_server.config import Limits
from bigben_server.leaderboards.queries import MOST_WAITING
from bigben_server.race.deciding import MOST_SEATS
from bigben_server.race.game import MOST_MOVES
from bigben_server.race.state import IDLE_MS
from bigben_server.race.views import MOST_SHOWN
from bigben_server.rooms import quotas
from bigben_server.rooms.answers import challenges, seasons
from bigben_server.rooms.session import MOST_READS
from bigben_server.seasons.season import MOST_CHANGES
from bigben_server.storage.bounds import house
from bigben_server.transport.admission import FLOOD_COST, UPGRADE_COST

CODEC = CODECS[JSON]
GAME = "One game, frame by frame"


def test_every_frame_is_a_message_and_fits_its_schema() -> None:
    assert len(frames()) > 25
    for frame in frames():
        decode = CODEC.decode_client if frame.from_client else CODEC.decode_server
        decode(frame.text)
        name = "client-messages" if frame.from_client else "server-messages"
        assert fits(f"{name}.schema.json")(json.loads(frame.text)), frame


def test_the_malformed_frame_is_closed_for_the_reason_given() -> None:
    (frame,) = frames("malformed")
    with pytest.raises(FrameError) as error:
        CODEC.decode_client(frame.text)
    assert str(error.value) in section("Closes")
    assert not fits("client-messages.schema.json")(json.loads(frame.text))


def test_a_client_that_folds_the_game_sees_what_the_server_sees() -> None:
    heard = [CODEC.decode_server(frame.text) for frame in frames() if not frame.from_client]
    (snapshot,) = (message for message in heard if isinstance(message, Snapshot))
    view = View.of(snapshot)
    for message in heard:
        if isinstance(message, Diff):
            view = view.after(message)  # raises where a digest is wrong
    assert (view.n, view.state) == (3, "resigned")


def test_the_example_of_the_digest_is_right() -> None:
    (block,) = blocks("digest")
    line, number = block.splitlines()
    assert crc32(line.encode()) == int(number)


async def test_the_game_on_the_page_can_be_played(tmp_path: Path) -> None:
    """Frame by frame, except for values that depend on the day or the guest."""
    race = ""
    async with server_here(tmp_path / "data") as url, peer(url, name="") as ada:
        for frame in frames(text=section(GAME)):
            if frame.from_client:
                await ada.socket.send(frame.text.replace("CF3B8S", race))
                continue
            async with asyncio.timeout(PATIENCE_S):
                said = json.loads(await ada.socket.recv())
            race = said.get("race", race)
            assert lasting(said) == lasting(json.loads(frame.text))


CHANGING = {"player", "token", "race", "host", "now_at", "opened_at", "closes_at", "begun_at"}
CHANGING |= {"ms", "home_ms", "kept_until"}


def lasting(value: Any) -> Any:
    """A message without values that are different each time."""
    match value:
        case dict():
            return {name: lasting(item) for name, item in value.items() if name not in CHANGING}
        case list():
            return [lasting(item) for item in value]
        case _:
            return value


def test_the_page_has_exactly_the_codes_of_refusals_and_closes() -> None:
    assert rows("Refusals") == [[f"`{code}`", meaning] for code, meaning in REFUSALS.items()]
    assert rows("Closes") == [[str(code), meaning] for code, meaning in CLOSES.items()]


def test_the_limits_on_the_page_are_the_defaults() -> None:
    usual = Limits()
    assert [cells[1] for cells in rows("Limits")] == [
        f"{usual.frame_bytes:,} bytes",
        str(usual.burst),
        str(usual.messages_per_second),
        f"{usual.work_per_second:,}",
        str(MOST_READS),
        f"{MOST_WAITING:,}",
        str(usual.races_per_connection),
        str(usual.races_per_address),
        str(usual.rooms_per_minute),
        str(usual.rooms_per_address),
        f"{usual.seats_per_address:,}",
        str(quotas.SEATS),
        str(quotas.GROUPS),
        str(quotas.GROUPS_OF_ADDRESS),
        str(house.MOST_SEATS),
        str(house.MOST_OF_ADDRESS),
        str(house.MOST_OF_PLAYER),
        str(usual.guests_per_address),
        str(usual.connections_per_player),
        str(usual.connections_per_address),
        str(usual.connects_per_second),
        str(usual.api_per_second),
        str(MOST_SEATS),
        str(quotas.GROUPS),  # and as many seasons
        f"{seasons.MOST_OF_GROUP} and {seasons.MOST_OF_PLAYER}",
        str(quotas.SEASON_CHANGES),
        str(MOST_CHANGES),
        f"{challenges.MOST_SENT} and {challenges.MOST_RECEIVED}",
        str(MOST_SHOWN),
        f"{MOST_MOVES:,}",
        f"{IDLE_MS // 3_600_000} hours",
        str(LONGEST),
    ]
    assert usual.queue_bytes == 2**20, "the page says a megabyte"
    assert f"A WebSocket counts as {1 + UPGRADE_COST} new connections" in TEXT
    assert f"closed for its rate as {FLOOD_COST} more" in " ".join(TEXT.split())


def test_the_links_of_the_page_exist() -> None:
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(links) >= 3
    assert [link for link in links if not (ROOT / "docs" / link.split("#")[0]).exists()] == []
