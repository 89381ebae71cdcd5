"""A race in every game on a real server: its racers' check, its receipt, and `bigben verify`."""

import asyncio
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest
from tests.support.server_process import UNHURRIED, ServerProcess, serving
from tests.support.torture import each_kind
from tests.terminal.command import bigben

from bigben_client import Client, ask_receipt
from bigben_protocol import Reveal
from bigben_rules import GAMES, Game

MOST_MOVES: Final = 40

every_game = pytest.mark.parametrize("game", each_kind(GAMES))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), UNHURRIED) as server:
        yield server
        assert server.complaints() == []


async def until(client: Client, is_so: Callable[[], bool]) -> None:
    """Wait until the client's state is as wanted; every change of it comes with an event."""
    events = client.events()
    while not is_so():
        await anext(events)


async def play(client: Client, race: str, random: Random) -> None:
    """Play random legal moves from the first sight of the cards, and resign if that is no end."""
    await until(client, lambda: race in client.views)
    while client.views[race].legal and client.views[race].n < MOST_MOVES:
        await client.move(race, random.choice(client.views[race].legal))
    if client.views[race].state == "playing":
        await client.move(race, "resign")


async def check_the_close(client: Client, race: str) -> None:
    """All that the client kept holds, once everybody's game has ended."""
    await until(client, lambda: client.rooms[race].phase == "closed")
    findings = await client.check(race)
    assert [finding for finding in findings if finding.holds is not True] == []


async def receipt_of(server: ServerProcess, race: str) -> str:
    """The receipt that a stranger gets."""
    async with Client(server.url, name="Stranger") as client:
        room = await client.watch(race)
        async for event in client.events():
            if isinstance(event, Reveal):
                return await ask_receipt(client, room, event)
    raise AssertionError("events() ends by an exception")


@every_game
async def test_a_race_is_checked_by_its_racers_and_verified_from_its_receipt(
    server: ServerProcess, game: Game
) -> None:
    rules = game.variants[-1]
    async with Client(server.url, name="Ada") as ada, Client(server.url, name="Bob") as bob:
        race = (await ada.create(game=game.name, rules=rules, undo=True)).race
        await bob.join(race)
        await asyncio.gather(ada.ready(race), bob.ready(race))
        await asyncio.gather(play(ada, race, Random(1)), play(bob, race, Random(2)))
        for client in (ada, bob):
            await check_the_close(client, race)
    receipt = await receipt_of(server, race)
    assert (json.loads(receipt)["game"], json.loads(receipt)["rules"]) == (game.name, rules)
    done = bigben("verify", "-", stdin=receipt.encode())
    assert (done.returncode, done.stderr) == (0, "")
    assert "The receipt holds" in done.stdout
    facts = json.loads(receipt)
    facts["seats"][0]["moves"][0][1] = "nonsense"
    assert bigben("verify", "-", stdin=json.dumps(facts).encode()).returncode == 1
