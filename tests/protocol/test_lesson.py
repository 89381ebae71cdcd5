"""The lesson by the rules: each step teaches what it says, and every language tells it."""

from collections.abc import Iterator

import pytest

from bigben_protocol import Step
from bigben_protocol.lesson import LESSON, LessonStep, Teaches, parts, said
from bigben_protocol.texts import languages, of
from bigben_rules import GAMES, Position, seed_from_hex, shuffle
from bigben_rules.position import STOCK, WASTE
from bigben_server.rooms.descriptions import Seen, lesson

NUMBERED = list(enumerate(LESSON.steps, 1))
PLAYED = [(step, *lesson().seen[n : n + 2]) for n, step in enumerate(LESSON.steps)]
FAN = 3
"""A fan with fewer cards has a gap."""


def positions() -> Iterator[tuple[LessonStep, Position]]:
    """Each step, and the position before it by the rules alone."""
    game = GAMES[LESSON.game]
    position = game.deal(shuffle(game.pack, seed_from_hex(LESSON.seed)), LESSON.rules)
    before = position
    for step in LESSON.steps:
        yield step, position
        if step.move == "undo":
            position = before
        elif step.move:
            assert position.format(position.parse(step.move)) == step.move
            before, (position, _) = position, position.apply(position.parse(step.move))


def short(seen: Seen) -> list[str]:
    return [pile for pile, cards in seen.piles.items() if pile.isdigit() and len(cards.up) < FAN]


def test_about_ten_moves_teach_everything_once_in_this_order() -> None:
    kinds: list[Teaches] = ["clock", "goal", "home", "build", "gap", "refill", "turn"]
    assert list(dict.fromkeys(step.teaches for step in LESSON.steps)) == [
        *kinds, "waste_home", "waste_build", "undo",
    ]  # fmt: skip
    assert 9 <= sum(bool(step.move) for step in LESSON.steps) <= 11


def test_the_server_tells_the_positions_that_the_rules_give() -> None:
    for (step, position), seen in zip(positions(), lesson().seen, strict=False):
        assert seen.piles.keys() == position.piles().keys(), step
        assert {name: (pile.up, pile.down) for name, pile in seen.piles.items()} == {
            name: tuple(cards) for name, cards in position.piles().items()
        }
        assert seen.legal == position.reading().legal
        assert seen.home == position.progress


@pytest.mark.parametrize(("step", "before", "after"), PLAYED)
def test_a_step_teaches_what_it_says(step: LessonStep, before: Seen, after: Seen) -> None:
    source, target = step.piles[:1], step.piles[1:]
    tops = {name: pile.up[-1] for name, pile in before.piles.items() if pile.up}
    assert step.move in (*before.legal, "undo", "")
    match step.teaches:
        case "clock":
            assert not short(before)
        case "goal":
            assert tops[source[0]] == step.card
        case "home" | "waste_home" | "build" | "waste_build":
            assert step.move.split() == [*source, *target]
            assert (tops[source[0]], tops[target[0]]) == (step.card, step.on)
            assert target[0].startswith("f") == step.teaches.endswith("home")
            assert (source[0] == WASTE) == step.teaches.startswith("waste")
        case "gap":
            assert sorted(short(before)) == sorted(step.piles)
        case "refill":
            assert (source, sorted(target)) == ((STOCK,), sorted(short(before)))
            assert step.move == "refill"
            assert not short(after)
        case "turn":
            assert step.move == "turn"
            assert after.piles[WASTE].up[-1] == step.card
        case "undo":
            assert after.steps == (Step(source[0], target[0], step.card),)


@pytest.mark.parametrize(("step", "before", "after"), PLAYED)
def test_only_the_right_card_can_go_home(step: LessonStep, before: Seen, after: Seen) -> None:
    going = [move for move in before.legal if " f" in move]
    assert going in ([], [step.move]) or step.teaches in ("clock", "goal"), after.home


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("number", "step"), NUMBERED)
def test_a_step_says_why_what_to_do_and_what_happened(
    number: int, step: LessonStep, language: str
) -> None:
    cards = {name: value for name in ("card", "on") if (value := getattr(step, name))}
    assert said(number, "why", language, **cards)
    assert said(number, "do", language, **cards)
    assert bool(said(number, "done", language, **cards)) == bool(step.move)


def test_every_part_has_a_title_and_there_are_no_other_texts() -> None:
    assert list(parts().values()) == sorted(parts().values())
    steps = {f"learn.{n}.{part}" for n, _ in NUMBERED for part in ("why", "do", "done")}
    titles = {"learn.title", *(f"learn.{kind}" for kind in parts())}
    assert of("learn", "en").keys() - steps == titles
