"""Everything that a server logs while players play and things fail: no secret is in any line."""

import asyncio
import io
import json
import logging
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.wire.in_process import server_here
from tests.wire.peer import Peer, peer, race_to_the_end

from bigben_protocol import (
    MSGPACK,
    Create,
    Diff,
    GetLink,
    GetProfile,
    Hello,
    Join,
    Link,
    Move,
    PlayerId,
    Ready,
    Refused,
    Room,
    Snapshot,
    Watch,
    Welcome,
)
from bigben_rules.cards import PACK
from bigben_server.leaderboards.queries import Queries
from bigben_server.logs import Lines
from bigben_server.race import deciding

KEY = "the-key-of-the-discord-issuer-that-nobody-may-read"


@pytest.fixture(params=[False, True], ids=["text", "json"])
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """All lines of this process, as a server of its own would write them."""
    handler, root = logging.StreamHandler(io.StringIO()), logging.getLogger()
    handler.setFormatter(Lines(as_json=request.param, worker=3, keys=[KEY]))
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    yield handler.stream
    root.removeHandler(handler)
    root.setLevel(level)
    logging.getLogger("websockets").setLevel(logging.NOTSET)


async def test_no_secret_is_logged_whatever_is_played_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: io.StringIO
) -> None:
    tokens: list[str] = []
    async with server_here(tmp_path / "data", issuers={"discord": (KEY,)}) as url:
        await race_to_the_end(url)
        async with peer(url) as ada, peer(url, MSGPACK, name="Bob") as bob:
            room = await ada.ask(Create(invite_only=True, ref=1), Room)
            invited = room.invite
            await bob.ask(Join(invited, ref=1), Room)
            await bob.ask(GetLink(ref=2), Link)
            await ada.say(Create(practice=True, ref=2))
            game = await ada.until(Room, lambda room: room.ref == 2)
            await ada.say(Ready(game.race))
            dealt = await ada.until(Snapshot)
            for number, move in enumerate((dealt.legal[0], "12 11", "deal"), 1):
                await ada.say(Move(game.race, number, move))
            await ada.until(Diff)
            # A token where none belongs, and tokens that are wrong or used.
            link = next(one.token for one in bob.heard if isinstance(one, Link))
            await ask(url, f"/api/players/{link}", f"/api/races/{invited}")
            await turned_away(url, link)
            await turned_away(url, f"{link[:-4]}AAAA")
            # Bugs of ours, with all that is secret in the texts of their exceptions.
            stock = " ".join(PACK)
            secret = f"{link} {invited} {KEY} {'ab' * 32} {stock}"
            with monkeypatch.context() as broken:
                broken.setattr(deciding, "decide", breaking(secret))
                broken.setattr(Queries, "profile", asynchronously(breaking(secret)))
                await ask(url, f"/api/players/{link[:100]}")
                await ada.say(Move(game.race, 2, "deal"))
                assert (await ada.closed())[0] == 1011
                await bob.say(GetProfile(PlayerId("guest:x")))
                assert (await bob.closed())[0] == 1011
        for one in (ada, bob):
            given = [message for message in one.heard if isinstance(message, Welcome | Link)]
            tokens += [message.token for message in given]
    said = log.getvalue()
    assert "we are wrong" in said
    assert said.count("Traceback") >= 3
    assert re.search(r"connection\W+[0-9a-f]{8}", said)
    signatures = [token.rpartition(".")[2] for token in tokens]
    for secret in (KEY, *tokens, *signatures, invited, invited.rpartition("-")[2]):
        assert secret not in said
    lines = said.splitlines()
    assert [line for line in lines if re.search(rf"\b({'|'.join(PACK)})\b", line)] == []
    assert all(re.search(r"worker\W+3", line) for line in lines), "each event is one line"


def breaking(secret: str) -> Any:
    def fails(*_: object, **__: object) -> Any:
        raise ValueError(f"we are wrong: {secret}")

    return fails


def asynchronously(fails: Any) -> Any:
    async def answer(*_: object, **__: object) -> Any:
        return fails()

    return answer


async def turned_away(url: str, token: str) -> None:
    """Say hello with a token, twice, so that a link is used."""
    for _ in range(2):
        async with peer(url, name="") as one:
            await one.say(Hello(token=token))
            await first(one)


async def first(one: Peer) -> Welcome | Refused:
    while True:
        match await one.hear():
            case Welcome() | Refused() as answer:
                return answer
            case _:
                pass


async def ask(url: str, *paths: str) -> None:
    def get(path: str) -> None:
        try:
            with urllib.request.urlopen(f"{url.replace('ws:', 'http:')}{path}") as response:
                response.read()
        except urllib.error.HTTPError as error:
            error.close()

    for path in paths:
        await asyncio.to_thread(get, path)


def test_every_line_is_json_if_the_log_is(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "bigben_server.cli", "--port", "0", "--workers", "2")
    unset = {name: value for name, value in os.environ.items() if "BIGBEN_" not in name}
    lines = []
    with subprocess.Popen(
        [*command, "--data", str(tmp_path / "data")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**unset, "BIGBEN_LOG": "json", "BIGBEN_LOG_LEVEL": "debug"},
    ) as process:
        assert process.stdout is not None, "asked for"
        for line in process.stdout:
            lines.append(json.loads(line))
            if lines[-1]["message"].startswith("listening on "):
                port = lines[-1]["message"].rpartition(":")[2]
                asyncio.run(watched(f"ws://127.0.0.1:{port}"))
                process.terminate()
    assert process.returncode == 0
    connection = [line for line in lines if "connection" in line]
    assert connection[0]["message"] == "opened with bigben.v1.json"
    assert connection[-1]["message"].startswith("closed with ")
    assert len({line["connection"] for line in connection}) == 1
    assert {line["worker"] for line in connection} <= {1, 2}
    assert lines[-1]["message"] == "Stopped; every race stays where it is."


async def watched(url: str) -> None:
    async with peer(url) as one:
        await one.ask(Watch("daily", ref=1), Room)
