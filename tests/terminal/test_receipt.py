"""`bigben receipt` as a real process: of a race on a real server, raced by two real clients."""

import asyncio
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.forked import TERMINAL, ran

from bigben_client import Client
from bigben_terminal.subcommands.verify import HOLDS


async def bigben(*argv: str, home: Path, stdin: bytes = b"") -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command."""
    env = {**os.environ, "XDG_STATE_HOME": str(home)}
    return await asyncio.to_thread(ran, TERMINAL, argv, env, stdin)


async def why_no_receipt(race: str, server: str, home: Path) -> str:
    """The sentence of a command that has no receipt to give."""
    code, out, err = await bigben("receipt", race, "--server", server, home=home)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err.strip().removeprefix("bigben receipt: ")


async def until(client: Client, happened: Callable[[], bool]) -> None:
    """Wait until the condition holds for this client."""
    events = client.events()
    while not happened():
        await anext(events)


def closed(client: Client, race: str) -> Callable[[], bool]:
    return lambda: client.rooms[race].phase == "closed"


async def test_two_race_and_a_stranger_verifies_the_receipt(
    server: str, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "receipt.json"
    async with Client(server, name="Ada") as ada, Client(server, name="Bob") as bob:
        race = (await ada.create(undo=True)).race
        opened = await bob.join(race)
        assert "has not started" in await why_no_receipt(race, server, home)
        await ada.ready(race)
        await bob.ready(race)
        await until(ada, lambda: race in ada.views)
        assert "is not closed; it closes at" in await why_no_receipt(race, server, home)
        await ada.move(race, ada.views[race].legal[0])
        await ada.move(race, "resign")
        await bob.move(race, "resign")
        await until(bob, closed(bob, race))
        code, said, _ = await bigben(
            "receipt", race, "--server", server, "--output", str(file), home=home
        )
        assert (code, said) == (0, f"Written. Check it with: bigben verify {file}\n")
        written = json.loads(file.read_text())
        assert written["commitment"] == opened.commitment
        assert [seat["name"] for seat in written["seats"]] == ["Ada", "Bob"]
        assert [seat["nonce"] for seat in written["seats"]] == [ada.nonces[race], bob.nonces[race]]
        assert [len(seat["moves"]) for seat in written["seats"]] == [2, 1]
    code, checked, err = await bigben("verify", str(file), home=home)
    assert (code, err) == (0, "")
    assert checked.endswith(f"\n{HOLDS}\n")


async def test_everybody_gets_the_same_receipt(server: str, home: Path) -> None:
    async with Client(server, name="Ada") as ada:
        race = (await ada.create()).race
        await ada.ready(race)
        await ada.start(race)
        await until(ada, lambda: race in ada.views)
        await ada.move(race, "resign")
        await until(ada, closed(ada, race))
    _, first, _ = await bigben("receipt", race, "--server", server, home=home)
    _, second, _ = await bigben("receipt", race.lower(), "--server", server, home=home / "other")
    assert first == second
    assert (await bigben("verify", "-", stdin=second.encode(), home=home))[0] == 0


async def test_a_race_that_is_still_open_says_when_it_closes(server: str, home: Path) -> None:
    assert re.fullmatch(
        r"race daily\.\d{4}-\d\d-\d\d\.bigben\.standard is not closed; "
        r"it closes at \d{4}-\d\d-\d\d 00:00:00 UTC at the latest",
        await why_no_receipt("daily", server, home),
    )


async def test_a_room_that_was_cancelled_has_no_receipt(server: str, home: Path) -> None:
    async with Client(server, name="Ada") as ada:
        race = (await ada.create()).race
        await ada.leave(race)
    assert "was cancelled" in await why_no_receipt(race, server, home)


async def test_practice_has_no_receipt(server: str, home: Path) -> None:
    async with Client(server, name="Ada") as ada:
        race = (await ada.create(practice=True)).race
    assert (await why_no_receipt(race, server, home)).startswith(
        "only a race has a receipt. This race has no"
    )


@pytest.mark.parametrize("race", ["ZZZZZZ", "nonsense", "daily.2020-01-01.bigben.standard"])
async def test_a_race_that_does_not_exist_has_none(server: str, home: Path, race: str) -> None:
    assert await why_no_receipt(race, server, home)
