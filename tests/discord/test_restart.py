"""The bot, Discord or the server goes away and comes back: what was there goes on."""

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.discord.playing import sees_cards, taps_on
from tests.discord.running import KEY, Pace, bot_on, logged
from tests.discord.slow_wire import slow_wire
from tests.discord.standin.people import SEND_MESSAGES, Channel
from tests.discord.standin.rest import Fault
from tests.discord.standin.server import Discord
from tests.support.server_process import UNHURRIED, ServerProcess, serving

from bigben_chat.connections.identity import Issuer
from bigben_client import Client
from bigben_protocol import PlayerId


async def test_buttons_from_before_a_restart_play_on(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ada = world.person("Ada")
    async with bot_on(world, server.url, tmp_path):
        board = await taps_on(ada, await sees_cards(ada, channel), 2)
        (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    async with bot_on(world, server.url, tmp_path):
        board = await taps_on(ada, board, 1)
        assert "move 3" in board.content
        await world.changes.until(lambda: "move 3 " in public.content, "the same public message")
        # Commands know the race, too.
        dealt = await (await ada.types(channel, "bigben board")).shown()
        assert dealt.picture.description == board.picture.description
    assert world.public(channel) == [public]


async def test_a_lobby_from_before_a_restart_is_the_same_lobby(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    bob, cy = world.person("Bob"), world.person("Cy")
    async with bot_on(world, server.url, tmp_path):
        lobby = await (await bob.types(channel, "bigben race", {"who": "here"})).shown()
    async with bot_on(world, server.url, tmp_path):
        await (await cy.presses(lobby, "Join")).shown()
        assert "**Bob** (host)" in lobby.content
        assert "**Cy**" in lobby.content


async def test_a_bot_that_has_lost_its_memory_still_knows_its_buttons(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    dan, eve = world.person("Dan"), world.person("Eve")
    async with bot_on(world, server.url, tmp_path / "one"):
        lobby = await (await dan.types(channel, "bigben race")).shown()
        board = await sees_cards(dan, channel)
    async with bot_on(world, server.url, tmp_path / "another"):
        await (await eve.presses(lobby, "Join")).shown()
        assert "**Eve**" in lobby.content
        board = await taps_on(dan, board, 1)
        assert "move 1" in board.content
        # The public message is taken up again by its first button.
        await (await dan.presses(lobby, "Ready")).shown()
        assert "✅ **Dan**" in lobby.content


async def test_commands_are_synced_once_not_at_every_start(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    for _ in range(3):
        async with bot_on(world, server.url, tmp_path):
            pass
    assert world.state.commands.syncs == 1
    async with bot_on(world, server.url, tmp_path / "fresh"):
        pass
    assert world.state.commands.syncs == 2


async def test_commands_are_for_guilds_and_users_in_both_languages(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    async with bot_on(world, server.url, tmp_path):
        (group,) = world.state.commands.stored
    assert group["name"] == "bigben"
    assert sorted(group["integration_types"]) == [0, 1]
    assert sorted(group["contexts"]) == [0, 1, 2]
    for command in group["options"]:
        assert set(command["description_localizations"]) == {"de"}, command["name"]
        for option in command["options"]:
            assert set(option["description_localizations"]) == {"de"}, option["name"]


async def test_discord_going_away_is_survived(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    flo = world.person("Flo")
    async with bot_on(world, server.url, tmp_path):
        board = await sees_cards(flo, channel)
        await world.gateway.drop()
        board = await taps_on(flo, board, 1)
        assert world.gateway.resumes == 1
        await world.close()
        await world.open()
        await world.changes.until(lambda: world.gateway.up, "the bot is back on Discord")
        board = await taps_on(flo, board, 1)
        assert "move 2" in board.content


async def test_a_session_that_discord_has_forgotten_is_begun_anew(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    fay = world.person("Fay")
    async with bot_on(world, server.url, tmp_path):
        board = await sees_cards(fay, channel)
        world.gateway.forget_session()
        await world.gateway.drop()
        await world.changes.until(lambda: world.gateway.identifies == 2, "it says who it is again")
        board = await taps_on(fay, board, 1)
        assert "move 1" in board.content
        assert world.state.commands.syncs == 1


async def test_a_bot_in_very_many_guilds_answers_at_once(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    guilds = [world.guild(f"Guild {number}") for number in range(300)]
    boss = world.person("Boss")
    last = world.guild("The last", managers=(boss,))
    quiet = world.channel("quiet", last, denied=SEND_MESSAGES)
    first = world.channel("general", guilds[0])
    async with bot_on(world, server.url, tmp_path) as bot:
        await sees_cards(world.person("Ada"), first)
        await world.changes.until(lambda: len(bot.guilds) == 301, "all are known")
        told = await (await boss.types(quiet, "bigben settings", {"channel": quiet})).shown()
        assert "not allowed to write" in told.content


async def test_discord_that_is_away_at_the_start_is_waited_for(
    world: Discord,
    server: ServerProcess,
    tmp_path: Path,
    channel: Channel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bigben_discord.bot.LOGIN_AGAIN_S", 0.05)
    await world.close()

    with logged("bigben_discord.bot", "Discord can't be reached") as turned_away:

        async def comes_back() -> None:
            await turned_away.wait()
            await world.open()

        async with bot_on(world, server.url, tmp_path, in_the_meantime=comes_back):
            gus = world.person("Gus")
            await sees_cards(gus, channel)


@pytest.mark.parametrize("status", [500, 403])
async def test_discord_that_turns_the_bot_away_at_the_start_is_asked_again(
    world: Discord,
    server: ServerProcess,
    tmp_path: Path,
    channel: Channel,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
) -> None:
    """As in an outage, or where what stands before Discord has shut its address out."""
    monkeypatch.setattr("bigben_discord.bot.LOGIN_AGAIN_S", 0.05)
    world.rest.faults.append(Fault("GET /users/@me", status))
    async with bot_on(world, server.url, tmp_path):
        assert world.rest.faults == []
        await sees_cards(world.person("Gil"), channel)


async def test_a_server_that_restarts_is_survived(
    world: Discord, tmp_path: Path, channel: Channel
) -> None:
    """Its port changes with the process; the wire stands for the address that stays."""
    settings = {**UNHURRIED, "BIGBEN_ISSUER_DISCORD_KEY": KEY, "BIGBEN_SECRET": "s" * 32}
    folder = tmp_path / "server"
    folder.mkdir()
    hal = world.person("Hal")
    async with AsyncExitStack() as stack:
        first = stack.enter_context(serving(folder, settings))
        wire = await stack.enter_async_context(slow_wire(first.port))
        await stack.enter_async_context(bot_on(world, wire.url, tmp_path / "bot"))
        board = await taps_on(hal, await sees_cards(hal, channel), 2)
        (public,) = await world.changes.until(lambda: world.public(channel), "the message")
        await wire.cut()
        await first.stop()
        second = stack.enter_context(serving(folder, settings))
        wire.lead_to(second.port)
        await wire.mend()
        board = await taps_on(hal, board, 1)
        assert "move 3" in board.content
        await world.changes.until(lambda: "move 3 " in public.content, "the follower is back too")


async def test_a_server_that_has_no_room_for_the_bot_yet_is_no_wrong_key(
    world: Discord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the connection of a bot that has died is still there."""
    monkeypatch.setattr("bigben_chat.connections.feed_connection.AGAIN_S", 0.05)
    settings = {
        **UNHURRIED,
        "BIGBEN_ISSUER_DISCORD_KEY": KEY,
        "BIGBEN_CONNECTIONS_PER_PLAYER": "1",
    }
    (tmp_path / "server").mkdir()
    bot_itself = PlayerId(f"discord:bot-{world.application}-0")
    with serving(tmp_path / "server", settings) as server:
        async with AsyncExitStack() as before:
            old = Issuer("discord", KEY).token(bot_itself, "Big Ben", (), time.time())
            await before.enter_async_context(Client(server.url, token=old))
            with logged("bigben_chat.connections.feed_connection", "1 connections open") as refused:
                async with bot_on(world, server.url, tmp_path) as bot:
                    await refused.wait()
                    await before.aclose()
                    assert (await bot.chat.feed.client()).player == bot_itself


async def test_connections_of_idle_players_are_closed_and_opened_again(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ida = world.person("Ida")
    async with bot_on(world, server.url, tmp_path, Pace(idle=0.2)) as bot:
        board = await sees_cards(ida, channel)
        if player := bot.chat.players.get(int(ida.user.id)):  # On a slow machine it may be closed.
            async for _ in player.client.events():
                pass  # They end when the connection is closed.
        board = await taps_on(ida, board, 1)
        assert "move 1" in board.content


async def test_a_player_who_asks_while_their_connection_closes_gets_a_new_one(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    jo = world.person("Jo")
    pace = Pace(patience=0.05, server_patience=30)
    async with slow_wire(server.port) as wire, bot_on(world, wire.url, tmp_path, pace) as bot:
        board = await sees_cards(jo, channel)
        wire.hold()
        closing = asyncio.create_task(bot.chat.players.close())  # The goodbye does not arrive.
        tap = await jo.taps(board, board.buttons[0])
        await tap.acknowledged()
        wire.let_go()
        assert "move 1" in (await tap.shown()).content
        await closing
