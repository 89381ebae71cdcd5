"""What can be typed, as messages: all commands, or one with its options."""

from collections.abc import Sequence

from bigben_chat.messages.content import Button, Content, id_of
from bigben_chat.messages.formatting import game_name
from bigben_chat.texts import Say
from bigben_chat.tree import Command as Written
from bigben_chat.tree import Item, Text, lines, text
from bigben_chat.tree import Option as Typed
from bigben_chat.typed import values
from bigben_chat.typed.command import Command


def commands(every: Sequence[Command], wanted: str, game: str, say: Say) -> Content:
    """All commands in short, with a button to the ``game``; or those that begin as ``wanted``."""
    begun = [one for one in every if wanted and one.name.startswith(wanted.casefold())]
    if begun:
        return Content(lines(*(lines(_line(one, say), *_options(one, say)) for one in begun)))
    told = [Item(text(Written(one.name), " ", say(one.key))) for one in every if _is_alone(one)]
    for group in dict.fromkeys(one.name.split()[0] for one in every if not _is_alone(one)):
        told.append(Item(text(Written("help", (Typed(group),)), " ", say(f"command.{group}"))))
    back = Button(say.label("button.game", game=game_name(game, say)), id_of("game", game))
    return Content(lines(say("typed.help"), *told, say("typed.help_more")), [[back]])


def _is_alone(command: Command) -> bool:
    """Whether it is in no group, such as ``season``."""
    return " " not in command.name


def _line(command: Command, say: Say) -> Text:
    needed = tuple(Typed(one.name, "") for one in command.options if one.required)
    return text(Written(command.name, needed), " ", say(command.key))


def _options(command: Command, say: Say) -> list[Item]:
    return [
        Item(text(Typed(one.name, ""), " ", values.described(one, say))) for one in command.options
    ]
