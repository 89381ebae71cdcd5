"""What is said of challenges: the message with its two answers, and what became of it."""

from typing import NamedTuple

from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.formatting import variant_name
from bigben_chat.store import ChatId
from bigben_chat.texts import Say
from bigben_chat.tree import Name, Person, Small, Text, Time, lines, text
from bigben_protocol import ChallengeInfo, HeadToHead


class User(NamedTuple):
    """Of the platform."""

    id: ChatId
    name: str


def asked(one: ChallengeInfo, by: User, to: User, record: HeadToHead | None, say: Say) -> Content:
    """The challenge, as all see it; only the player who is challenged can press its buttons."""
    game = variant_name(one.game, one.rules, say)
    said = say("challenge.received", name=Name(by.name), game=game)
    rows = [
        text(Person(to.id), " ", said),
        text(Small(say("challenge.expires", at=Time(one.until)))),
    ]
    if record and (record.ahead or record.behind or record.level):
        names = {"name": Name(by.name), "other": Name(to.name)}
        rows[1:1] = [say("challenge.so_far", ahead=record.ahead, behind=record.behind, **names)]
    details = (one.id, to.id, by.id)
    accept = Button(say.label("challenge.accept"), id_of("accept", *details), "success")
    decline = Button(say.label("challenge.decline"), id_of("decline", *details))
    return Content(lines(*rows), [[accept, decline]])


def declined(one: str, by: str, say: Say) -> Content:
    """Instead of a challenge, once it is declined. ``one`` is who had sent it."""
    return Content(say("challenge.no", name=Name(by), other=Name(one)))


def accepted(by: Text, name: str, say: Say) -> Content:
    """Tells who has sent a challenge that it was accepted."""
    return Content(text(by, " ", say("challenge.accepted", name=Name(name))))
