"""Reads what happens in rooms from events as JSON.

Anybody may send an event of any shape: what can't be read is no happening, never an exception.
"""

from collections.abc import Callable
from typing import Final

from bigben_chat.happenings import Reacted, Redacted, Said
from bigben_chat.untrusted import Json, id_in, part, text_in, texts

COMMAND: Final = "!bigben"
"""How a line begins that is for the bot."""
MOST_TEXT: Final = 4_096
"""Longer messages are cut: no command is so long."""
MOST_KEY: Final = 32
LAST_MS: Final = 2**53 - 1


def read(
    room: str, event: Json, me: str, name: Callable[[str], str]
) -> Said | Reacted | Redacted | None:
    """What this event asks of the bot; None for nothing.

    Nothing is what the bot itself sent, what other bots say (notices), and new texts of old
    messages. ``name``: of a member.
    """
    id, sender = id_in(event, "event_id", "$"), id_in(event, "sender", "@")
    if not id or not sender or sender == me:
        return None
    at = event.get("origin_server_ts")
    about = (room, id, sender, name(sender), min(max(at, 0), LAST_MS) if type(at) is int else 0)
    content = part(event, "content")
    relation = part(content, "m.relates_to")
    target = id_in(relation, "event_id", "$")
    match event.get("type"), content.get("msgtype"), relation.get("rel_type"):
        case "m.room.message", "m.text", rel_type if rel_type != "m.replace":
            reply_to = id_in(part(relation, "m.in_reply_to"), "event_id", "$")
            text = text_in(content, "body", MOST_TEXT)
            text = _without_quote(text) if reply_to else text
            called = f"{name(me)}:"  # as clients write a mention at the front
            if text.startswith(called) and me in texts(part(content, "m.mentions"), "user_ids"):
                text = f"{COMMAND} {text.removeprefix(called)}"
            return Said(*about, text=text, reply_to=reply_to) if text else None
        case "m.reaction", _, "m.annotation":
            key = text_in(relation, "key", MOST_KEY).replace("\ufe0f", "")
            return Reacted(*about, target, key) if target and key else None
        case "m.room.redaction", _, _:
            # Where it says what is deleted depends on the version of the room.
            target = id_in(content, "redacts", "$") or id_in(event, "redacts", "$")
            return Redacted(*about, target) if target else None
        case _:
            return None


def membership(event: Json) -> tuple[str, str, str]:
    """Whose membership this event sets, from what, to what; all empty of other events."""
    user = id_in(event, "state_key", "@")
    if event.get("type") != "m.room.member" or not user:
        return "", "", ""
    before = part(part(event, "unsigned"), "prev_content")
    return user, text_in(before, "membership"), text_in(part(event, "content"), "membership")


def joins(event: Json, user: str) -> bool:
    """Whether the user joins by this event. Their new name or picture is no join."""
    who, before, now = membership(event)
    return who == user and now == "join" != before


def _without_quote(text: str) -> str:
    """The text of a reply, without the quote with which some clients begin it."""
    lines = text.split("\n")
    while lines and lines[0].startswith("> "):
        lines.pop(0)
    return "\n".join(lines).lstrip("\n")
