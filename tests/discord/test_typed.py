"""A typed move belongs to the position that was on the screen, like a button."""

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.discord.playing import sees_cards, taps_on
from tests.discord.running import Pace, bot_on
from tests.discord.slow_wire import SlowWire, slow_wire
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_chat.connections.identity import ChatUser
from bigben_chat.connections.player import Player
from bigben_client import Client, ClientError
from bigben_discord.bot import BigBen

NOT_SEEN = "You had not seen this board yet"


@pytest.fixture
async def wire(server: ServerProcess) -> AsyncIterator[SlowWire]:
    async with slow_wire(server.port) as one:
        yield one


@pytest.fixture
async def patient(world: Discord, wire: SlowWire, tmp_path: Path) -> AsyncIterator[BigBen]:
    """A bot whose way to the server a test can cut."""
    async with bot_on(
        world, wire.url, tmp_path, Pace(patience=600.0, server_patience=600.0)
    ) as bot:
        yield bot


async def types(person: Person, channel: Channel, command: str = "deal", **given: str) -> Message:
    return await (await person.types(channel, f"bigben {command}", given)).shown()


def player_of(bot: BigBen, person: Person) -> Player:
    player = bot.chat.players.get(int(person.user.id))
    assert player is not None
    return player


async def test_a_move_that_did_not_reach_the_server_is_not_played_later(
    world: Discord, wire: SlowWire, patient: BigBen, channel: Channel
) -> None:
    ada = world.person("Ada")
    await sees_cards(ada, channel)
    await wire.cut()
    for _ in range(2):
        assert "nothing is played twice" in (await types(ada, channel)).content
    await wire.mend()
    player = await eventually_back(patient, ada)
    (view,) = player.client.views.values()
    assert view.n == 0
    dealt = await types(ada, channel)
    assert "home · move 1" in dealt.content
    assert NOT_SEEN not in dealt.content


async def test_a_move_that_was_played_though_nobody_said_so_is_not_played_again(
    world: Discord, wire: SlowWire, patient: BigBen, server: ServerProcess, channel: Channel
) -> None:
    bob = world.person("Bob")
    board = await sees_cards(bob, channel)
    race = next(iter(player_of(patient, bob).client.views))
    wire.hold_answers()
    dealing = await bob.types(channel, "bigben deal")
    await played(patient, server, bob, race)
    await wire.cut()
    assert "nothing is played twice" in (await dealing.shown()).content
    wire.let_go()
    await wire.mend()
    await eventually_back(patient, bob)
    # The board shows it by itself; who does not look at it types the same again.
    await world.changes.until(lambda: "home · move 1" in board.content, "the board is edited")
    again = await types(bob, channel)
    assert NOT_SEEN in again.content
    assert "home · move 1" in again.content
    assert "home · move 2" in (await types(bob, channel)).content


async def test_what_is_typed_twice_before_the_board_appears_is_played_once(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    cy = world.person("Cy")
    await sees_cards(cy, channel)
    first, second = [await cy.types(channel, "bigben deal") for _ in range(2)]
    assert "home · move 1" in (await first.shown()).content
    board = await second.shown()
    assert "home · move 1" in board.content
    assert NOT_SEEN in board.content


async def test_a_board_that_was_never_shown_here_is_shown_first(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    dan = world.person("Dan")
    intro = await (await dan.types(channel, "bigben daily")).shown()
    race = intro.buttons[-1].custom_id.split(":")[-1]
    async with bot.chat.players.connected(user_of(dan)) as player:
        await player.client.ready(race)
    board = await types(dan, channel, race=race)
    assert NOT_SEEN in board.content
    assert "home · no move yet" in board.content
    assert "home · move 1" in (await types(dan, channel, race=race)).content


async def test_a_card_that_lies_as_it_lay_is_played_from_an_older_board(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """As a button does: who types fast need not wait for the picture."""
    eve = world.person("Eve")
    await sees_cards(eve, channel)
    player = player_of(bot, eve)
    (race,) = player.client.views

    def pair() -> tuple[str, str] | None:
        """Two plays home of which neither is in the other's way."""
        home = [move.split() for move in player.client.views[race].legal if " f" in move]
        return next(
            ((one[0], other[0]) for one in home for other in home
             if one[0] != other[0] and one[1] != other[1]),
            None,
        )  # fmt: skip

    while not (both := pair()):
        await types(eve, channel)
    before = player.client.views[race].n
    typed = [
        await eve.types(channel, "bigben move", {"from": source, "to": "fdn"}) for source in both
    ]
    for one in typed:
        assert NOT_SEEN not in (await one.shown()).content
    assert player.client.views[race].n == before + 2


async def test_a_bot_that_was_stopped_knows_which_board_was_seen(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    flo = world.person("Flo")
    async with bot_on(world, server.url, tmp_path):
        await taps_on(flo, await sees_cards(flo, channel), 2)
    async with bot_on(world, server.url, tmp_path):
        dealt = await types(flo, channel)
        assert "home · move 3" in dealt.content
        assert NOT_SEEN not in dealt.content


def user_of(person: Person) -> ChatUser:
    return ChatUser(int(person.user.id), person.name)


async def eventually_back(bot: BigBen, person: Person) -> Player:
    """The player's connection, once the bot has come back by itself."""
    while True:
        with suppress(ClientError):  # It gives up soon while the server is away.
            async with bot.chat.players.connected(user_of(person)) as player:
                await player.client.ping()
                return player


async def played(bot: BigBen, server: ServerProcess, person: Person, race: str) -> None:
    """Wait until the server has played the player's first move."""
    player = bot.chat.issuer.player(int(person.user.id))
    async with Client(server.url, name="Watcher") as client:
        while True:
            places = await client.standings(race, only=[player])
            if places.rows and places.rows[0].moves:
                return
