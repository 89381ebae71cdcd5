"""Every front end names the race in the address that it connects to."""

import asyncio
from pathlib import Path

from tests.house.test_house import KEYS as HOUSE_KEYS
from tests.house.test_house import house_at, house_of, invite
from tests.processes.playing import client, serving, until
from tests.support.relay import relaying
from tests.terminal.typist import Typist

from bigben_chat.connections.announcements import Announcements
from bigben_chat.connections.identity import ChatUser, Issuer
from bigben_chat.connections.player_pool import PlayerPool
from bigben_chat.games import KnownGames
from bigben_chat.store import Store

KEY = "a key that the server and the bot of this test share"
KEYS = {**HOUSE_KEYS, "BIGBEN_ISSUER_TEXT_KEY": KEY}


async def test_the_library_the_terminal_a_bot_and_house_players_name_the_race(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "data", env=KEYS) as server, client(server, "Ada") as ada:
        race = (await ada.create()).race
        with relaying() as relay:
            relay.to = server.port
            url = f"ws://127.0.0.1:{relay.port}"
            await named_by_terminal(url, race, tmp_path / "home")
            await named_by_bot(url, race, tmp_path / "bot.sqlite")
            assert relay.asked == [f"/?race={race}"] * 2
            async with house_at(url):
                await invite(ada, race, "steady")
                await until(ada, lambda: house_of(ada, race)[0].state == "ready")
            *asking, playing = relay.asked[2:]
            assert set(asking) == {"/"}, "they ask for invitations at first"
            assert playing == f"/?race={race}"


async def named_by_terminal(url: str, race: str, home: Path) -> None:
    def play() -> None:
        with Typist("play", race.lower(), "--server", url, "--name", "Bob", home=home) as bob:
            bob.sees("Type ready")

    await asyncio.to_thread(play)


async def named_by_bot(url: str, race: str, file: Path) -> None:
    issuer, store, announced = Issuer("text", KEY), Store(file), Announcements()
    pool = PlayerPool(url, issuer, store, KnownGames(), announced, lambda *_: None)
    async with pool.connected(ChatUser(1, "Dora"), race) as player:
        await player.client.join(race)
    await pool.close()
    store.close()
