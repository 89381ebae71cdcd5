"""A homeserver that encrypts all rooms: what players are told there, and what they are not sent."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.matrix.evening import figures_of
from tests.matrix.people import People
from tests.matrix.playing import Racer, opened
from tests.matrix.proxy import proxied
from tests.matrix.running import bot_on
from tests.matrix.synapse import INSTALLED, MISSING, Synapse, synapse
from tests.support.server_process import ServerProcess

from bigben_chat.texts import say_in

TOLD = say_in("en").label("wrong.no_direct")


@pytest.fixture
def own_homeserver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synapse]:
    """One of this test alone, which it may change."""
    if not INSTALLED:
        pytest.skip(MISSING)
    with synapse(tmp_path_factory.mktemp("encrypting")) as one:
        yield one


@pytest.mark.timeout(300)
async def test_where_all_new_rooms_are_encrypted_players_are_told_so_and_invited_nowhere(
    own_homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> None:
    account = await own_homeserver.account("Bot")
    async with People(own_homeserver) as people, proxied(own_homeserver.url) as proxy:
        ada, ben = [await people.person(name) for name in ("Ada", "Ben")]
        room = await ada.room("Friends", ben, account.user)
        await own_homeserver.restart("--encrypting")
        async with bot_on(proxy.url, account, server.url, tmp_path) as bot:
            await ada.sees_member(room, account.user)
            for player in (ada, ben):
                for line in ("!bigben daily", "!bigben help"):
                    said = await player.says(room, line)
                    await player.sees(room, lambda one: one.text == TOLD, after=said)
            racers = [Racer(one, bot) for one in (ada, ben)]
            _, lobby = await opened(racers[0], room, "!bigben race", racers[1])
            for player in (ada, ben):
                await player.presses(lobby, "ready")
            await ben.sees(room, lambda one: one.text == TOLD, after=lobby.id)
            new = await ben.room("Elsewhere", account.user)
            await ben.sees(new, say_in("en").label("wrong.encrypted"))
        for player, rooms in ((ada, {room}), (ben, {room, new})):
            await player.looks()
            assert player.rooms.keys() == rooms, "nobody has an invitation to nowhere"
        assert proxy.requests["direct"] == 1, "it is not tried again for each command"
        assert (await figures_of(people.of(account))).cards == []
