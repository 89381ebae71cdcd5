"""A bot that is killed between a message and the answer to it, again and again in one race."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from tests.matrix.evening import figures_of
from tests.matrix.people import People, Person
from tests.matrix.playing import verbs
from tests.matrix.proxy import Proxy, proxied, unanswered
from tests.matrix.running import BotProcess, settings_for
from tests.matrix.seen import Message
from tests.matrix.synapse import Synapse
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess


@asynccontextmanager
async def killed_at_next(kind: str, bot: BotProcess, proxy: Proxy) -> AsyncIterator[None]:
    """The homeserver does what the bot asks for next, and the bot never learns of it."""
    done = asyncio.Event()
    proxy.next(kind, unanswered(done))
    yield
    async with asyncio.timeout(PATIENCE_S):
        await done.wait()
    await asyncio.to_thread(bot.end, kill=True)
    bot.start()


async def ends(player: Person, bot_user: str, bot: BotProcess, proxy: Proxy) -> None:
    """Give up, though the bot is killed when it asks whether that is meant."""
    direct = await player.direct(bot_user)
    said = await player.says(direct, "board")  # as one is told to who was interrupted
    await player.sees(direct, lambda one: "resign" in verbs(one), after=said)
    async with killed_at_next("message", bot, proxy):
        await player.says(direct, "resign")
    asked = await player.sees(direct, lambda one: "giveup" in verbs(one))
    await player.presses(asked, "giveup")
    await player.sees(direct, lambda one: "verify" in verbs(one))


@pytest.mark.timeout(600)  # the bot starts again and again, on cores that others use too
async def test_a_bot_that_is_killed_again_and_again_says_nothing_twice_and_ends_the_race(
    people: People, homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> None:
    account = await homeserver.account("Big Ben")
    async with AsyncExitStack() as running:
        proxy = await running.enter_async_context(proxied(homeserver.url))
        settings = settings_for(proxy.url, account, server.url, tmp_path)
        bot = running.enter_context(BotProcess(settings))
        ada, bob = [await people.person(name) for name in ("Ada", "Bob")]
        room = await ada.room("Friends", bob, account.user)
        await ada.sees(room, lambda one: one.sender == account.user)
        async with killed_at_next("message", bot, proxy):
            await ada.says(room, "!bigben race")
        lobby = await bob.sees(room, lambda one: "ready" in verbs(one))

        async def shown(text: str) -> Message:
            return await bob.sees(room, lambda one: one.id == lobby.id and text in one.text)

        async with killed_at_next("edit", bot, proxy):
            await bob.presses(lobby, "join")
        await shown("Bob")
        async with killed_at_next("message", bot, proxy):
            await bob.presses(lobby, "ready")
        await shown("✅ Bob")
        await ada.presses(lobby, "ready")
        await shown("Ends ")
        await ends(ada, account.user, bot, proxy)
        await ends(bob, account.user, bot, proxy)
        await shown("The race is over.")
        assert proxy.doubles() == {}
    figures = await figures_of(people.of(account))
    assert figures.doubles == []
    assert figures.cards == []
    assert [one.id for one in bob.rooms[room].messages() if "Race" in one.text] == [lobby.id]
