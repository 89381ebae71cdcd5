"""Events of any shape: what they say is read, what they hide does no harm."""

from typing import Any, Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigben_chat.happenings import Happening, Invited, Left, Reacted, Redacted, Removed, Said
from bigben_chat.store import Store
from bigben_chat.untrusted import Json
from bigben_matrix.happenings import MOST_TEXT, read
from bigben_matrix.homeserver import Batch, Homeserver, RoomUpdate
from bigben_matrix.rooms import Rooms

ME: Final = "@bigben:matrix.example"
ADA: Final = "@ada:matrix.example"
ROOM: Final = "!room:matrix.example"


def event(type: str, content: object, **more: object) -> dict[str, Any]:
    """An event of Ada's."""
    about = {"event_id": "$1", "sender": ADA, "origin_server_ts": 1_000}
    return {"type": type, "content": content, **about, **more}


def message(body: object, **content: object) -> dict[str, Any]:
    return event("m.room.message", {"msgtype": "m.text", "body": body, **content})


def reading(event: Json) -> Said | Reacted | Redacted | None:
    return read(ROOM, event, ME, lambda user: "Ada")


def test_a_message_is_read_with_what_it_answers() -> None:
    assert reading(message("!bigben daily")) == Said(
        ROOM, "$1", ADA, "Ada", 1_000, text="!bigben daily"
    )
    reply = {"m.in_reply_to": {"event_id": "$board"}}
    body = "> <@bigben:matrix.example> Your board\n> of today\n\n3 fdn"
    assert reading(message(body, **{"m.relates_to": reply})) == Said(
        ROOM, "$1", ADA, "Ada", 1_000, text="3 fdn", reply_to="$board"
    )


def test_a_message_that_begins_with_a_mention_of_the_bot_is_a_command() -> None:
    def asked(body: str, *mentioned: str) -> str:
        mentions = {"m.mentions": {"user_ids": [*mentioned]}}
        found = read(ROOM, message(body, **mentions), ME, {ME: "Big Ben", ADA: "Ada"}.__getitem__)
        assert isinstance(found, Said)
        return found.text

    assert asked("Big Ben: daily", ME).split() == ["!bigben", "daily"]
    for body, *mentioned in (
        ("Big Ben: daily",),
        ("I like Big Ben: it’s fun", ME),
        ("Ada: hello", ADA),
    ):
        assert asked(body, *mentioned) == body


def test_a_reaction_is_the_same_with_and_without_a_variation_selector() -> None:
    for key in ("✅", "✅\ufe0f", "✅\ufe0f\ufe0f"):
        relation = {"rel_type": "m.annotation", "event_id": "$board", "key": key}
        found = reading(event("m.reaction", {"m.relates_to": relation}))
        assert found == Reacted(ROOM, "$1", ADA, "Ada", 1_000, "$board", "✅")


def test_a_deletion_is_read_in_rooms_of_every_version() -> None:
    deleted = Redacted(ROOM, "$1", ADA, "Ada", 1_000, "$board")
    assert reading(event("m.room.redaction", {"redacts": "$board"})) == deleted
    assert reading(event("m.room.redaction", {}, redacts="$board")) == deleted


@pytest.mark.parametrize(
    "ignored",
    [
        message("!bigben daily") | {"sender": ME},
        message("!bigben daily", msgtype="m.notice"),
        message("* !bigben daily", **{"m.relates_to": {"rel_type": "m.replace", "event_id": "$0"}}),
        message(""),
        message("!bigben daily") | {"event_id": "$" + "x" * 300},
        event("m.reaction", {"m.relates_to": {"rel_type": "m.annotation", "event_id": "$0"}}),
        event("m.room.redaction", {}),
        event("m.room.redaction", {"redacts": "$board"}, sender=ME),
    ],
    ids=["own", "another bot", "edit", "empty", "no id", "no key", "of nothing", "own deletion"],
)
def test_nobody_asks_anything_by(ignored: Json) -> None:
    assert reading(ignored) is None


def test_a_long_message_is_cut_and_a_broken_letter_replaced() -> None:
    found = reading(message("x" * 60_000))
    assert isinstance(found, Said)
    assert len(found.text) == MOST_TEXT
    found = reading(message("!bigben \ud83d daily"))
    assert isinstance(found, Said)
    assert found.text == "!bigben ? daily"


# JSON, of which some parts are named and typed as a homeserver would.
TYPES: Final = (
    "m.room.message", "m.reaction", "m.room.redaction", "m.room.encrypted", "m.room.member",
    "m.room.power_levels", "m.room.name", "m.room.encryption", "m.room.tombstone", "m.room.create",
)  # fmt: skip
WORDS: Final = (
    "m.text", "m.replace", "m.annotation", "join", "leave", "ban", "invite", "11", "12",
)  # fmt: skip
IDS: Final = (ME, ADA, "@", "$1", "$", "!room:matrix.example", "!new", "", "\ud800")
KEYS: Final = st.sampled_from((
    "type", "content", "sender", "event_id", "state_key", "origin_server_ts", "unsigned",
    "prev_content", "redacts", "body", "msgtype", "m.relates_to", "m.in_reply_to",
    "m.new_content", "rel_type", "key", "membership", "displayname", "users", "users_default",
    "predecessor", "room_id", "replacement_room", "room_version", "additional_creators",
    "bigben.direct", "name", "algorithm", *IDS,
))  # fmt: skip
LEAVES: Final = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(IDS + TYPES + WORDS)
)
VALUES: Final = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)
EVENTS: Final = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(TYPES) | VALUES,
        "sender": st.sampled_from(IDS) | VALUES,
        "event_id": st.just("$1") | VALUES,
        "state_key": st.sampled_from(IDS) | VALUES,
        "origin_server_ts": VALUES,
        "content": st.dictionaries(KEYS, VALUES, max_size=8) | VALUES,
        "unsigned": VALUES,
        "redacts": VALUES,
    },
)


@given(EVENTS)
def test_an_event_of_any_shape_is_read_or_left_alone(hostile: Json) -> None:
    found = reading(hostile)
    if found is not None:
        assert found.sender.startswith("@")
        assert found.sender != ME
        assert msgspec.json.decode(msgspec.json.encode(found), type=type(found)) == found


@given(st.lists(EVENTS, max_size=4), st.lists(EVENTS, max_size=8))
@settings(deadline=None)
def test_a_room_of_any_shape_is_known_and_what_happened_there_can_be_stored(
    tmp_path_factory: pytest.TempPathFactory, state: list[Json], events: list[Json]
) -> None:
    store = Store(tmp_path_factory.mktemp("store") / "bot.sqlite")
    homeserver = Homeserver("http://nobody.invalid", "a token")
    homeserver.user = ME
    rooms = Rooms(homeserver, store)
    happened = rooms.learn(Batch("1", {ROOM: RoomUpdate(state, events)}))
    happened += rooms.learn(Batch("2", invited={"!a": "@b:c"}, left=frozenset({ROOM})))
    assert happened[-2:] == [Invited("!a", "@b:c"), Removed(ROOM)]
    for one in happened:
        assert msgspec.json.decode(msgspec.json.encode(one), type=Happening) == one
    assert rooms.user(ROOM, ADA, "Ada").id == ADA
    rooms.manager(rooms.record(ROOM).group)
    assert not any(one == Left(ROOM, ME) for one in happened)
    store.close()
