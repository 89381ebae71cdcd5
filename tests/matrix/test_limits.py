"""A race on a homeserver with the rate limits of production: slower, but whole."""

from pathlib import Path
from typing import Final

import pytest
from tests.matrix.evening import figures_of
from tests.matrix.people import People
from tests.matrix.playing import Racer, begun
from tests.matrix.proxy import proxied
from tests.matrix.running import bot_on
from tests.matrix.synapse import Synapse
from tests.support.server_process import ServerProcess

from bigben_chat.chat import Pace

BURST: Final = 10
"""So many events of a user Synapse takes at once; from then on one in five seconds."""
PATIENCE_S: Final = 240.0


@pytest.mark.timeout(600)
async def test_a_race_within_the_limits_of_production_ends_as_without_them(
    strict_homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> None:
    account = await strict_homeserver.account("Big Ben")
    async with (
        People(strict_homeserver, patience=PATIENCE_S) as people,
        proxied(strict_homeserver.url) as proxy,
    ):
        async with bot_on(
            proxy.url, account, server.url, tmp_path, Pace(server_patience=PATIENCE_S)
        ) as bot:
            ada, ben = [Racer(await people.person(name), bot) for name in ("Ada", "Ben")]
            room = await ada.person.room("Friends", ben.person, account.user)
            await ada.person.sees_member(room, account.user)
            race, message = await begun(ada, room, "!bigben race", ben)
            await ada.types_move(race, ada.view(race).legal[0])
            for racer in (ada, ben):
                await racer.gives_up(race)
            final = await ben.person.sees(
                room, lambda one: one.id == message.id and "🥇" in one.text
            )
        assert "The race is over." in final.text
        assert "Ada 🏳️ · move 1" in final.text
        assert "Ben 🏳️ · no move yet" in final.text
        figures = await figures_of(people.of(account))
        print(*figures.lines(proxy.statuses[429]), sep="\n")
        assert figures.events > BURST
        assert figures.doubles == []
        assert figures.cards == []
        assert proxy.doubles() == {}
