"""The board message of every game: all moves within Discord's limits, and what has happened."""

from functools import cache
from typing import Any

import pytest
from tests.chat.positions import GAME_NAMES, Seen, after

from bigben_chat.messages.board import Board
from bigben_chat.messages.content import Button, Content, Menu, read_id
from bigben_chat.messages.happened import happened
from bigben_chat.messages.help_text import commands_help, game_help
from bigben_chat.messages.moves import commands, complete_source, complete_target
from bigben_chat.picture.drawing import Look
from bigben_chat.texts import languages, say_in
from bigben_discord.interactions.components import view_of
from bigben_discord.interactions.markdown import LONGEST, markdown
from bigben_protocol import Step

ENGLISH = say_in("en")


@cache
def positions_of(game: str) -> list[Seen]:
    """Of some deals, early and late."""
    moments = range(2, 52) if game == "watch" else (0, 7, 19, 33, 41, 47, 60)
    return [after(moves, game=game, seed=seed) for seed in range(6) for moves in moments]


def board_of(seen: Seen) -> Board:
    return Board(seen.game, seen.view, seen.last, Look(text=True), ENGLISH, frames=True)


def controls(content: Content) -> tuple[list[Button], list[Menu]]:
    menus = [row for row in content.rows if isinstance(row, Menu)]
    buttons = [button for row in content.rows if not isinstance(row, Menu) for button in row]
    return buttons, menus


def assert_within_limits(content: Content) -> None:
    assert len(markdown(content.text)) <= LONGEST
    assert len(content.rows) <= 5
    rows: list[dict[str, Any]] = view_of(content).to_components()  # Any: JSON
    assert all(len(row["components"]) <= 5 for row in rows)
    parts = [part for row in rows for part in row["components"]]
    ids = [part["custom_id"] for part in parts]
    assert len(ids) == len(set(ids))
    assert max(map(len, ids)) <= 100
    buttons, menus = controls(content)
    assert all(0 < len(button.label) <= 80 for button in buttons)
    for menu in menus:
        assert 1 <= len(menu.options) <= 25, "all of them are shown"
        assert len(menu.placeholder) <= 150
        values = [option.value for option in menu.options]
        assert len(values) == len(set(values))
        assert all(0 < len(option.label) <= 100 for option in menu.options)


def reachable(board: Board) -> set[str]:
    """Every move that a button or two choices in menus play."""
    content = board.message()
    assert_within_limits(content)
    buttons, menus = controls(content)
    assert ("here" in (read_id(button.id)[0] for button in buttons)) == (
        board.view.state == "playing"
    )
    found = {details[3] for verb, details in map(_read, buttons) if verb == "move"}
    if any(read_id(button.id)[0] == "deal" for button in buttons):
        found.add(commands(board.view)[0])
    for option in menus[0].options if menus else []:
        starting = [move for move in board.view.legal if f"{move} ".startswith(f"{option.value} ")]
        if len(starting) == 1:
            found.update(starting)  # It is played at once.
            continue
        picked = board.picked(option.value)
        assert_within_limits(picked)
        _, (_, to) = controls(picked)
        found |= {target.value for target in to.options}
    return found


def _read(button: Button) -> tuple[str, list[str]]:
    return read_id(button.id)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_legal_move_and_no_other_is_within_reach(game: str) -> None:
    for seen in positions_of(game):
        assert reachable(board_of(seen)) == set(seen.view.legal)


def test_the_exchange_of_a_king_is_among_them() -> None:
    swaps = [seen for seen in positions_of("watch") if "swap" in " ".join(seen.view.legal)]
    seen = max(swaps, key=lambda seen: len(seen.view.legal))
    assert len(seen.view.legal) > len({move.split()[1] for move in seen.view.legal})
    _, (menu,) = controls(board_of(seen).message())
    assert menu.placeholder == "Choose a pile …"
    assert menu.options[0].label.startswith("Pile ")
    assert "Exchange the last king" in menu.options[0].label


@pytest.mark.parametrize("game", GAME_NAMES)
def test_what_is_completed_is_every_legal_move(game: str) -> None:
    for seen in positions_of(game):
        view = seen.view
        offered = set()
        for source in complete_source(seen.game, view, "", ENGLISH):
            targets = complete_target(seen.game, view, source.value, "", ENGLISH)
            offered |= {f"{source.value} {target.value}" for target in targets}
            if source.value in view.legal:
                offered.add(source.value)
        homes = {slot.pile for slot in seen.game.slots if slot.kind == "foundation"}
        spelt = set()
        for move in view.legal:
            first, *rest = move.split()
            alone = sum(o.split()[0] == first and o.split()[-1] in homes for o in view.legal) == 1
            spelt.add(f"{first} fdn" if rest and rest[-1] in homes and alone else move)
        assert offered == spelt


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_board_says_where_everybody_has_the_same_result(game: str) -> None:
    seen = after(0, game=game)
    luck = "give everybody the same result" in markdown(board_of(seen).message().text)
    assert luck == (not seen.game.decides)


def test_what_happened_is_told_of_every_kind_of_step() -> None:
    watch, german = after(0, game="watch").game, after(0, game="germanclock").game
    tucked = [Step("h", "12", "QC", "under"), Step("12", "h", "KD", "turned")]
    assert happened(watch, tucked, ENGLISH) == "Q♣ under Pile 12, K♦ turned up"
    swapped = [Step("h", "7", "KD", "down"), Step("7", "h", "5S")]
    assert happened(watch, swapped, ENGLISH) == "K♦ face down on Pile 7, 5♠ → Exposed card"
    redealt = [Step("w", "s", card, "down") for card in ("5S", "6S", "7S", "8S")]
    assert happened(german, redealt, ENGLISH) == "4 cards → Stock"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_help_has_the_goal_and_every_kind_of_move(game: str, language: str) -> None:
    say, info = say_in(language), after(0, game=game).game
    text = markdown(game_help(info, say).text)
    for page in (text, markdown(commands_help(game, say).text)):
        assert len(page) <= 1800, "there is room for a longer sentence, and for one more command"
    for part in ("goal", "how"):
        assert say.game_text(f"game.{game}.{part}") in text
    assert all(f"`{typed.example}`" in text for typed in info.moves)
