"""The result of a game as a text: on the board, by a button for all, by a command."""

import re
from io import BytesIO

from PIL import Image
from tests.discord.playing import gives_up, home, sees_cards, starts_alone, taps_on
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord

from bigben_discord.bot import BigBen

SIGNS = re.compile(r"^[□◔◑◕■]{12}$", re.MULTILINE)


async def test_a_finished_game_is_shared_without_its_cards(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada = world.person("Ada_")
    board = await taps_on(ada, await sees_cards(ada, channel), 3)
    told = await (await ada.types(channel, "bigben share")).shown()
    assert "no finished game" in told.content
    over = await gives_up(ada, board)
    line = re.search(r"^Big Ben \d{4}-\d\d-\d\d · .*$", over.content, re.MULTILINE)
    assert line, over.content
    assert f"{home(over)}/104" in line[0]
    assert "gave up" in line[0]
    signs = SIGNS.search(over.content)
    assert signs
    (public,) = await world.changes.until(lambda: world.public(channel), "the race's message")
    posted = await (await ada.presses(over, "Share")).shown()
    assert posted.only_for is None
    assert posted.content == f"**Ada\\_**\n{line[0]}\n{signs[0]}"
    assert posted.picture.description == f"{line[0]}\n{signs[0]}"
    assert Image.open(BytesIO(posted.picture.data)).size == (1000, 524)
    # By a command it is first for its player alone.
    copied = await (await ada.types(channel, "bigben share")).shown()
    assert copied.only_for == ada.user
    assert line[0] in copied.content
    again = await (await ada.presses(copied, "Post it here")).shown()
    assert again.content == posted.content
    assert world.public(channel) == [public, posted, again]


async def test_a_finisher_reads_the_place_so_far_and_then_the_hours(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    bob, cy = world.person("Bob"), world.person("Cy")
    lobby = await (await bob.types(channel, "bigben race")).shown()
    await (await cy.presses(lobby, "Join")).shown()
    waiting = [await (await one.presses(lobby, "Ready")).followed_up() for one in (bob, cy)]
    for message in waiting:
        await world.changes.until(lambda: message.attachments, "the cards are dealt")  # noqa: B023
    first = await gives_up(bob, waiting[0])
    assert "so far" in first.content
    assert "Rematch" in str(first.buttons)
    await gives_up(cy, waiting[1])
    await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")
    result = await (await cy.types(channel, "bigben share")).shown()
    assert re.search(r"gave up · \d(st|nd) of 2\n", result.content)
    assert SIGNS.search(result.content)
    posted = await (await bob.presses(first, "Share")).shown()
    assert "so far" not in posted.content


async def test_another_players_button_posts_ones_own_result_or_says_why_not(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    dan, eve = world.person("Dan"), world.person("Eve")
    lobby = await (await dan.types(channel, "bigben race")).shown()
    board = await starts_alone(dan, lobby)
    await world.changes.until(lambda: board.attachments, "the cards are dealt")
    over = await gives_up(dan, board)
    over.only_for = None
    told = await (await eve.presses(over, "Share")).shown()
    assert told.only_for == eve.user
    assert "no finished game" in told.content
