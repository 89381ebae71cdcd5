"""Where a board is promised it comes, or a sentence says how to get it."""

from pathlib import Path

import pytest
from tests.discord.playing import gives_up, plays_until, room_of, sees_cards, taps_on
from tests.discord.running import bot_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import ATTACH_FILES, Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_discord.bot import BigBen

TOKEN_S = 15 * 60


async def is_ready(person: Person, lobby: Message) -> Message:
    """The message in which the board is to appear."""
    return await (await person.presses(lobby, "Ready")).followed_up()


async def becomes_board(world: Discord, message: Message) -> None:
    await world.changes.until(lambda: "home · no move yet" in message.content, "the board comes")


async def test_a_player_who_was_ready_long_before_the_start_has_a_button_for_the_board(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """Discord lets nobody change the message any more; its button brings the board."""
    ada, bob = world.person("Ada"), world.person("Bob")
    lobby = await room_of(ada, bob, channel)
    waiting = await is_ready(ada, lobby)
    assert "press *My board*" in waiting.content
    world.clock.skip(TOKEN_S + 1)
    await becomes_board(world, await is_ready(bob, lobby))
    assert "move" not in waiting.content
    board = await (await ada.presses(waiting, "My board")).shown()
    assert board.id == waiting.id
    assert board.picture.description
    assert "move 1" in (await taps_on(ada, board, 1)).content


async def test_the_button_before_the_start_lets_the_board_come_later(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    cy, dan = world.person("Cy"), world.person("Dan")
    lobby = await room_of(cy, dan, channel)
    waiting = await is_ready(cy, lobby)
    world.clock.skip(TOKEN_S - 60)
    await (await cy.presses(waiting, "My board")).shown()
    world.clock.skip(120)
    await is_ready(dan, lobby)
    await becomes_board(world, waiting)


async def test_a_bot_that_stops_in_the_countdown_brings_the_boards_when_it_is_back(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    eve, flo = world.person("Eve"), world.person("Flo")
    async with bot_on(world, server.url, tmp_path):
        lobby = await room_of(eve, flo, channel)
        boards = [await is_ready(person, lobby) for person in (eve, flo)]
    async with bot_on(world, server.url, tmp_path):
        for person, board in zip((eve, flo), boards, strict=True):
            await becomes_board(world, board)
            assert "move 1" in (await taps_on(person, board, 1)).content
    assert len(world.public(channel)) == 1


async def test_a_bot_that_stops_before_all_are_ready_brings_them_too(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    gus, hal = world.person("Gus"), world.person("Hal", locale="de")
    async with bot_on(world, server.url, tmp_path):
        lobby = await room_of(gus, hal, channel)
        waiting = await is_ready(hal, lobby)
    async with bot_on(world, server.url, tmp_path):
        await is_ready(gus, lobby)
        await world.changes.until(
            lambda: "daheim · noch kein Zug" in waiting.content, "in their language"
        )
        # It is the board that was seen last.
        dealt = await (await hal.types(channel, "bigben deal")).shown()
        assert "Zug 1" in dealt.content


async def test_a_player_who_is_no_longer_ready_is_promised_no_board(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ida, jo = world.person("Ida"), world.person("Jo")
    lobby = await room_of(ida, jo, channel)
    waiting = await is_ready(jo, lobby)
    await (await jo.presses(lobby, "Ready")).shown()
    await world.changes.until(lambda: "no board appears" in waiting.content, "it is taken back")
    again = await is_ready(jo, lobby)
    await (await jo.presses(lobby, "Leave")).shown()
    await world.changes.until(
        lambda: "no longer have a seat" in again.content, "the seat is given up"
    )


async def test_a_board_that_is_asked_for_too_early_appears_later(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    kim, lea = world.person("Kim"), world.person("Lea")
    lobby = await room_of(kim, lea, channel)
    await is_ready(kim, lobby)
    early = await (await kim.types(channel, "bigben board")).shown()
    assert "Your board appears here" in early.content
    told = await (await lea.types(channel, "bigben board")).shown()
    assert "press *Ready*" in told.content, "a seat alone brings no cards"
    await is_ready(lea, lobby)
    await becomes_board(world, early)


@pytest.mark.parametrize("member", [True, False])
async def test_where_pictures_may_not_be_sent_a_board_is_text(
    world: Discord, bot: BigBen, *, member: bool
) -> None:
    guild = world.guild("Plain", bot_is_member=member)
    plain = world.channel("plain", guild, denied=ATTACH_FILES)
    max_, nia = world.person("Max"), world.person("Nia")
    board = await sees_cards(max_, plain)
    assert board.attachments == []
    assert "Stock 56" in board.content
    assert "Attach Files" in board.content
    board = await plays_until(lambda board: board.selects, max_, board)
    # A menu leaves the board of signs where it is.
    asked = await (await max_.presses(board, "Give up")).shown()
    assert "Stock" in asked.content
    # So does a board that comes by itself.
    lobby = await room_of(max_, nia, plain)
    waiting = await is_ready(nia, lobby)
    await is_ready(max_, lobby)
    await world.changes.until(lambda: "Stock 56" in waiting.content, "the board comes as text")


async def test_a_receipt_that_may_not_be_attached_is_had_by_a_command(
    world: Discord, bot: BigBen
) -> None:
    plain = world.channel("plain", world.guild("Plain"), denied=ATTACH_FILES)
    oda, pat = world.person("Oda"), world.person("Pat")
    lobby = await room_of(oda, pat, plain)
    boards = [await is_ready(person, lobby) for person in (oda, pat)]
    for person, board in zip((oda, pat), boards, strict=True):
        await becomes_board(world, board)
        await gives_up(person, board)
    await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")
    proof = await (await oda.presses(lobby, "Verify")).shown()
    assert "✅" in proof.content
    assert "bigben receipt" in proof.content
    assert "receipt is attached" not in proof.content
