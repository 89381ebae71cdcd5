"""Every interaction is acknowledged in time and answered once, whatever the server does."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.discord.playing import plays_until, sees_cards, taps_on
from tests.discord.running import Pace, bot_on
from tests.discord.slow_wire import SlowWire, slow_wire
from tests.discord.standin.interactions import DEFER_MESSAGE, DEFER_UPDATE, MESSAGE, UPDATE
from tests.discord.standin.people import Channel
from tests.discord.standin.rest import Fault
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_discord.bot import BigBen
from bigben_discord.interactions.answers import PATIENCE_S

SOON = 0.3
"""Seconds after which a bot gives up a server that is known not to answer."""

FOLLOW_UP = "POST /webhooks/{webhook_id}/{webhook_token}"
CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"


@pytest.fixture
async def wire(server: ServerProcess) -> AsyncIterator[SlowWire]:
    async with slow_wire(server.port) as one:
        yield one


@pytest.fixture
async def hasty(world: Discord, wire: SlowWire, tmp_path: Path) -> AsyncIterator[BigBen]:
    """A bot behind that wire that promises soon, and then waits for long."""
    async with bot_on(world, wire.url, tmp_path, Pace(patience=0.05, server_patience=30)) as one:
        yield one


def test_an_interaction_is_deferred_well_before_discord_gives_up() -> None:
    assert PATIENCE_S < 2.5


async def test_a_quick_answer_is_the_acknowledgement(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ada = world.person("Ada")
    async with bot_on(world, server.url, tmp_path, Pace(patience=30)):
        answer = await ada.types(channel, "bigben help")
        await answer.shown()
        assert answer.interaction.answer == MESSAGE
        board = await sees_cards(ada, channel)
        tap = await ada.taps(board, board.buttons[0])
        await tap.shown()
        assert tap.interaction.answer == UPDATE


async def test_the_acknowledgement_does_not_wait_for_the_picture(
    world: Discord, hasty: BigBen, channel: Channel
) -> None:
    """On a slow link to Discord; the server has long answered."""
    bea = world.person("Bea")
    intro = await (await bea.types(channel, "bigben daily")).shown()
    world.rest.uploads.clear()
    tap = await bea.presses(intro, "Show me")
    assert await tap.acknowledged() == DEFER_UPDATE
    await world.changes.until(lambda: world.rest.held, "the board is on its way")
    command = await bea.types(channel, "bigben board")
    assert await command.acknowledged() == DEFER_MESSAGE
    world.rest.uploads.set()
    for answer in (tap, command):
        assert "home · no move yet" in (await answer.shown()).content


async def test_the_time_for_a_picture_does_not_count_as_the_servers(
    world: Discord, wire: SlowWire, hasty: BigBen, channel: Channel
) -> None:
    bo = world.person("Bo")
    await sees_cards(bo, channel)
    hasty.answers.server_patience = 2.0  # The board is drawn in it.
    world.rest.uploads.clear()
    slow = await bo.types(channel, "bigben board")
    await world.changes.until(lambda: world.rest.held, "the picture is on its way")
    next_one = await bo.types(channel, "bigben board")  # It waits for that one.
    wire.hold()
    told = await (await bo.types(channel, "bigben standings")).shown()
    assert "can’t be reached" in told.content
    world.rest.uploads.set()
    for answer in (slow, next_one):
        assert "home · no move yet" in (await answer.shown()).content


async def test_after_a_slow_upload_the_next_answer_is_deferred_first(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ben = world.person("Ben")
    async with bot_on(world, server.url, tmp_path, Pace(patience=30)) as bot:
        board = await sees_cards(ben, channel)
        # One more answer: by now the bot has heard that the picture was taken.
        await (await ben.types(channel, "bigben standings")).shown()
        bot.answers.uploads.slow = True
        tap = await ben.taps(board, board.buttons[0])
        await tap.shown()
        assert tap.interaction.answer == DEFER_UPDATE
        await (await ben.types(channel, "bigben standings")).shown()
        # That one was quick.
        tap = await ben.taps(board, board.buttons[0])
        await tap.shown()
        assert tap.interaction.answer == UPDATE


async def test_an_answer_that_has_arrived_is_not_sent_again(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """Discord took the answer, but the bot heard of that too late."""
    jo = world.person("Jo")
    board = await sees_cards(jo, channel)
    # One more answer: by now the bot has heard that the board was taken.
    await (await jo.types(channel, "bigben standings")).shown()
    with world.network.holding(f"from {CALLBACK}"):
        board = await taps_on(jo, board, 1)
        await world.changes.until(
            lambda: [r for r in world.rest.requests if r.route == CALLBACK and r.status == 400],
            "the bot has given that answer up",
        )
        tap = await jo.taps(board, board.buttons[0])
    assert "move 2" in (await tap.shown()).content
    assert tap.interaction.answer == DEFER_UPDATE
    sent = [version for version in board.versions if "move 1 " in version.content]
    assert len(sent) == 1, "its picture was taken with the first request"


async def test_a_slow_server_is_waited_for_with_a_promise(
    world: Discord, wire: SlowWire, hasty: BigBen, channel: Channel
) -> None:
    bob = world.person("Bob")
    board = await sees_cards(bob, channel)
    wire.hold()
    tap = await bob.taps(board, board.buttons[0])
    assert await tap.acknowledged() == DEFER_UPDATE
    assert "no move yet" in board.content
    wire.let_go()
    assert "move 1" in (await tap.shown()).content

    wire.hold()
    command = await bob.types(channel, "bigben standings")
    assert await command.acknowledged() == DEFER_MESSAGE
    promised = command.interaction.original
    assert promised is not None
    assert promised.thinking
    assert promised.only_for == bob.user
    wire.let_go()
    assert "Bob" in (await command.shown()).content


async def test_a_promised_room_is_public_and_a_promised_sorry_is_not(
    world: Discord, wire: SlowWire, hasty: BigBen, channel: Channel
) -> None:
    cy = world.person("Cy")
    await (await cy.types(channel, "bigben standings")).shown()
    wire.hold()
    answer = await cy.types(channel, "bigben race")
    assert await answer.acknowledged() == DEFER_MESSAGE
    wire.let_go()
    lobby = await answer.shown()
    assert lobby.only_for is None
    assert "Join" in str(lobby.buttons)

    hasty.answers.server_patience = SOON
    wire.hold()
    answer = await cy.types(channel, "bigben race")
    await answer.acknowledged()
    told = await answer.followed_up()
    assert told.only_for == cy.user
    assert "can’t be reached" in told.content
    assert world.public(channel) == [lobby]


async def test_a_completion_is_empty_and_in_time_when_the_server_does_not_answer(
    world: Discord, wire: SlowWire, hasty: BigBen, channel: Channel
) -> None:
    fay = world.person("Fay")
    board = await plays_until(lambda board: board.selects, fay, await sees_cards(fay, channel))
    assert board.selects
    # Its player comes back to a bot that has nothing at hand.
    await hasty.chat.players.close()
    wire.hold()
    assert await fay.half_types(channel, "bigben move", {"from": ""}, "from") == []
    wire.let_go()
    (answer,) = [i for i in world.state.interactions.values() if i.kind == "autocomplete"]
    assert answer.answer, "the stand-in takes none after three seconds"


async def test_an_error_after_the_answer_is_told_beside_it(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    ida = world.person("Ida")
    async with bot_on(world, server.url, tmp_path, Pace(patience=0.0)):
        await sees_cards(ida, channel)
        await world.changes.until(lambda: world.public(channel), "the public message")
        # Elsewhere a public message is due too, which Discord does not take.
        elsewhere = world.direct(ida)
        world.rest.faults.append(Fault(FOLLOW_UP, 400))
        answer = await ida.types(elsewhere, "bigben daily")
        sorry = await answer.followed_up()
        board = await answer.shown()
    assert answer.interaction.answer == DEFER_MESSAGE
    assert "home · no move yet" in board.content
    assert "Something went wrong" in sorry.content
    assert sorry.only_for == ida.user


async def test_a_player_is_told_that_the_server_is_away_and_nothing_is_lost(
    world: Discord, wire: SlowWire, hasty: BigBen, channel: Channel
) -> None:
    dan = world.person("Dan")
    board = await sees_cards(dan, channel)
    hasty.answers.server_patience = SOON
    await wire.cut()
    tap = await dan.taps(board, board.buttons[0])
    told = await tap.followed_up()
    assert told.only_for == dan.user
    assert "Nothing is lost" in told.content
    assert "no move yet" in board.content
    new = world.person("New")
    told = await (await new.types(channel, "bigben daily")).shown()
    assert "can’t be reached" in told.content

    hasty.answers.server_patience = 30
    await wire.mend()

    def again() -> bool:
        player = hasty.chat.players.get(int(dan.user.id))
        return player is not None and player.client.connected

    while not again():
        # The bot comes back by itself, in its own time; a player may try in the meantime.
        await (await dan.types(channel, "bigben help")).shown()
    board = await (await dan.types(channel, "bigben board")).shown()
    assert "move" in board.content
    await taps_on(dan, board, 1)
    # With so little patience an answer is given up that Discord still takes.
    world.rest.editing.overlaps.clear()


async def test_a_player_is_told_at_once_that_the_server_is_down(
    world: Discord, wire: SlowWire, hasty: BigBen, channel: Channel
) -> None:
    """However patient the bot is with one that is slow."""
    hasty.answers.server_patience = 600.0
    dora = world.person("Dora")
    board = await sees_cards(dora, channel)
    wire.hold()
    slow = await dora.taps(board, board.buttons[0])
    await slow.acknowledged()
    await wire.cut()  # While it is asked, and before.
    for tap in (slow, await dora.taps(board, board.buttons[0])):
        told = await tap.followed_up()
        assert "try again in a moment" in told.content
    assert "no move yet" in board.content
    wire.let_go()
    await wire.mend()


async def test_an_interaction_that_is_too_old_is_left_alone(
    world: Discord, wire: SlowWire, hasty: BigBen, channel: Channel
) -> None:
    eve = world.person("Eve")
    board = await sees_cards(eve, channel)
    await world.gateway.drop()
    tap = await eve.taps(board, board.buttons[0])
    world.clock.skip(3.5)
    await world.changes.until(
        lambda: [r for r in world.rest.requests if r.route == CALLBACK and r.status == 404],
        "the bot has tried",
    )
    assert tap.interaction.answer == 0
    del world.state.interactions[tap.interaction.token]
    # What was meant is done all the same, and the next command shows it.
    while "move 1" not in board.content:  # it may still be on its way
        board = await (await eve.types(channel, "bigben board")).shown()


async def test_discords_own_trouble_does_not_end_the_bot(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    flo = world.person("Flo")
    world.rest.faults.append(Fault(CALLBACK, 403, {}))
    await flo.types(channel, "bigben help")
    await world.changes.until(lambda: not world.rest.faults, "Discord has refused an answer")
    world.state.interactions.clear()
    assert (await (await flo.types(channel, "bigben help")).shown()).content


async def test_every_answer_of_these_tests_was_given_once(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    gus = world.person("Gus")
    board = await sees_cards(gus, channel)
    await taps_on(gus, board, 5)
    for command in ("standings", "leaderboard", "stats", "help", "link", "verify"):
        await (await gus.types(channel, f"bigben {command}")).shown()
    callbacks = [r for r in world.rest.requests if r.route == CALLBACK]
    assert len(callbacks) == len(world.state.interactions)
    assert {r.status for r in callbacks} == {200}


async def test_a_bot_that_is_told_to_stop_finishes_its_answers(
    world: Discord, bot: BigBen, channel: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    with world.network.holding(f"from {CALLBACK}"):
        # The bot does not know yet that this answer was taken.
        await (await world.person("Ada").types(channel, "bigben help")).shown()
        closing = asyncio.create_task(bot.close())
        await asyncio.wait({closing}, timeout=0.5)
        assert not closing.done()
    await closing
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
