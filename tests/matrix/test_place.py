"""A button in a direct room acts where its message was asked for, as the whole bot shows."""

from pathlib import Path

from tests.matrix.people import People
from tests.matrix.running import bot_on
from tests.matrix.synapse import Synapse
from tests.support.server_process import ServerProcess


async def test_a_button_in_the_direct_room_acts_where_its_message_was_asked_for(
    homeserver: Synapse, server: ServerProcess, people: People, tmp_path: Path
) -> None:
    bot = await homeserver.account("Bot")
    async with bot_on(homeserver.url, bot, server.url, tmp_path):
        ada, ben = await people.person("Ada"), await people.person("Ben")
        room = await ada.room("Friends", ben, bot.user)
        await ada.sees(room, lambda seen: seen.sender == bot.user)
        posts, boards = [], []
        for player in (ada, ben):
            await player.says(room, "!bigben daily")
            own = await player.direct(bot.user)
            intro = await player.sees(own, lambda seen: "bb:begin" in str(seen.controls))
            await player.presses(intro, "begin")
            boards.append(await player.sees(own, lambda seen: seen.picture))
            posts.append(await ben.sees(room, f"{player.name} · no move"))
        assert posts[0].id == posts[1].id, "one message for all"

        await ada.kicks(room, ben.user)
        for player, board, place in zip((ada, ben), boards, (room, boards[1].room), strict=True):
            await player.presses(board, "resign")
            sure = await player.sees(board.room, lambda seen: "bb:giveup" in str(seen.controls))
            await player.presses(sure, "giveup")
            over = await player.sees(board.room, lambda seen: "bb:share" in str(seen.controls))
            await player.presses(over, "share")
            shared = await player.sees(place, f"{player.name}\nBig Ben")
            assert "gave up" in shared.text
        assert f"{ben.name}\nBig Ben" not in str(ada.rooms[room]), (
            "who was kicked posts nothing there"
        )
