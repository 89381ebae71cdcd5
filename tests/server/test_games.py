"""The server says of its games what the games say of themselves, in messages and to the page."""

import json
from dataclasses import asdict

import msgspec
import pytest
from tests.server.guests import Guest, running
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_protocol import CODECS, JSON, Games, GetGames, Hello, Welcome
from bigben_protocol.texts import catalogues
from bigben_rules import GAMES
from bigben_server.rooms.descriptions import games
from bigben_server.storage.client import Client
from bigben_server.transport.page import answer_page
from bigben_solver.games import CERTIFIED, GRADED


def test_a_description_crosses_the_wire_whole() -> None:
    """Every field of every game, in its order."""
    sent = CODECS[JSON].decode_server(CODECS[JSON].encode(games()).decode())
    assert isinstance(sent, Games)
    assert [one.name for one in sent.games] == [*GAMES]
    for one, game in zip(sent.games, GAMES.values(), strict=True):
        said = asdict(game.description)
        solver = {"certifies": game.name in CERTIFIED, "grades": game.name in GRADED}
        assert _whole(one) == said | solver


def _whole(value: object) -> object:
    """The value with its defaults, which a frame leaves out."""
    match value:
        case msgspec.Struct():
            return {name: _whole(getattr(value, name)) for name in value.__struct_fields__}
        case tuple():
            return tuple(_whole(one) for one in value)
        case _:
            return value


async def test_a_guest_asks_for_the_games(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        ada = Guest(app)
        await ada.ask(Hello("Ada"), Welcome)
        assert await ada.ask(GetGames(7), Games) == msgspec.structs.replace(games(), ref=7)


@pytest.mark.parametrize("language", sorted(catalogues()))
def test_the_page_gets_the_texts_that_it_shows(language: str) -> None:
    sent = answer_page(f"/texts/{language}.json")
    assert sent.headers["Content-Type"] == "application/json; charset=utf-8"
    said = json.loads(sent.body)
    assert said["game.watch"] == catalogues()[language]["games"]["game.watch"]
    assert said["home.create"] == catalogues()[language]["page"]["home.create"]
    assert said["button.join"] == catalogues()[language]["shared"]["button.join"]
    assert "menu.from" not in said, "the bot's"
