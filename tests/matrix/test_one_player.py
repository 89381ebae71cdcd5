"""Somebody who is known from Discord already has one seat on Matrix, in Discord and on the page."""

import re
import time
from pathlib import Path

from tests.matrix.people import People
from tests.matrix.playing import Racer, begun
from tests.matrix.running import KEY, bot_on
from tests.matrix.synapse import Synapse
from tests.support.server_process import ServerProcess

from bigben_chat.connections.identity import Issuer
from bigben_client import Client
from bigben_protocol import PlayerId


async def test_a_race_begun_on_matrix_is_played_on_in_discord_with_the_same_seat(
    homeserver: Synapse, server: ServerProcess, people: People, tmp_path: Path
) -> None:
    account = await homeserver.account("Bot")
    async with bot_on(homeserver.url, account, server.url, tmp_path) as bot:
        zoe, ben = [Racer(await people.person(name), bot) for name in ("Zoe", "Ben")]
        room = await zoe.person.room("Friends", ben.person, account.user)
        await zoe.person.sees(room, lambda seen: seen.sender == account.user)
        await zoe.person.says(room, "!bigben link")
        told = await zoe.person.sees(await zoe.direct(), "#link=")
        found = re.search(r"#link=([\w.-]+)", told.text)
        assert found, told.text
        token = Issuer("discord", KEY).token(PlayerId("discord:8035"), "Zoë", (), time.time())
        async with Client(server.url, token=token) as discord:
            await discord.tie(found[1])
            race, lobby = await begun(zoe, room, "!bigben race watch", ben)
            assert "Zoë" in lobby.text
            await discord.join(race)
            await discord.move(race, discord.views[race].legal[0])
            await zoe.sees_board(race, 1)
            await zoe.types_move(race, zoe.view(race).legal[0])
            await zoe.gives_up(race)
            running = await ben.person.sees(room, lambda seen: seen.id == lobby.id)
            assert running.picture is None, "clients would go on showing the first one"
            await ben.gives_up(race)
            over = await ben.person.sees(room, lambda seen: seen.id == lobby.id and seen.picture)
            assert "Zoë" in over.text
            assert await over.png()
            # To resign is a move as well.
            seats = {row.name: row.moves for row in (await discord.standings(race)).rows}
            assert seats == {"Zoë": 3, ben.person.name: 1}
