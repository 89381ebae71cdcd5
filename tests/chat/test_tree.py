"""What is said, as values: how texts write it, and that no platform's own form is in it."""

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest
from tests.discord.test_recorded_messages import messages
from tests.support.paths import ROOT

from bigben_chat.messages.content import Content
from bigben_chat.notation import filled
from bigben_chat.texts import languages, say_in
from bigben_chat.tree import (
    Code,
    Command,
    Emphasis,
    Heading,
    Item,
    Listed,
    Name,
    Option,
    Rest,
    Small,
    Strong,
    Text,
    lines,
    text,
)
from bigben_discord.interactions.markdown import LONGEST, markdown
from bigben_protocol.texts import Text as Template
from bigben_protocol.texts import form

ONES_OWN: Final = re.compile(r"\*|`|(?m:^(?:#{1,3}|-#|>|- ) ?)|</?[a-z@#:]\w*>?|/bigben|\|\|")
"""Markdown, a tag, a mention, or how commands are typed somewhere."""


def test_a_text_of_a_language_is_a_tree_with_its_values_in_it() -> None:
    said = "<h3>{race}</h3>\nPress <i>My <b>{n}</b> board</i>, <do>settings role: on:yes</do>"
    options = (Option("role", ""), Option("on", "yes"))
    assert filled(said, {"race": (Name("Ada"), "!"), "n": 7}) == (
        Heading(3, (Name("Ada"), "!")),
        "\nPress ",
        Emphasis(("My ", Strong(("7",)), " board")),
        ", ",
        Command("settings", options),
    )
    assert filled("<code>{a} b</code>", {"a": "x"}) == (Code("x b"),)


@pytest.mark.parametrize("wrong", ["<b>x", "x</b>", "<b>x</i>", "<u>x</u>", "<b><i>x</b></i>"])
def test_what_is_no_tree_is_refused(wrong: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        filled(wrong, {})


@pytest.mark.parametrize("language", languages())
def test_every_text_is_a_tree_without_any_platforms_own_form(language: str) -> None:
    for key, template in languages()[language].texts.items():
        for count in (1, 2):
            said = filled(form(template, count), dict.fromkeys(_holes(template), "x"))
            found = [words for words in words_of(said) if ONES_OWN.search(words)]
            assert found == [], key


@pytest.mark.parametrize("language", languages())
def test_no_message_has_any_platforms_own_form(language: str) -> None:
    for name, content in messages(say_in(language)):
        found = [words for words in words_of(content.text) if ONES_OWN.search(words)]
        assert found == [], name
        assert isinstance(content, Content)


def test_no_sentence_of_the_core_is_in_any_platforms_own_form() -> None:
    for file in (ROOT / "bots/common/bigben_chat").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        said = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        about = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        strings = [one.value for one in said if id(one) not in about and isinstance(one.value, str)]
        forms = ("**", "```", "-# ", "### ", "<t:", "<@", "<#", "/bigben", "discord")
        assert [one for one in strings if any(form in one for form in forms)] == [], file
        assert 2000 not in [one.value for one in said], file


def test_a_message_lists_as_much_as_there_is_room_for_and_says_how_much_is_left_out() -> None:
    rows = tuple(text(f"{n} ", "x" * 300) for n in range(20))
    listed = Listed(rows, text("\n", "and ", Rest(), " more"), total=50, most=15, always=18)
    said = markdown(lines("above", listed, "below"))
    assert len(said) <= LONGEST
    assert re.findall(r"^(\d+) x", said, re.MULTILINE) == ["0", "1", "2", "3", "4", "18"]
    assert said.endswith("\nand 44 more\nbelow")
    short = Listed(tuple(text(str(n)) for n in range(3)), text(" +", Rest()), between=", ")
    assert markdown((Strong((short,)),)) == "**0, 1, 2**"


def test_what_others_wrote_does_nothing_on_discord() -> None:
    assert markdown((Name("*Ada*"), " ", Small((Item(("x",)),)))) == "\\*Ada\\* -# - x"


@pytest.mark.parametrize("language", languages())
def test_a_countdown_that_never_dealt_is_told(language: str) -> None:
    one, many = (markdown(say_in(language)("fair.undealt", count=count)) for count in (1, 7))
    assert one != many
    assert "7" in many


def words_of(said: Text) -> Iterator[str]:
    """Our own words in it."""
    for part in said:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Strong | Emphasis | Small | Heading | Item):
            yield from words_of(part.parts)
        elif isinstance(part, Listed):
            for item in (*part.items, part.more):
                yield from words_of(item)


def _holes(template: Template) -> set[str]:
    forms = [template] if isinstance(template, str) else template.values()
    return {name for one in forms for name in re.findall(r"{(\w+)}", one)}
