"""Every language says the same things, with the same places for what is filled in."""

import string

import pytest

from bigben_discord.texts import DEFAULT, languages, say_in

OTHERS = [code for code in languages() if code != DEFAULT]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(languages())


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_says_all_that_english_says(code: str) -> None:
    english, other = languages()[DEFAULT].texts, languages()[code].texts
    assert set(other) == set(english)
    for key, text in english.items():
        assert fields(other[key]) == fields(text), key
        assert other[key], key


def test_a_locale_finds_its_language_and_others_english() -> None:
    assert say_in("de").language == "de"
    assert say_in("en-GB").language == "en"
    assert say_in("pt-BR").language == "en"
