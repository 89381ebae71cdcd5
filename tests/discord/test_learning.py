"""``/bigben learn``: the guided game, pressed from its first step to its last."""

import pytest
from tests.discord.playing import sees_cards
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord

from bigben_discord.bot import BigBen
from bigben_protocol.lesson import LESSON

END = len(LESSON.steps)


@pytest.mark.parametrize(
    ("locale", "learned"), [("en-US", "Now the real thing"), ("de", "Jetzt wird es ernst")]
)
async def test_the_lesson_is_pressed_through_and_leads_to_a_game(
    world: Discord, bot: BigBen, channel: Channel, locale: str, learned: str
) -> None:
    ada = world.person("Ada", locale=locale)
    page = await (await ada.types(channel, "bigben learn")).shown()
    assert page.only_for == ada.user
    pictures = {page.picture.data}
    for number, step in enumerate(LESSON.steps, 1):
        assert f"{number}/{END}" in page.content
        (button,) = page.buttons
        if step.move and step.card and step.teaches not in ("turn", "undo"):
            assert step.card[:-1] in button.label
        page = await (await ada.taps(page, button)).shown()
        pictures.add(page.picture.data)
    assert learned in page.content
    assert len(pictures) >= sum(bool(step.move) for step in LESSON.steps)
    # The game can be played on, as any practice.
    board = await (await ada.taps(page, page.buttons[1])).shown()
    assert f"{sum(bool(step.move) for step in LESSON.steps)}" in board.content
    assert world.public(channel) == []


async def test_a_step_that_is_pressed_twice_is_done_once(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    bob = world.person("Bob")
    page = await (await bob.types(channel, "bigben learn")).shown()
    for _ in range(2):
        page = await (await bob.taps(page, page.buttons[0])).shown()
    (home,) = page.buttons
    for _ in range(2):
        page = await (await bob.taps(page, home)).shown()
        assert f"4/{END}" in page.content


async def test_a_lesson_that_was_left_or_is_anothers_begins_again(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    cy = world.person("Cy")
    page = await (await cy.types(channel, "bigben learn")).shown()
    (button,) = page.buttons
    sure = await (await cy.types(channel, "bigben resign")).shown()
    await (await cy.presses(sure, "Yes")).shown()
    told = await (await cy.taps(page, button)).shown()
    assert "begins it again" in told.content


async def test_the_first_daily_offers_it_before_the_clock_starts(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    dan = world.person("Dan")
    intro = await (await dan.types(channel, "bigben daily")).shown()
    assert [button.label for button in intro.buttons] == ["Learn it first", "Show me the cards"]
    page = await (await dan.presses(intro, "Learn")).shown()
    assert page.id != intro.id
    assert f"1/{END}" in page.content
    await (await dan.presses(intro, "Show me the cards")).shown()
    other = await (await dan.types(channel, "bigben daily", {"rules": "book"})).shown()
    assert [button.label for button in other.buttons] == ["Show me the cards"]


async def test_a_question_mark_explains_the_game_during_a_race(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    eve = world.person("Eve")
    told = await (await eve.presses(await sees_cards(eve, channel), "?")).shown()
    assert "foundation" in told.content
    assert told.only_for == eve.user


async def test_cards_that_can_go_home_are_marked_for_who_wants_it(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    flo = world.person("Flo")
    await (await flo.types(channel, "bigben learn")).shown()
    plain = await (await flo.types(channel, "bigben board")).shown()
    marked = await (await flo.types(channel, "bigben board", {"hints": True})).shown()
    assert marked.picture.data != plain.picture.data
    text = await (await flo.types(channel, "bigben board", {"look": "text"})).shown()
    home = [button.label for button in text.buttons if "home" in button.label]
    assert text.content.count("↑") == len(home) > 0
    text = await (await flo.types(channel, "bigben board", {"hints": False})).shown()
    assert "↑" not in text.content
