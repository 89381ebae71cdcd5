"""Today's race on Discord, from the first command to the leaderboard."""

from pathlib import Path

from tests.discord.playing import gives_up, home, plays_until, sees_cards, taps_on
from tests.discord.running import KEY, bot_on
from tests.discord.standin.server import Discord
from tests.support.server_process import UNHURRIED, ServerProcess, serving

from bigben_client import Client
from bigben_discord.bot import BigBen
from bigben_server.race.views import MOST_SHOWN


async def test_two_race_todays_deal(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    ada, bob = world.person("Ada"), world.person("Bob")

    boards = [await sees_cards(person, channel) for person in (ada, bob)]
    assert boards[0].picture.description == boards[1].picture.description
    assert [board.only_for for board in boards] == [ada.user, bob.user]

    first, second = await taps_on(ada, boards[0], 30), boards[1]
    first = await plays_until(lambda board: home(board) > home(second), ada, first)

    # One message for all, with both of them as far as they are.
    def up_to_date() -> bool:
        text = world.told(channel)
        return all(f"{home(board):>3}`" in text for board in (first, second))

    await world.changes.until(up_to_date, "the public message shows both")
    (public,) = world.public(channel)
    assert public.content.index("Ada") < public.content.index("Bob")

    over = await gives_up(ada, first)
    assert "gave up" in over.content
    await gives_up(bob, second)

    for person in (ada, bob):
        standings = await (await person.types(channel, "bigben standings")).shown()
        assert f"**{person.name}**" in standings.content
    wanted = {"group": "here"}
    board = await (await bob.types(channel, "bigben leaderboard", wanted)).shown()
    assert "🥇 **Ada**" in board.content
    assert "🥈 **Bob**" in board.content
    assert board.only_for == bob.user


async def test_the_clock_starts_with_the_cards_and_a_race_can_be_continued(
    world: Discord, bot: BigBen
) -> None:
    channel = world.channel("general", world.guild("Friends"))
    cy = world.person("Cy")
    intro = await (await cy.types(channel, "bigben daily")).shown()
    assert intro.attachments == []
    assert world.public(channel) == []
    board = await taps_on(cy, await (await cy.presses(intro, "Show me")).shown(), 2)
    again = await (await cy.types(channel, "bigben daily")).shown()
    assert again.picture.description == board.picture.description
    assert "move 2" in again.content


async def test_there_is_one_public_message_however_many_play(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    for name in ("Dan", "Eve", "Flo"):
        await sees_cards(world.person(name), channel)
    await world.changes.until(lambda: "Flo" in world.told(channel), "all are in the message")
    (public,) = world.public(channel)
    assert "Dan" in public.content


async def test_a_channel_shows_the_players_who_joined_there(world: Discord, bot: BigBen) -> None:
    friends = world.guild("Friends")
    here, there = world.channel("here", friends), world.channel("there", friends)
    gus, hal = world.person("Gus"), world.person("Hal")
    await sees_cards(gus, here)
    await sees_cards(hal, there)
    await world.changes.until(lambda: world.public(here) and world.public(there), "both messages")
    assert "Hal" not in world.told(here)
    assert "Gus" not in world.told(there)


async def test_play_under_the_public_message_brings_ones_own_board(
    world: Discord, bot: BigBen
) -> None:
    channel = world.channel("general", world.guild("Friends"))
    await sees_cards(world.person("Ida"), channel)
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    jo = world.person("Jo")
    intro = await (await jo.presses(public, "Play")).shown()
    assert intro.only_for == jo.user
    board = await (await jo.presses(intro, "Show me the cards")).shown()
    assert board.picture.data.startswith(b"\x89PNG")
    await world.changes.until(lambda: "Jo" in public.content, "Jo is in the message too")


async def test_other_rules_are_another_race(world: Discord, bot: BigBen) -> None:
    channel = world.channel("general", world.guild("Friends"))
    kim = world.person("Kim")
    await sees_cards(kim, channel)
    answer = await kim.types(channel, "bigben daily", {"rules": "book"})
    book = await (await kim.presses(await answer.shown(), "Show me the cards")).shown()
    await world.changes.until(lambda: len(world.public(channel)) == 2, "two messages")
    assert any("Rules of the book" in message.content for message in world.public(channel))
    assert "no move yet" in book.content
    assert "Rules of the book" in book.content, "two boards of a day can be told apart"


async def test_german_for_users_whose_discord_is_german(world: Discord, bot: BigBen) -> None:
    channel = world.channel("allgemein", world.guild("Freunde", locale="de"))
    lea = world.person("Lea", locale="de")
    intro = await (await lea.types(channel, "bigben daily")).shown()
    board = await (await lea.presses(intro, "Zeig mir die Karten")).shown()
    assert "Tagesrennen" in board.content
    assert "Talon: 56." in board.picture.description
    (public,) = await world.changes.until(lambda: world.public(channel), "the message")
    assert "Spielen" in str(public.buttons)
    # What all see is in the guild's language, what one sees in their own.
    max_ = world.person("Max", locale="en-GB")
    assert "one try" in (await (await max_.presses(public, "Spielen")).shown()).content


async def test_the_last_of_very_many_still_has_a_board(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    """A server shows the best hundred of a daily; the bot has forgotten all and asks it."""
    channel = world.channel("general", world.guild("Friends"))
    zoe = world.person("Zoe")
    settings = {**UNHURRIED, "BIGBEN_ISSUER_DISCORD_KEY": KEY}
    folder = tmp_path / "server"
    folder.mkdir()
    with serving(folder, settings) as crowded:
        for number in range(MOST_SHOWN):
            async with Client(crowded.url, name=f"Guest {number}") as client:
                race = (await client.join("daily")).race
                await client.ready(race)
                await client.move(race, "resign")
        async with bot_on(world, crowded.url, tmp_path):
            board = await sees_cards(zoe, channel)
        async with bot_on(world, crowded.url, tmp_path):
            again = await (await zoe.types(channel, "bigben board")).shown()
            assert again.picture.description == board.picture.description
            over = await gives_up(zoe, again)
            proof = await (await zoe.presses(over, "Verify")).shown()
            assert "The seed is revealed to everybody when" in proof.content
            places = await (await zoe.types(channel, "bigben standings")).shown()
            assert "🥇 **Zoe**" in places.content
