"""docs/rules.md shows every game: its goal, a worked move that the rules make, and its picture."""

import re
from collections.abc import Mapping

import pytest
from tests.support.paths import ROOT
from tools.draw_rules import EXAMPLES, differ, file, is_stale, picture, position

from bigben_protocol.texts import text
from bigben_rules import GAMES, Cards, Pile
from bigben_rules.description import Slot

PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")

every_game = pytest.mark.parametrize("name", GAMES)


def section_of(name: str) -> str:
    """What the page says of a game."""
    _, after = PAGE.split(f"\n## {text(f'game.{name}')}\n")
    return after.split("\n## ")[0]


def paragraph(name: str, begins: str) -> str:
    """The paragraph with this beginning, in one line."""
    [found] = re.findall(rf"^\*\*{begins}\.\*\* (.*?)\n\n", section_of(name) + "\n\n", re.M | re.S)
    return " ".join(found.split())


@every_game
def test_the_goal_is_that_of_all_front_ends(name: str) -> None:
    assert paragraph(name, "The goal") == text(f"game.{name}.goal")


@every_game
def test_a_game_without_a_decision_says_so(name: str) -> None:
    assert GAMES[name].description.decides == ("nothing to decide" not in section_of(name))
    if not GAMES[name].description.decides:
        assert paragraph(name, "A hint").startswith(text(f"game.{name}.luck"))
        assert "nobody is rated" in paragraph(name, "A hint")


@every_game
def test_the_page_tells_how_often_it_is_won(name: str) -> None:
    assert paragraph(name, "How often it is won")


@every_game
def test_every_command_is_explained(name: str) -> None:
    typed = {move.example.split()[0] for move in GAMES[name].description.moves}
    piles = {slot.pile for slot in GAMES[name].description.slots}
    shown = re.findall(r"`(\w+)", section_of(name))
    inherited = re.findall(r"`(\w+)", section_of("clock")) if "Like" in section_of(name) else []
    assert typed - piles <= {*shown, *inherited}


@every_game
def test_the_picture_shows_the_worked_move_as_it_is_drawn_now(name: str) -> None:
    [image] = re.findall(r'<img src="([^"]+)" width="480" alt="[^"]+">', section_of(name))
    assert (ROOT / "docs" / image) == file(name)
    assert not is_stale(name), "run make docs"
    assert file(name).stat().st_size < 60_000


@every_game
def test_a_picture_of_another_position_is_noticed(name: str) -> None:
    now = position(name)
    after, _ = now.apply(now.legal_moves()[0])
    assert differ(picture(name, now), picture(name, after))


def test_there_are_no_other_pictures_of_rules() -> None:
    assert {*(ROOT / "docs" / "images").glob("rules-*")} == {file(name) for name in EXAMPLES}


def kind(slot: Slot) -> str:
    """What players call the pile."""
    place = f".{slot.place}" if slot.kind == "tableau" else ""
    return text(f"kind.{slot.kind}{place}", label=slot.label)


def cell(slot: Slot, cards: Cards) -> str:
    """A pile as the tables show it: from the bottom, but of a stock the number."""
    if slot.kind == "stock":
        return f"{cards.down} cards"
    down = ("?",) * cards.down
    pile = (*cards.up, *down) if slot.kind == "reserve" else (*down, *cards.up)
    return " ".join(pile) or "–"


@every_game
def test_the_worked_move_is_what_the_rules_make_of_it(name: str) -> None:
    head, _, first, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section_of(name).splitlines()
        if line.startswith("|")
    )
    slots = GAMES[name].description.slots
    columns = [next(slot for slot in slots if kind(slot) == title) for title in head[1:]]

    def shown(piles: Mapping[Pile, Cards]) -> list[str]:
        return [cell(slot, piles[slot.pile]) for slot in columns]

    now = position(name)
    assert first == ["", *shown(now.piles())]
    assert rows
    for typed, *after in rows:
        move = now.parse(typed.strip("`"))
        assert move in now.legal_moves()
        now, steps = now.apply(move)
        assert {pile for step in steps for pile in step[:2]} <= {slot.pile for slot in columns}
        assert after == shown(now.piles())


def test_the_games_and_rules_of_the_overview_are_all() -> None:
    rows = re.findall(r"^\| \[(.*?)\]\(#(.*?)\) \| (\d+) \| (\w+) \|(.*)\|$", PAGE, re.M)
    assert [(title, int(cards)) for title, _, cards, *_ in rows] == [
        (text(f"game.{name}"), game.total) for name, game in GAMES.items()
    ]
    for (title, link, _, decides, rules), game in zip(rows, GAMES.values(), strict=True):
        assert link == title.lower().replace(" ", "-").replace("’", "")
        assert (decides == "nothing") == (not game.description.decides)
        assert bool(rules.strip()) == bool(game.description.choices)
        assert {*re.findall(r"`(\w+)`", rules)} <= {*game.variants, *game.description.presets}


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target


def test_the_readme_has_every_game_and_the_name_to_type() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| `(\w+)` \| ", readme, re.M)
    assert rows == [(text(f"game.{name}"), name) for name in GAMES]
