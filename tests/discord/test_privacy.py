"""Nobody sees another's cards: not in a channel, not by a button, not in any old version."""

import re

from tests.discord.playing import gives_up, plays_until, sees_cards, taps_on
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord

from bigben_discord.bot import BigBen

CARD = re.compile(r"[♣♦♥♠]|\b(10|[2-9AJQK])[CDHS]\b")


def names_a_card(world: Discord) -> list[str]:
    """Every text that all could ever see and that names a card."""
    public = [message for message in world.state.messages.values() if message.only_for is None]
    texts = [version.content for message in public for version in message.versions]
    texts += [button.label for message in public for button in message.buttons]
    texts += [attachment.description for message in public for attachment in message.attachments]
    return [text for text in texts if CARD.search(text)]


async def test_a_daily_and_a_room_show_cards_to_their_players_alone(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada, bob, eve = world.person("Ada"), world.person("Bob"), world.person("Eve")
    for person in (ada, bob):
        await taps_on(person, await sees_cards(person, channel), 4)
    lobby = await (await ada.types(channel, "bigben race")).shown()
    await (await bob.presses(lobby, "Join")).shown()
    for person in (ada, bob):
        await (await person.presses(lobby, "Ready")).shown()
    await world.changes.until(lambda: "My board" in str(lobby.buttons), "the countdown")

    def racing() -> bool:
        own = [m for m in bob.sees(channel) if m.only_for == bob.user]
        with_cards = [m for m in own if m.attachments and "Race" in m.content]
        return bool(with_cards)

    await world.changes.until(racing, "the cards are out")
    for command in ("standings", "leaderboard", "stats", "verify"):
        await (await ada.types(channel, f"bigben {command}")).shown()

    assert names_a_card(world) == []
    for message in world.state.messages.values():
        # A race is public, with its players and how many of their cards are home.
        if any(file.filename != "race.png" for file in message.attachments):
            assert message.only_for is not None
    assert all(message.only_for is None for message in eve.sees(channel))
    assert all(message.only_for in (None, ada.user) for message in ada.sees(channel))


async def test_anothers_button_shows_ones_own_board(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """Discord would not let it come to this; the bot does not rely on it."""
    cy, dan = world.person("Cy"), world.person("Dan")
    board = await plays_until(
        lambda board: "move 3" in board.content, cy, await sees_cards(cy, channel)
    )
    await sees_cards(dan, channel)
    board.only_for = None
    told = await (await dan.presses(board, "Standings")).shown()
    assert told.only_for == dan.user
    await (await dan.presses(board, "As text")).shown()
    assert "no move yet" in board.content, "what a press shows is the presser's own"


async def test_the_end_of_a_game_tells_no_cards_to_those_who_still_play(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    flo, gus = world.person("Flo"), world.person("Gus")
    await sees_cards(gus, channel)
    over = await gives_up(flo, await taps_on(flo, await sees_cards(flo, channel), 3))
    await (await flo.presses(over, "Verify")).shown()
    told = await (await gus.types(channel, "bigben verify")).shown()
    assert "The seed is revealed to everybody when" in told.content
    assert names_a_card(world) == []
