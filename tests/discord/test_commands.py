"""Every command that is typed, and what is completed while it is."""

import re

import pytest
from tests.discord.playing import gives_up, home, plays_until, sees_cards, taps_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord

from bigben_client import Client
from bigben_discord.bot import BigBen


async def test_a_move_is_typed_as_it_is_completed(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada = world.person("Ada")
    board = await plays_until(lambda board: board.selects, ada, await sees_cards(ada, channel))
    before = re.search(r"· move (\d+)", board.content)
    n = int(before[1]) if before else 0
    offered = {button.custom_id.rpartition(":")[2] for button in board.buttons}
    completed = await ada.half_types(channel, "bigben move", {"from": ""}, "from")
    sources = [(label, value) for label, value in completed if value not in ("turn", "refill")]
    assert sources
    for label, source in sources:
        targets = await ada.half_types(channel, "bigben move", {"from": source, "to": ""}, "to")
        assert targets
        assert re.match(rf"(Fan {source}|Waste): ", label)
        if "fdn" in [value for _, value in targets]:
            assert any(move.startswith(f"{source} f") for move in offered)
    _, source = sources[0]
    target = (await ada.half_types(channel, "bigben move", {"from": source, "to": ""}, "to"))[0]
    after = await (
        await ada.types(channel, "bigben move", {"from": source, "to": target[1]})
    ).shown()
    assert f"move {n + 1}" in after.content
    assert after.only_for == ada.user
    assert after.picture.description != board.picture.description


async def test_a_whole_game_is_played_by_typing_what_is_completed(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    """Cards go home when they can, else the stock is dealt; by nothing but the completions."""
    ann = world.person("Ann", locale="de")
    intro = await (await ann.types(channel, "bigben daily")).shown()
    await (await ann.presses(intro, "Zeig mir")).shown()
    # As text, which is much quicker to make.
    board = await (await ann.types(channel, "bigben board", {"look": "text"})).shown()
    while any(button.custom_id.startswith("bb:deal") for button in board.buttons) or "heim" in str(
        board.buttons
    ):
        sources = await ann.half_types(channel, "bigben move", {"from": ""}, "from")
        home = [value for label, value in sources if "→ f" in label]
        if home:
            typed = {"from": home[0], "to": "f"}
            targets = await ann.half_types(channel, "bigben move", typed, "to")
            fdn = next(value for label, value in targets if label.startswith("Grundstapel"))
            answer = await ann.types(channel, "bigben move", {"from": home[0], "to": fdn})
        else:
            answer = await ann.types(channel, "bigben deal")
        board = await answer.shown()
        assert "Talon" in board.content, board.content
    assert re.search(r"\d+/104 daheim · Zug \d\d", board.content)


async def test_half_a_word_is_enough(world: Discord, bot: BigBen, channel: Channel) -> None:
    bob = world.person("Bob")
    await plays_until(lambda board: board.selects, bob, await sees_cards(bob, channel))
    every = await bob.half_types(channel, "bigben move", {"from": ""}, "from")
    label, value = every[0]
    card = label.split(": ")[1].split(" →")[0]
    found = await bob.half_types(channel, "bigben move", {"from": card[:6]}, "from")
    assert (label, value) in found
    assert await bob.half_types(channel, "bigben move", {"from": "nothing"}, "from") == []


async def test_nothing_is_completed_for_a_user_in_no_race(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    nobody = world.person("Nobody")
    assert await nobody.half_types(channel, "bigben move", {"from": "3"}, "from") == []


@pytest.mark.parametrize("typed", [("3", "3"), ("99", "fdn"), ("hello", "world")])
async def test_an_illegal_move_is_answered_with_a_sentence(
    world: Discord, bot: BigBen, channel: Channel, typed: tuple[str, str]
) -> None:
    cy = world.person("Cy")
    await sees_cards(cy, channel)
    source, target = typed
    told = await (await cy.types(channel, "bigben move", {"from": source, "to": target})).shown()
    assert told.only_for == cy.user
    assert re.match(r"\*\*Daily race, .*:\*\* [A-Z'`].*\.$", told.content)
    assert told.attachments == []


async def test_an_illegal_move_is_explained_in_the_users_language(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    cora = world.person("Cora", locale="de")
    intro = await (await cora.types(channel, "bigben daily")).shown()
    await (await cora.presses(intro, "Zeig mir")).shown()
    told = await (await cora.types(channel, "bigben move", {"from": "w", "to": "fdn"})).shown()
    assert told.content.startswith("**Tagesrennen, ")
    assert told.content.endswith(":** Dieser Zug geht nicht: Die Ablage ist leer.")
    told = await (await cora.types(channel, "bigben verify", {"race": "ZZZZZZ"})).shown()
    assert told.content == "Das gibt es nicht: Es gibt kein Rennen ZZZZZZ; prüfe den Namen."


async def test_deal_refills_or_turns(world: Discord, bot: BigBen, channel: Channel) -> None:
    dan = world.person("Dan")
    await sees_cards(dan, channel)
    board = await (await dan.types(channel, "bigben deal")).shown()
    assert "Stock: 55." in board.picture.description
    assert "→ Waste" in board.content


async def test_undo_where_the_race_has_none_says_so(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    eve = world.person("Eve")
    await sees_cards(eve, channel)
    told = await (await eve.types(channel, "bigben undo")).shown()
    assert "no undo" in told.content


async def test_a_board_is_shown_as_its_player_likes_it(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    flo = world.person("Flo")
    four = await sees_cards(flo, channel)
    two = await (await flo.types(channel, "bigben board", {"colours": "two"})).shown()
    assert two.picture.data != four.picture.data
    text = await (await flo.types(channel, "bigben board", {"look": "text"})).shown()
    assert text.attachments == []
    assert "Stock 56" in text.content
    assert text.content.count("\n") > 12
    # It stays so, until it is changed with the button.
    again = await (await flo.types(channel, "bigben board")).shown()
    assert again.attachments == []
    picture = await (await flo.presses(again, "As a picture")).shown()
    assert picture.picture.data == two.picture.data


async def test_before_any_race_commands_say_where_to_begin(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    new = world.person("New")
    for command in ("board", "deal", "undo", "resign", "standings", "verify"):
        told = await (await new.types(channel, f"bigben {command}")).shown()
        assert "/bigben daily" in told.content, command


async def test_resigning_is_asked_about_and_can_be_thought_over(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    gus = world.person("Gus")
    await sees_cards(gus, channel)
    asked = await (await gus.types(channel, "bigben resign")).shown()
    assert "really" in asked.content
    board = await (await gus.presses(asked, "No, keep playing")).shown()
    assert "12/104 home" in board.content
    over = await gives_up(gus, board)
    assert "gave up" in over.content
    assert [button.label for button in over.buttons] == ["Share", "As text", "Standings", "Verify"]
    again = await (await gus.types(channel, "bigben resign")).shown()
    assert again.content == over.content


async def test_leaderboards_of_every_scope_and_group(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    hal = world.person("Hal")
    await gives_up(hal, await taps_on(hal, await sees_cards(hal, channel), 4))
    titles = {"daily": "Today", "weekly": "This week", "monthly": "This month", "all-time": "All"}
    for scope, title in titles.items():
        for group, who in (("everybody", "everybody"), ("here", "here")):
            wanted = {"scope": scope, "group": group}
            board = await (await hal.types(channel, "bigben leaderboard", wanted)).shown()
            assert title in board.content
            assert f"{who} · Big Ben" in board.content
            assert ("**Hal**" in board.content) is (scope == "daily"), "points come at midnight"
            assert board.only_for == hal.user
    told = await (
        await hal.types(world.direct(hal), "bigben leaderboard", {"group": "here"})
    ).shown()
    assert "does not work in direct messages" in told.content


async def test_todays_leaderboard_says_how_many_are_still_racing(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    elsewhere = world.channel("general", world.guild("Others"))
    people = [world.person(name) for name in ("Uma", "Vic", "Wim")]
    boards = [await sees_cards(person, channel) for person in people]
    await sees_cards(world.person("Xenia"), elsewhere)
    wanted = {"group": "here"}
    table = await (await people[0].types(channel, "bigben leaderboard", wanted)).shown()
    assert "Nobody has finished yet." in table.content
    assert "Still racing: 3" in table.content
    places = await (await people[0].presses(table, "Standings")).shown()
    assert "Daily race" in places.content
    await gives_up(people[1], boards[1])
    table = await (await people[0].types(channel, "bigben leaderboard", wanted)).shown()
    assert "**Vic**" in table.content
    assert "Still racing: 2" in table.content
    # Of everybody's, whose games the server of these tests has many of.
    table = await (await people[0].types(channel, "bigben leaderboard")).shown()
    assert "Still racing: " in table.content


async def test_a_leaderboard_of_this_server_has_its_players_alone(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    elsewhere = world.channel("general", world.guild("Others"))
    ida, jo = world.person("Ida"), world.person("Jo")
    for person, place in ((ida, channel), (jo, elsewhere)):
        await gives_up(person, await sees_cards(person, place))
    board = await (await ida.types(channel, "bigben leaderboard", {"group": "here"})).shown()
    assert "**Ida**" in board.content
    assert "**Jo**" not in board.content


async def test_a_long_leaderboard_is_paged(world: Discord, bot: BigBen, channel: Channel) -> None:
    people = [world.person(f"Racer {number:02}") for number in range(12)]
    for person in people:
        await gives_up(person, await sees_cards(person, channel))
    wanted = {"group": "here"}
    first = await (await people[0].types(channel, "bigben leaderboard", wanted)).shown()
    assert names(first) == 10
    assert not first.button("▶").disabled
    assert first.button("◀").disabled
    assert "10 of 12" in str(first.buttons)
    second = await (await people[0].presses(first, "▶")).shown()
    assert second.id == first.id
    assert names(second) == 2
    back = await (await people[0].presses(second, "◀")).shown()
    assert names(back) == 10


def names(message: Message) -> int:
    """How many racers are named before the asker's own line."""
    return len(set(re.findall(r"Racer \d\d", message.content.split("…")[0])))


async def test_stats_are_ones_own_or_anothers(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    kim, lea = world.person("Kim"), world.person("Lea")
    await gives_up(lea, await sees_cards(lea, channel))
    board = await sees_cards(kim, channel)
    await gives_up(kim, await plays_until(lambda board: home(board) > 12, kim, board))
    own = await (await kim.types(channel, "bigben stats")).shown()
    assert "### Kim" in own.content
    assert "Races 1 · won 0" in own.content
    other = await (await kim.types(channel, "bigben stats", {"player": lea.user})).shown()
    assert "### Lea" in other.content
    assert "1 ahead · 0 behind" in other.content


async def test_stats_of_a_user_who_has_never_raced(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    told = await (await world.person("Max").types(channel, "bigben stats")).shown()
    assert "No races yet." in told.content
    newcomer = {"player": world.person("Mia").user}
    told = await (await world.person("Max").types(channel, "bigben stats", newcomer)).shown()
    assert told.content == "No races yet."


async def test_a_link_carries_the_seat_elsewhere_once(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    nia = world.person("Nia")
    board = await taps_on(nia, await sees_cards(nia, channel), 3)
    told = await (await nia.types(channel, "bigben link")).shown()
    assert told.only_for == nia.user
    found = re.search(r"bigben play --server http://race\.example --link (\S+)`", told.content)
    assert found
    assert f"\n<http://race.example/#link={found[1]}>\n" in told.content
    async with Client(bot.settings.server, token=found[1]) as terminal:
        room = await terminal.join("daily")
        assert terminal.name == "Nia"
        await terminal.move(room.race, "deal")
        assert terminal.views[room.race].n == 4
    # What was played there is on the board here.
    await world.changes.until(lambda: "move 4" in board.content, "the open board is up to date")


@pytest.mark.parametrize(("locale", "word"), [("en-US", "foundation"), ("de", "Grundstapel")])
async def test_help_is_in_the_users_language(
    world: Discord, bot: BigBen, channel: Channel, locale: str, word: str
) -> None:
    pat = world.person("Pat", locale=locale)
    told = await (await pat.types(channel, "bigben help")).shown()
    game = told.content
    assert word in game
    told = await (await pat.taps(told, told.buttons[0])).shown()
    for command in bot.tree.get_command("bigben").commands:  # type: ignore[union-attr]
        if command.name not in ("help", "settings"):
            assert f"/bigben {command.name}" in told.content
    told = await (await pat.taps(told, told.buttons[0])).shown()
    assert told.content == game, "and back"


async def test_everything_works_in_direct_messages(world: Discord, bot: BigBen) -> None:
    quin = world.person("Quin")
    direct = world.direct(quin)
    board = await taps_on(quin, await sees_cards(quin, direct), 2)
    assert "move 2" in board.content
    await world.changes.until(lambda: world.public(direct), "a message with the progress")


async def test_a_pile_alone_says_why_its_card_goes_nowhere(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    una = world.person("Una")
    await (await una.types(channel, "bigben learn")).shown()
    board = await (await una.types(channel, "bigben board", {"look": "text"})).shown()
    movable = set(board.selects[0].values)
    stuck = next(str(fan) for fan in range(1, 13) if str(fan) not in movable)
    told = await (await una.types(channel, "bigben move", {"from": stuck})).shown()
    assert re.search(r":\*\* (10|[A2-9JQK])[♣♦♥♠] goes on .*\.$", told.content), told.content
