"""A button in a direct room acts where its message was asked for, as the whole bot shows."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from tests.matrix.people import People
from tests.matrix.synapse import Account, Synapse
from tests.wire.in_process import server_here

from bigben_chat.chat import Pace
from bigben_chat.store import Store
from bigben_matrix.bot import BigBenMatrix
from bigben_matrix.config import Settings

KEY: Final = "a key that the server and the bot of the tests share"


@pytest.fixture
async def bot(homeserver: Synapse, tmp_path: Path) -> AsyncIterator[Account]:
    """A bot that runs, with a race server of its own."""
    account = await homeserver.account("Bot")
    async with server_here(tmp_path / "server", issuers={"matrix": (KEY,)}) as url:
        settings = Settings(homeserver.url, account.token, url, KEY, tmp_path, "http://p.example")
        store = Store(settings.store)
        running = asyncio.create_task(BigBenMatrix(settings, store, Pace(tick=0.02)).run())
        try:
            yield account
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            store.close()


async def test_a_button_in_the_direct_room_acts_where_its_message_was_asked_for(
    bot: Account, people: People
) -> None:
    ada, ben = await people.person("Ada"), await people.person("Ben")
    room = await ada.room("Friends", ben, bot.user)
    await ada.sees(room, lambda seen: seen.sender == bot.user)
    posts, boards = [], []
    for player in (ada, ben):
        await player.says(room, "!bigben daily")
        own = await player.direct(bot.user)
        intro = await player.sees(own, lambda seen: "bb:begin" in str(seen.controls))
        await player.presses(intro, "bb:begin")
        boards.append(await player.sees(own, lambda seen: seen.picture))
        posts.append(await ben.sees(room, f"{player.name} · no move"))
    assert posts[0].id == posts[1].id, "one message for all"

    await ada.kicks(room, ben.user)
    for player, board, place in zip((ada, ben), boards, (room, boards[1].room), strict=True):
        await player.presses(board, "bb:resign")
        sure = await player.sees(board.room, lambda seen: "bb:giveup" in str(seen.controls))
        await player.presses(sure, "bb:giveup")
        over = await player.sees(board.room, lambda seen: "bb:share" in str(seen.controls))
        await player.presses(over, "bb:share")
        shared = await player.sees(place, f"{player.name}\nBig Ben")
        assert "gave up" in shared.text
    assert f"{ben.name}\nBig Ben" not in str(ada.rooms[room]), "who was kicked posts nothing there"
