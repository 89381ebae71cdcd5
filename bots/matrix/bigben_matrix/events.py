"""The content of the events that the bot sends: notices, pictures, files, edits, reactions.

Beside what Matrix knows, a message has its controls, for whom alone it is, and where they asked.
"""

import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from bigben_chat.html import Writer
from bigben_chat.messages import signs
from bigben_chat.messages.content import Attachment, Content
from bigben_chat.store import ChatId
from bigben_chat.tree import Person, Text, every, lines

Event: TypeAlias = dict[str, Any]
"""JSON: the content of an event."""
MESSAGE: Final = "m.room.message"
REACTION: Final = "m.reaction"
CONTROLS: Final = "bigben.controls"
ONLY_FOR: Final = "bigben.only_for"
PLACE: Final = "bigben.place"
HTML: Final = "org.matrix.custom.html"
LONGEST: Final = 16_000
"""The most bytes of a text: an event may have 65,536, with its HTML and all else that it says."""
_FIRST: Final = 100
"""The most letters of an edit that a client without edits shows."""


@dataclass(frozen=True)
class Uploaded:
    """A file on the homeserver, as a message names it."""

    url: str
    name: str
    info: Mapping[str, Any]
    text: Text = ()
    """What a picture shows, in lines."""


def uploaded(file: Attachment, url: str) -> Uploaded:
    """The file of a message, which is at this address now."""
    info: Event = {"mimetype": mime_of(file), "size": len(file.data)}
    if info["mimetype"] == "image/png":
        info["w"], info["h"] = (int.from_bytes(file.data[at : at + 4]) for at in (16, 20))
    return Uploaded(url, file.name, info, file.text)


def mime_of(file: Attachment) -> str:
    """What kind of file it is."""
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def file_of(event: Mapping[str, Any]) -> Uploaded | None:
    """The picture that a message of the bot has."""
    match event:
        case {"msgtype": "m.image", "url": str(url), "filename": str(name), "info": dict(info)}:
            return Uploaded(url, name, info)
        case _:
            return None


def controls_of(event: Mapping[str, Any]) -> dict[str, str]:
    """The controls that a message of the bot has."""
    match event.get(CONTROLS):
        case dict(there):
            return {key: id for key, id in there.items() if isinstance(id, str)}
        case _:
            return {}


def address(id: ChatId) -> str:
    """Where clients show a user or a room."""
    return f"https://matrix.to/#/{quote(str(id), safe='@!:')}"


def message(
    content: Content,
    file: Uploaded | None,
    writer: Writer,
    only_for: str = "",
    place: str = "",
    *,
    notifies: bool = False,
) -> Event:
    """A message. ``notifies``: its reader is told of it; otherwise only those it mentions are."""
    controls = signs.controls(content)
    form = writer.form(lines(*filter(None, [content.text, signs.legend(controls)])))
    named = [str(part.id) for part in every(content.text) if isinstance(part, Person)]
    event: Event = {
        "msgtype": "m.text" if notifies or named else "m.notice",
        "body": form.plain,
        "format": HTML,
        "formatted_body": form.html,
        # Said of every message: without it, some clients look for mentions in the words.
        "m.mentions": {"user_ids": named} if named else {},
    }
    if file is not None:
        picture = str(file.info.get("mimetype")).startswith("image/")
        event |= {"msgtype": "m.image" if picture else "m.file", "filename": file.name}
        event |= {"url": file.url, "info": dict(file.info)}
        if file.text:
            # Clients show the HTML as the caption: the body can say what the picture shows.
            event["body"] += f"\n\n{writer.form(file.text).plain}"
    if controls:
        event[CONTROLS] = signs.written(controls)
    if only_for:
        event |= {ONLY_FOR: only_for, PLACE: place}
    return event


def edit(message: str, event: Event) -> Event:
    """The edit that makes ``event`` of a message. Clients without edits see its first line."""
    first = event["body"].partition("\n")[0][:_FIRST]
    return {
        "msgtype": "m.notice",
        "body": f"* {first}",
        "m.mentions": {},
        "m.new_content": event,
        "m.relates_to": {"rel_type": "m.replace", "event_id": message},
    }


def reply(event: Event, to: str) -> Event:
    """The message as a reply to this one."""
    return {**event, "m.relates_to": {"m.in_reply_to": {"event_id": to}}}


def reaction(to: str, sign: str) -> Event:
    """A reaction to a message."""
    return {"m.relates_to": {"rel_type": "m.annotation", "event_id": to, "key": sign}}
