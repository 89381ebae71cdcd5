"""An evening on Matrix: several people at once, all games, typed and by reactions."""

from pathlib import Path

import pytest
from tests.matrix.evening import Evening, figures_of
from tests.matrix.people import People
from tests.matrix.proxy import proxied
from tests.matrix.running import bot_on
from tests.matrix.synapse import Synapse
from tests.support.server_process import ServerProcess
from tests.support.torture import often

pytestmark = pytest.mark.timeout(600)
"""A whole evening of six people, on cores that others use too."""


@pytest.mark.longer
async def test_nothing_is_sent_twice_or_left_out_and_no_card_is_shown_to_others(
    people: People, homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> None:
    account = await homeserver.account("Big Ben")
    async with proxied(homeserver.url) as proxy:
        async with bot_on(proxy.url, account, server.url, tmp_path) as bot:
            evening = Evening(people, bot, moves=often(3, 15))
            await evening.happens()
        figures = await figures_of(people.of(account))
        print(*figures.lines(proxy.statuses[429]), sep="\n")
        assert proxy.doubles() == {}
    assert figures.doubles == []
    assert figures.cards == []
    assert len(figures.pictures) > 50
    for person, message in evening.posts:
        await person.looks()
        (now,) = (one for one in person.rooms[message.room].messages() if one.id == message.id)
        assert now.text == message.text, "it was final"
