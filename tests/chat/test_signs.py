"""Controls as signs: one for each, readable in a line, and what a reaction presses."""

import pytest
from tests.discord.test_recorded_messages import messages

from bigben_chat.actions.buttons import VERBS
from bigben_chat.html import harmless
from bigben_chat.messages import signs
from bigben_chat.messages.content import Button, Content, Menu, Option, id_of
from bigben_chat.texts import languages, say_in
from bigben_chat.tree import Name, Small

LOBBY = Content(
    (),
    [
        [
            Button("Join", id_of("join", "K7QPXM")),
            Button("Ready", id_of("ready", "K7QPXM")),
            Button("Start now", id_of("start", "K7QPXM")),
            Button("Gone", id_of("leave", "K7QPXM"), disabled=True),
        ],
        Menu("House", id_of("house", "K7QPXM"), [Option("Easy", "easy"), Option("Hard", "hard")]),
    ],
)


def test_a_control_has_the_sign_of_its_verb_and_a_menu_has_numbers() -> None:
    there = signs.controls(LOBBY)
    assert [one.sign for one in there] == ["➕", "✅", "🏁", "1️⃣", "2️⃣"]
    assert signs.written(there)["2️⃣"] == "bb:house:K7QPXM\nhard"
    (line,) = signs.legend(there)
    assert isinstance(line, Small)
    said = "".join(part.text if isinstance(part, Name) else str(part) for part in line.parts)
    assert said == "➕ Join · ✅ Ready · 🏁 Start now · 1️⃣ Easy · 2️⃣ Hard"
    assert signs.legend([]) == ()


def test_a_reaction_presses_what_its_sign_says_however_its_client_writes_it() -> None:
    there = signs.written(signs.controls(LOBBY))
    assert signs.used(there, "✅") == signs.Used("ready", ["K7QPXM"], "")
    for key in ("2️⃣", "2\u20e3"):
        assert signs.used(there, key) == signs.Used("house", ["K7QPXM"], "hard")
    for key in ("👍", "", "3️⃣", "🚪", "✅✅", "bb:ready:K7QPXM"):
        assert signs.used(there, key) is None
    assert not signs.is_sign("👍")


def test_two_controls_of_one_verb_have_signs_of_their_own() -> None:
    moves = [Button(f"Card {n}", id_of("move", 7, "K", "3H", f"{n} f9")) for n in range(12)]
    numbered = signs.controls(Content((), [moves]))
    assert [one.sign for one in numbered] == [f"{n}\ufe0f\u20e3" for n in range(1, 10)]
    asked = [
        Button("Yes", id_of("forget", "yes")),
        Button("No", id_of("forget", "no")),
        Button("◀", id_of("page", "a"), disabled=True),
        Button("▶", id_of("page", "b")),
        Button("?", id_of("help", "bigben")),
    ]
    there = signs.controls(Content((), [asked]))
    assert [one.sign for one in there] == ["✅", "❌", "▶️", "❓"]
    assert signs.offered(signs.written(there)) == ["✅", "❌"]


def test_menus_of_moves_are_for_typing() -> None:
    menu = Menu("Take a card from …", id_of("from", 7, "K"), [Option("3", "3")])
    assert signs.controls(Content((), [menu])) == []


@pytest.mark.parametrize("language", languages())
def test_in_every_message_each_sign_presses_one_thing_that_the_bot_knows(language: str) -> None:
    for name, content in messages(say_in(language)):
        there = signs.controls(content)
        written = signs.written(there)
        assert len(written) == len(there), name
        for one in there:
            used = signs.used(written, one.sign)
            assert used is not None
            assert signs.is_sign(one.sign)
            if used.verb != "remind":  # Discord's own
                assert VERBS[used.verb].details == len(used.details), name
            assert harmless(one.label), name
        assert len(signs.offered(written)) <= signs.MOST_OFFERED
        buttons = [one for row in content.rows if not isinstance(row, Menu) for one in row]
        known = [one.id for one in buttons if not one.disabled]
        left_out = set(known) - {one.id for one in there}
        assert all(id.startswith("bb:move:") for id in left_out), name
