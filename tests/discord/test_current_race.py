"""Which race a typed command goes to: the board seen last, or the one that is named."""

from pathlib import Path

from tests.discord.playing import gives_up, sees_cards, starts_alone, taps_on
from tests.discord.running import bot_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.support.server_process import ServerProcess

from bigben_discord.bot import BigBen

FRESH = "no move yet"
EDIT_ANSWER = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"


async def races_alone(world: Discord, person: Person, channel: Channel) -> tuple[Message, str]:
    """A live race of one: its public message, and its code. The board has come."""
    lobby = await (await person.types(channel, "bigben race")).shown()
    code = lobby.button("Join").custom_id.split(":")[-1]
    waiting = await starts_alone(person, lobby)
    await world.changes.until(lambda: FRESH in waiting.content, "the board comes by itself")
    return lobby, code


async def deals(person: Person, channel: Channel, **options: str) -> Message:
    return await (await person.types(channel, "bigben deal", options)).shown()


async def test_a_typed_move_goes_to_the_board_that_was_seen_last(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada = world.person("Ada")
    lobby, code = await races_alone(world, ada, channel)
    daily = await sees_cards(ada, channel)
    await (await ada.presses(lobby, "My board")).shown()
    dealt = await deals(ada, channel)
    assert f"Race {code}" in dealt.content
    assert "move 1" in dealt.content
    assert FRESH in daily.content, "a daily has one try"
    # And back again: the daily's button shows its board.
    (public,) = [message for message in world.public(channel) if message != lobby]
    await (await ada.presses(public, "Play")).shown()
    dealt = await deals(ada, channel)
    assert "Daily race" in dealt.content
    assert "move 1" in dealt.content


async def test_a_board_that_appears_by_itself_counts_as_seen(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    bob = world.person("Bob")
    daily = await sees_cards(bob, channel)
    _, code = await races_alone(world, bob, channel)
    assert f"Race {code}" in (await deals(bob, channel)).content
    assert FRESH in daily.content


async def test_to_enter_a_room_moves_no_typed_card_there(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """Its cards are not out; the board that is there is the daily's."""
    cy = world.person("Cy")
    await sees_cards(cy, channel)
    lobby = await (await cy.types(channel, "bigben race")).shown()
    # What only shows goes by the race that was entered last.
    code = lobby.button("Join").custom_id.split(":")[-1]
    told = await (await cy.types(channel, "bigben board")).shown()
    assert f"Race {code}" in told.content
    assert "not dealt yet" in told.content
    assert "Daily race" in (await deals(cy, channel)).content


async def test_after_a_restart_it_is_the_same_race_in_every_channel(
    world: Discord, server: ServerProcess, tmp_path: Path, channel: Channel
) -> None:
    dan = world.person("Dan")
    elsewhere = world.direct(dan)
    async with bot_on(world, server.url, tmp_path):
        lobby, code = await races_alone(world, dan, channel)
        daily = await sees_cards(dan, elsewhere)
        await (await dan.presses(lobby, "My board")).shown()
    async with bot_on(world, server.url, tmp_path):
        for number, place in enumerate((elsewhere, channel), 1):
            dealt = await deals(dan, place)
            assert f"Race {code}" in dealt.content
            assert f"move {number}" in dealt.content
        offered = await dan.half_types(channel, "bigben deal", {"race": ""}, "race")
        assert next(value for _, value in offered) == code
        assert len(offered) == 2, "the daily too"
    assert FRESH in daily.content


async def test_a_race_is_named_to_play_there_and_completed_from_ones_own(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    eve = world.person("Eve")
    _, code = await races_alone(world, eve, channel)
    await sees_cards(eve, channel)
    offered = await eve.half_types(channel, "bigben deal", {"race": ""}, "race")
    labels = {value: label for label, value in offered}
    assert labels[code] == f"Race {code} · 12/104 home"
    assert len(offered) == 2
    half = await eve.half_types(channel, "bigben move", {"race": code[:3].lower()}, "race")
    assert [value for _, value in half] == [code]
    dealt = await deals(eve, channel, race=code.lower())
    assert f"Race {code}" in dealt.content
    assert "move 1" in dealt.content
    # Piles are completed from the board of the race that is named.
    daily = next(value for _, value in offered if value != code)
    typed = {"race": str(daily), "from": ""}
    sources = await eve.half_types(channel, "bigben move", typed, "from")
    here = await (await eve.types(channel, "bigben board", {"race": daily})).shown()
    piles = [value for _, value in sources if value not in ("turn", "refill")]
    assert piles == (here.selects[0].values if here.selects else [])


async def test_a_refusal_names_the_race(world: Discord, bot: BigBen, channel: Channel) -> None:
    flo, gus = world.person("Flo"), world.person("Gus", locale="de")
    _, code = await races_alone(world, flo, channel)
    typed = {"from": "w", "to": "fdn"}
    told = await (await flo.types(channel, "bigben move", typed)).shown()
    assert told.content == f"**Race {code}:** The waste is empty."
    told = await (await gus.types(channel, "bigben move", {**typed, "race": code})).shown()
    assert told.content.startswith(f"**Rennen {code}:** Du spielst in diesem Rennen nicht mit")


async def test_when_that_race_is_over_no_other_is_played_but_the_player_is_asked(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    hal = world.person("Hal")
    daily = await sees_cards(hal, channel)
    lobby, code = await races_alone(world, hal, channel)
    board = await (await hal.presses(lobby, "My board")).shown()
    await gives_up(hal, board)
    await world.changes.until(lambda: "race is over" in lobby.content, "the race has closed")
    for command, given in (("deal", {}), ("undo", {}), ("move", {"from": "1", "to": "fdn"})):
        asked = await (await hal.types(channel, f"bigben {command}", given)).shown()
        assert asked.content.startswith(f"**Race {code}:** your game there is over")
        assert asked.only_for == hal.user
        assert "Daily race" in str(asked.buttons)
    assert FRESH in daily.content
    # What is pressed is the board that was seen last from now on.
    asked = await deals(hal, channel)
    board = await (await hal.presses(asked, "Daily race")).shown()
    assert FRESH in board.content
    dealt = await deals(hal, channel)
    assert "Daily race" in dealt.content
    assert "move 1" in dealt.content


async def test_a_player_whose_only_race_is_over_is_told_how_to_find_another(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ida = world.person("Ida")
    await gives_up(ida, await taps_on(ida, await sees_cards(ida, channel), 1))
    asked = await deals(ida, channel)
    assert "your game there is over" in asked.content
    assert "/bigben race" in asked.content
    assert asked.buttons == []


async def test_a_board_that_the_bot_is_still_sending_is_the_one_that_was_seen(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """Discord shows it before the bot hears that it was taken."""
    mia = world.person("Mia")
    with world.network.holding(f"from {EDIT_ANSWER}"):
        _, code = await races_alone(world, mia, channel)
        dealt = await mia.types(channel, "bigben deal")
    assert f"Race {code}" in (await dealt.shown()).content
