"""What breaks in the middle of a race on Matrix, and that nothing is lost, doubled or shown."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.matrix.people import People
from tests.matrix.playing import Racer, begun, opened, verbs
from tests.matrix.proxy import Proxy, proxied
from tests.matrix.running import KEY, bot_on
from tests.matrix.seen import Message
from tests.matrix.synapse import Account, Synapse
from tests.support.server_process import UNHURRIED, ServerProcess, serving

from bigben_matrix.bot import BigBenMatrix

WENT_BY = 120
"""Messages between two syncs: more than one sync brings."""


class Club(NamedTuple):
    """Two people and the bot in a room, with a proxy between the bot and its homeserver."""

    bot: BigBenMatrix
    account: Account
    proxy: Proxy
    room: str
    ada: Racer
    bob: Racer

    def is_bots(self, message: Message) -> bool:
        """Whether the bot wrote it."""
        return message.sender == self.account.user

    async def race(self) -> tuple[str, Message]:
        """A race that has begun."""
        return await begun(self.ada, self.room, "!bigben race", self.bob)

    async def moves(self, race: str, racer: Racer) -> None:
        """One legal move of a player, who then sees it."""
        await racer.types_move(race, racer.view(race).legal[0])


@asynccontextmanager
async def club(
    people: People, homeserver: Synapse, server: ServerProcess, folder: Path
) -> AsyncIterator[Club]:
    account = await homeserver.account("Big Ben")
    async with (
        proxied(homeserver.url) as proxy,
        bot_on(proxy.url, account, server.url, folder) as bot,
    ):
        ada, bob = [Racer(await people.person(name), bot) for name in ("Ada", "Bob")]
        room = await ada.person.room("Friends", bob.person, account.user)
        await ada.person.sees(room, lambda one: one.sender == account.user)
        yield Club(bot, account, proxy, room, ada, bob)
        assert proxy.doubles() == {}


@pytest.fixture
async def friends(
    people: People, homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> AsyncIterator[Club]:
    async with club(people, homeserver, server, tmp_path) as one:
        yield one


async def test_what_is_typed_while_the_homeserver_is_away_is_done_once_when_it_is_back(
    friends: Club,
) -> None:
    race, _ = await friends.race()
    ada = friends.ada
    n, move = ada.view(race).n, ada.view(race).legal[0]
    async with friends.proxy.away():
        await ada.person.says(await ada.direct(), move)
    await ada.sees_board(race, n + 1)
    await friends.moves(race, friends.bob)


async def test_a_homeserver_that_is_restarted_in_a_race_loses_no_move(
    friends: Club, homeserver: Synapse
) -> None:
    race, message = await friends.race()
    await homeserver.restart()
    await friends.moves(race, friends.ada)
    await friends.moves(race, friends.bob)
    await friends.ada.gives_up(race)
    await friends.bob.gives_up(race)
    await friends.bob.person.sees(
        friends.room, lambda one: one.id == message.id and "The race is over." in one.text
    )


async def test_a_game_server_that_is_killed_costs_an_answer_and_no_move(
    people: People, homeserver: Synapse, tmp_path: Path
) -> None:
    settings = {**UNHURRIED, "BIGBEN_ISSUER_MATRIX_KEY": KEY}
    with serving(tmp_path / "server", settings) as server:
        async with club(people, homeserver, server, tmp_path / "bot") as friends:
            race, _ = await friends.race()
            await friends.moves(race, friends.ada)
            await server.kill()
            direct = await friends.ada.direct()
            said = await friends.ada.person.says(direct, friends.ada.view(race).legal[0])
            await friends.ada.person.sees(direct, "can’t be reached right now", after=said)
            await server.start()
            said = await friends.ada.person.says(direct, "board")
            board = await friends.ada.person.sees(direct, lambda one: one.picture, after=said)
            assert friends.ada.view(race).n in (1, 2), board.text
            await friends.moves(race, friends.bob)


async def test_a_bot_that_was_stopped_does_what_was_typed_meanwhile_and_nothing_again(
    people: People, homeserver: Synapse, server: ServerProcess, tmp_path: Path
) -> None:
    async with club(people, homeserver, server, tmp_path) as friends:
        race, message = await friends.race()
        ada, bob, room = friends.ada, friends.bob, friends.room
        await friends.moves(race, ada)
        before, move = ada.view(race).n, ada.view(race).legal[0]
        direct = await ada.direct()
        answers = [one.id for one in bob.person.rooms[room].messages() if friends.is_bots(one)]
    # Nobody is there now.
    await ada.person.says(direct, move)
    for number in range(WENT_BY):
        await bob.person.says(room, f"hello {number}")
    last = await bob.person.says(room, "!bigben standings")
    async with (
        proxied(homeserver.url) as proxy,
        bot_on(proxy.url, friends.account, server.url, tmp_path) as again,
    ):
        await bob.person.sees(room, friends.is_bots, after=last)
        await Racer(ada.person, again).sees_board(race, before + 1)
        await Racer(bob.person, again).gives_up(race)
        await Racer(ada.person, again).gives_up(race)
        await bob.person.sees(
            room, lambda one: one.id == message.id and "The race is over." in one.text
        )
        assert proxy.doubles() == {}
        await bob.person.looks()
        now = [one.id for one in bob.person.rooms[room].messages() if friends.is_bots(one)]
        assert now[: len(answers)] == answers
        assert len(now) == len(answers) + 1, "the standings, and nothing that was asked before"


async def test_a_deleted_lobby_is_there_again_and_works(friends: Club) -> None:
    race, message = await opened(friends.ada, friends.room, "!bigben race")
    # The host of the room may delete what others wrote.
    await friends.ada.person.redacts(friends.room, message.id)
    again = await friends.bob.person.sees(
        friends.room, lambda one: one.id != message.id and race in one.text and "join" in verbs(one)
    )
    await friends.bob.person.presses(again, "join")
    await friends.ada.person.sees(
        friends.room, lambda one: one.id == again.id and "Bob" in one.text
    )


async def test_a_bot_that_is_kicked_goes_on_in_direct_rooms_and_can_be_asked_back(
    friends: Club,
) -> None:
    race, _ = await friends.race()
    await friends.ada.person.kicks(friends.room, friends.account.user)
    await friends.moves(race, friends.ada)
    await friends.ada.person.invites(friends.room, friends.account.user)
    await friends.ada.person.sees_member(friends.room, friends.account.user)
    said = await friends.bob.person.says(friends.room, "!bigben standings")
    shown = await friends.bob.person.sees(friends.room, friends.is_bots, after=said)
    assert "Ada" in shown.text
    assert "hello" not in shown.text.lower(), "it has introduced itself before"


async def test_an_upgraded_room_goes_on_with_its_race_its_settings_and_its_board(
    friends: Club,
) -> None:
    ada, bob = friends.ada.person, friends.bob.person
    said = await ada.says(friends.room, "!bigben settings language:de")
    await ada.sees(friends.room, friends.is_bots, after=said)
    friends = friends._replace(
        ada=replace(friends.ada, language="de"), bob=replace(friends.bob, language="de")
    )
    race, _ = await friends.race()
    new = await ada.upgrades(friends.room)
    # As clients do: a private room takes nobody along by itself.
    for user in (friends.account.user, bob.user):
        await ada.invites(new, user)
    await bob.joins(new)
    moved = await bob.sees(new, lambda one: race in one.text and "board" in verbs(one))
    assert "Rennen" in moved.text, "the language of the group came with it"
    await friends.moves(race, friends.ada)
    await bob.sees(new, lambda one: one.id == moved.id and "Ada" in one.text)
    said = await bob.says(new, "!bigben leaderboard here")
    await bob.sees(new, friends.is_bots, after=said)


async def test_a_room_with_somebody_else_in_it_gets_no_cards(friends: Club) -> None:
    await friends.race()
    direct = await friends.ada.direct()
    with pytest.raises(Exception, match="M_FORBIDDEN"):
        await friends.ada.person.invites(direct, friends.bob.person.user)
    assert friends.bob.person.user not in friends.ada.person.rooms


async def test_the_bot_does_not_stay_alone_in_a_room(friends: Club) -> None:
    await friends.bob.person.leaves(friends.room)
    said = await friends.ada.person.says(friends.room, "!bigben standings")
    await friends.ada.person.sees(friends.room, friends.is_bots, after=said)
    assert friends.proxy.requests["leave"] == 0, "there is still somebody"
    await friends.ada.person.leaves(friends.room)
    await friends.proxy.asked("leave", 1)
