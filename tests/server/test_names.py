"""What may stand in a display name, and what becomes of names that were chosen elsewhere."""

import contextlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigben_server.accounts.names import LONGEST, display_name, fitted_name
from bigben_server.race.events import Refusal

ANY_TEXT = st.text(st.characters(), max_size=60)
"""All of Unicode, halves of surrogate pairs included."""


@pytest.mark.parametrize(
    "name",
    [
        *("Ada", "O'Brien-Łukasz", "李小龍", "たろう", "Зоя", "שָׁלוֹם", "สวัสดี", "हिन्दी", "རྒྱལ་པོ", "A"),
        *("★彡 Ada 彡★", "❤", "1⃣", "👍🏽", "🇨🇭", "<b>@everyone</b>", "x" * 32, "a b c"),
    ],
)
def test_a_name_in_any_script_or_sign_is_taken_as_it_is(name: str) -> None:
    assert display_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),
        ("Ada\u00a0Lovelace\u3000", "Ada Lovelace"),
        ("Zoe\u0308", "Zoë"),
        ("ﬁn", "fin"),
        ("𝓐𝓭𝓪", "Ada"),
        ("❤\ufe0f", "❤"),
        ("1\ufe0f\u20e3", "1\u20e3"),
        ("葛\U000e0100飾", "葛飾"),
        ("Zoe\ufe00\u0308", "Zoë"),
    ],
)
def test_names_that_look_alike_become_the_same(wanted: str, shown: str) -> None:
    assert display_name(wanted) == shown


@pytest.mark.parametrize(
    "wanted", ["", " ", "\u00a0\u3000", "\u0301", " \ufe0f\ufe0f", "\u0300 \u0301"]
)
def test_a_name_has_something_to_see(wanted: str) -> None:
    with pytest.raises(Refusal, match=r"^A name has at least one letter; choose another\.$"):
        display_name(wanted)


@pytest.mark.parametrize(
    "hidden",
    [
        *("\x00", "\x1b[31m", "\n", "\t", "\x7f", "\x85"),
        *("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"),
        *("\u202e", "\u2066", "\u200f", "\u061c"),
        *("\u2028", "\u2029", "\u1680", "\ue000", "\ud800", "\U000e0041"),
        *("\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\U0001d159", "\U00016fe4"),
        *("\u034f", "\u17b4", "\u206f", "\ufff0", "\U0001d173", "\U000e0001", "\U000e0100\u034f"),
    ],
)
def test_nothing_hidden_or_turned_around_is_in_a_name(hidden: str) -> None:
    with pytest.raises(Refusal, match="no control, invisible or direction characters"):
        display_name(f"Ada{hidden}Lovelace")
    assert fitted_name(f"Ada{hidden}Bo")[:3] == "Ada"
    assert hidden not in fitted_name(f"Ada{hidden}Bo")


IGNORABLE = [
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810)),
    *(*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164),
    *(*range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4)),
    *(*range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
]
"""Default_Ignorable_Code_Point, from DerivedCoreProperties.txt of Unicode 16.0."""


def test_nothing_that_may_be_ignored_in_showing_makes_another_name_of_the_same_looks() -> None:
    assert len(IGNORABLE) == 4174, "as many as the file says"
    for letter in map(chr, IGNORABLE):
        for wanted in (f"{letter}Ada", f"Ad{letter}a", f"Ada{letter}"):
            assert fitted_name(wanted) == "Ada"
            with contextlib.suppress(Refusal):
                assert display_name(wanted) == "Ada"


@pytest.mark.parametrize("wanted", ["x" * 33, "x" * 10_000, "ﷺ" * 2, "👍" * 33])
def test_a_name_is_no_longer_than_32_letters_as_it_is_shown(wanted: str) -> None:
    with pytest.raises(Refusal, match=r"^A name has at most 32 letters; choose a shorter one\.$"):
        display_name(wanted)
    assert LONGEST - 1 <= len(fitted_name(wanted)) <= LONGEST


@pytest.mark.parametrize("pile", ["\u0300\u0301\u0302\u0303\u0304", "\u20dd" * 5])
def test_accents_are_not_piled_up(pile: str) -> None:
    with pytest.raises(Refusal, match="no piled-up accents"):
        display_name(f"Aq{pile}da")
    assert fitted_name(f"Aq{pile}da") == f"Aq{pile[:4]}da"


def test_a_flood_of_accents_is_over_quickly() -> None:
    assert fitted_name("q" + "\u0300\u0316" * 2_000) == "q" + "\u0316" * 4


@pytest.mark.parametrize("wanted", ["", "\u200b", "\u3164", "\u0301", "\u202e "])
def test_a_name_of_which_nothing_is_left_is_player(wanted: str) -> None:
    assert fitted_name(wanted) == "Player"


@given(ANY_TEXT)
def test_a_name_that_was_taken_is_taken_again_and_unchanged(wanted: str) -> None:
    try:
        name = display_name(wanted)
    except Refusal:
        name = fitted_name(wanted)
    assert display_name(name) == name == fitted_name(name)
    assert name == unicodedata.normalize("NFKC", name)
    assert 0 < len(name) <= LONGEST
    name.encode()
