"""The events of the bot: texts, pictures, edits, what they carry beside, and how long they are."""

import re
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discord.test_recorded_messages import messages

from bigben_chat.html import Writer
from bigben_chat.messages import signs
from bigben_chat.messages.content import Attachment, Button, Content, Menu, Option, id_of
from bigben_chat.texts import languages, say_in
from bigben_chat.tree import Block, Listed, Name, Person, Rest, Strong, lines, text
from bigben_matrix import events
from bigben_matrix.events import Event
from bigben_matrix.happenings import COMMAND

MOST_BYTES: Final = 65_536
"""Of a whole event; its envelope has some hundreds."""
ENVELOPE: Final = 2_000
PNG: Final = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4) + b"..."
WRITER: Final = Writer(
    COMMAND,
    events.address,
    events.LONGEST,
    ZoneInfo("UTC"),
    datetime(2026, 11, 29, tzinfo=UTC),
)
ANY: Final = st.text(st.characters(exclude_categories=()), max_size=200)


def message(content: Content, *, only_for: str = "", notifies: bool = False) -> Event:
    """The event of a content whose file is on the homeserver."""
    attached = content.attachment
    file = events.uploaded(attached, "mxc://x.example/abc") if attached else None
    return events.message(content, file, WRITER, only_for=only_for, notifies=notifies)


def test_a_text_is_a_notice_with_its_controls_and_mentions_nobody() -> None:
    content = Content((Strong(("Race",)),), [[Button("Ready", id_of("ready", "K7QPXM"))]])
    assert message(content) == {
        "msgtype": "m.notice",
        "body": "Race\n✅ Ready",
        "format": "org.matrix.custom.html",
        "formatted_body": "<strong>Race</strong><br><sub>✅ Ready</sub>",
        "m.mentions": {},
        "bigben.controls": {"✅": "bb:ready:K7QPXM"},
    }
    assert message(content, notifies=True)["msgtype"] == "m.text"
    assert message(content, only_for="@ada:x.example")[events.ONLY_FOR] == "@ada:x.example"


def test_only_a_person_of_the_text_is_mentioned_and_notified() -> None:
    challenge = message(Content(text(Person("@ben:x.example"), " ", Name("@ada:x.example"))))
    assert challenge["m.mentions"] == {"user_ids": ["@ben:x.example"]}
    assert challenge["msgtype"] == "m.text", "nobody is notified of a notice"
    assert 'href="https://matrix.to/#/@ben:x.example"' in challenge["formatted_body"]
    assert "ada:x.example" not in challenge["formatted_body"].replace("@\u200b", "")


def test_a_picture_has_its_size_its_caption_and_the_board_as_text() -> None:
    attached = Attachment("board.png", PNG, "for Discord", (Block("12  3♦\n 1  K♠"),))
    event = message(Content((Strong(("12/104",)),), attachment=attached))
    assert event["msgtype"] == "m.image"
    assert event["filename"] == "board.png"
    assert event["url"] == "mxc://x.example/abc"
    assert event["info"] == {"mimetype": "image/png", "size": len(PNG), "w": 640, "h": 480}
    assert event["body"] == "12/104\n\n12  3♦\n 1  K♠"
    assert event["formatted_body"] == "<strong>12/104</strong>"
    kept = events.file_of(event)
    assert kept is not None
    again = events.message(Content(("Sure?",)), kept, WRITER)
    assert (again["msgtype"], again["url"], again["info"]) == (
        "m.image",
        event["url"],
        event["info"],
    )
    assert again["body"] == "Sure?"


def test_another_file_is_a_file() -> None:
    event = message(Content(("Receipt",), attachment=Attachment("receipt.json", b"{}")))
    assert (event["msgtype"], event["info"]) == (
        "m.file",
        {"mimetype": "application/json", "size": 2},
    )
    assert events.file_of(event) is None, "only a picture is kept by an edit"


def test_an_edit_says_all_of_it_anew_and_little_to_clients_that_know_no_edits() -> None:
    new = message(Content(lines("x" * 500, "second")))
    edit = events.edit("$one", new)
    assert edit["m.relates_to"] == {"rel_type": "m.replace", "event_id": "$one"}
    assert edit["m.new_content"] == new
    assert edit["body"] == f"* {'x' * 100}"
    assert edit["m.mentions"] == {}


def test_replies_and_reactions_name_what_they_are_about() -> None:
    assert events.reply(message(Content(("Sorry",))), "$one")["m.relates_to"] == {
        "m.in_reply_to": {"event_id": "$one"}
    }
    assert events.reaction("$one", "✅") == {
        "m.relates_to": {"rel_type": "m.annotation", "event_id": "$one", "key": "✅"}
    }


@pytest.mark.parametrize("wrong", [None, [], "x", 7, {"✅": 7, "➕": None}])
def test_controls_of_an_unexpected_shape_are_none(wrong: object) -> None:
    assert events.controls_of({events.CONTROLS: wrong}) == {}


@pytest.mark.parametrize("language", languages())
def test_every_message_fits_into_an_event_and_carries_its_controls(language: str) -> None:
    for name, content in messages(say_in(language)):
        event = message(content)
        assert _size(events.edit("$one", event)) < MOST_BYTES - ENVELOPE, name
        assert events.controls_of(event) == signs.written(signs.controls(content)), name
        assert "bigben.only_for" not in event, name
        if content.cards and content.attachment:
            assert content.attachment.text, name
            assert event["body"] != event["formatted_body"], name


@pytest.mark.parametrize("language", languages())
def test_every_message_with_a_card_is_for_its_player_alone(language: str) -> None:
    shown = 0
    for name, content in messages(say_in(language)):
        event = message(content)
        if re.search(r"(10|[2-9JQKAB])[♠♥♦♣]", event["body"]):
            assert content.cards, name
            shown += 1
    assert shown > 20


@given(st.lists(ANY, min_size=1, max_size=30), ANY, st.integers(1, 300))
def test_no_event_is_longer_than_a_homeserver_takes(
    names: list[str], label: str, times: int
) -> None:
    rows = tuple(text("1. ", Strong((Name(name * times),))) for name in names)
    listed = Listed(rows, text("\n+", Rest()))
    options = [Option(label, "easy") for _ in range(9)]
    board = Attachment("board.png", PNG, "", (Block(names[0] * times),))
    content = Content(lines("x", listed), [Menu("", id_of("house", "K"), options)], board)
    event = events.edit("$one", message(content, only_for=f"@{'a' * 200}:x.example"))
    assert _size(event) < MOST_BYTES - ENVELOPE
    assert len(events.controls_of(event["m.new_content"])) == 9


def _size(event: Event) -> int:
    return len(msgspec.json.encode(event))
