"""Playing by buttons and menus alone: every legal move, none twice, from old boards too."""

import asyncio
import re

from tests.discord.playing import plays_home, plays_until, sees_cards, taps_on
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.discord.standin.server import Discord
from tests.terminal.support import BIG_BEN

from bigben_chat.messages import content, moves
from bigben_chat.texts import say_in
from bigben_discord.bot import BigBen
from bigben_protocol import View


def view_of(bot: BigBen, person: Person) -> View:
    """The player's game, as the bot knows it."""
    player = bot.chat.players.get(int(person.user.id))
    assert player is not None
    (view,) = player.client.views.values()
    return view


def tappable(board: Message) -> set[str]:
    """The moves that the buttons play at once."""
    plays = [content.read_id(button.custom_id) for button in board.buttons]
    found = {details[3] for verb, details in plays if verb == "move"}
    words = {"deal": {"refill", "turn"}}
    return found | {word for verb, _ in plays if verb in words for word in words[verb]}


async def test_a_whole_game_is_played_by_tapping(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ada = world.person("Ada")
    await sees_cards(ada, channel)
    board = await (await ada.types(channel, "bigben board", {"look": "text"})).shown()
    builds = 0
    while view_of(bot, ada).piles["s"].down or builds < 5:
        view = view_of(bot, ada)
        if not view.legal:
            break
        before = board.id
        if (
            any(moves.pile_moves(BIG_BEN, view))
            and not moves.pile_moves(BIG_BEN, view)[0].home
            and builds < 5
        ):
            # A build: the card, and where it goes if that is not one place alone.
            source, chosen = next(iter(moves.by_source(BIG_BEN, view).items()))
            board = await (await ada.chooses(board, source)).shown()
            if len(chosen) > 1:
                board = await (await ada.chooses(board, chosen[0].text, menu=1)).shown()
            builds += 1
        else:
            board = await taps_on(ada, board, 1)
        assert board.id == before, "one message is the whole game"
        assert view_of(bot, ada).n == view.n + 1
    assert view_of(bot, ada).n > 15
    assert builds


async def test_menus_and_buttons_offer_the_legal_moves_and_no_others(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    bob = world.person("Bob")
    board = await sees_cards(bob, channel)
    for _ in range(8):
        view = view_of(bot, bob)
        legal_home = {text for text in view.legal if " f" in text}
        assert tappable(board) - {"refill", "turn"} == legal_home
        assert ("refill" in view.legal) == ("Refill" in str(board.buttons))
        assert ("turn" in view.legal) == ("Turn" in str(board.buttons))
        through_menus = set()
        for source, chosen in moves.by_source(BIG_BEN, view).items():
            assert source in board.selects[0].values
            if len(chosen) > 1:
                board = await (await bob.chooses(board, source)).shown()
                through_menus |= set(board.selects[1].values)
            else:
                through_menus |= {chosen[0].text}
        assert through_menus == {text for text in view.legal if " " in text}
        assert board.picture.description, "picking leaves the picture where it is"
        board = await taps_on(bob, board, 1)


async def test_a_pile_with_one_way_to_go_goes_it(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    cy = world.person("Cy")
    board = await sees_cards(cy, channel)

    def piles_with_one_way() -> list[str]:
        return [
            s
            for s, chosen in moves.by_source(BIG_BEN, view_of(bot, cy)).items()
            if len(chosen) == 1
        ]

    board = await plays_until(lambda board: piles_with_one_way(), cy, board)
    view, only = view_of(bot, cy), piles_with_one_way()[0]
    (move,) = moves.by_source(BIG_BEN, view)[only]
    line = next(line for line in board.selects[0].options if line[0] == only)
    assert moves.target_label(BIG_BEN, move, say_in("en")) in line[2], "the menu says where before"
    board = await (await cy.chooses(board, only)).shown()
    assert f"move {view.n + 1}" in board.content


async def test_two_taps_on_the_same_button_play_once(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    dan = world.person("Dan")
    board = await sees_cards(dan, channel)
    deal = next(button for button in board.buttons if "Turn" in button.label)
    taps = await asyncio.gather(*(dan.taps(board, deal) for _ in range(3)))
    for tap in taps:
        await tap.shown()
    # On a busy machine all are promised first, and the last of them is still on its way.
    await world.changes.until(lambda: "older board" in board.content, "the others play nothing")
    assert view_of(bot, dan).n == 1
    assert view_of(bot, dan).piles["s"].down == 55


async def test_quick_taps_on_two_cards_play_both(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    eve = world.person("Eve")

    def view(rules: str) -> View:
        player = bot.chat.players.get(int(eve.user.id))
        assert player is not None
        return next(v for race, v in player.client.views.items() if race.endswith(f".{rules}"))

    def pair(rules: str) -> list[moves.Move]:
        """Two plays of which neither is in the other's way."""
        home = [move for move in moves.pile_moves(BIG_BEN, view(rules)) if move.home]
        first = home[:1]
        others = [m for m in home for f in first if {m.source, m.target}.isdisjoint(f[1:3])]
        return first + others[:1] if others else []

    async def board_with_a_pair() -> tuple[str, Message]:
        # In one deal of a hundred no two cards can ever go at once; hardly in three deals.
        for rules in ("standard", "book", "open"):
            board, seen = await sees_cards(eve, channel, rules), -1
            while not pair(rules) and view(rules).n > seen:
                seen = view(rules).n
                board = await taps_on(eve, board, 1)
            if pair(rules):
                return rules, board
        raise AssertionError("there was no pair in three deals")

    rules, board = await board_with_a_pair()
    before, both = view(rules).n, {move.text for move in pair(rules)}
    taps = [b for b in board.buttons if b.custom_id.rpartition(":")[2] in both]
    assert len(taps) == 2
    for tap in await asyncio.gather(*(eve.taps(board, tap) for tap in taps)):
        await tap.shown()
    assert view(rules).n == before + 2
    assert "older board" not in board.content


async def test_an_old_board_plays_nothing_that_is_not_meant(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    flo = world.person("Flo")
    old = await plays_until(plays_home, flo, await sees_cards(flo, channel))
    before = view_of(bot, flo).n
    deal = next(b for b in old.buttons if content.read_id(b.custom_id)[0] == "deal")
    card = old.button(plays_home(old)[0])
    new = await (await flo.types(channel, "bigben board")).shown()
    await (await flo.taps(new, card)).shown()
    for stale in (deal, card):
        board = await (await flo.taps(old, stale)).shown()
        assert "older board" in board.content
    assert view_of(bot, flo).n == before + 1
    assert old.picture.description == new.picture.description


async def test_an_old_menu_plays_nothing_either(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    gus = world.person("Gus")
    old = await plays_until(lambda board: board.selects, gus, await sees_cards(gus, channel))
    before, menu = view_of(bot, gus).n, old.selects[0]
    new = await (await gus.types(channel, "bigben board")).shown()
    await taps_on(gus, new, 1)
    board = await (await gus.uses_menu(old, menu, menu.values[0])).shown()
    assert "older board" in board.content
    assert view_of(bot, gus).n == before + 1


async def test_the_last_move_is_shown(world: Discord, bot: BigBen, channel: Channel) -> None:
    hal = world.person("Hal")
    board = await taps_on(hal, await sees_cards(hal, channel), 1)
    assert re.search(r"Last: [\dAJQK]+[♣♦♥♠] → (Foundation \d+|Waste)", board.content)


async def test_a_button_of_another_version_says_so(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    ida = world.person("Ida")
    board = await sees_cards(ida, channel)
    row = board.components[0]["components"][0]
    for strange in ("bb:dance:7", "bb:move:1"):
        row["custom_id"] = strange
        told = await (await ida.taps(board, board.buttons[0])).shown()
        assert told.only_for == ida.user
        assert "another version" in told.content
