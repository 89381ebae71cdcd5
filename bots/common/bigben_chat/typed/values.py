"""What each kind of option takes from the words of a line."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bigben_chat.platform import Sorry
from bigben_chat.texts import Say
from bigben_chat.tree import Code, Text, joined, text
from bigben_chat.tree import Option as Typed
from bigben_chat.typed import names
from bigben_chat.typed.command import Option, Value

_YES: Final[Mapping[str, bool]] = {
    "yes": True, "true": True, "on": True, "ja": True, "an": True, "1": True,
    "no": False, "false": False, "off": False, "nein": False, "aus": False, "0": False,
}  # fmt: skip
_CLOCK: Final = r"\d?\d:\d\d"
_DATE: Final = r"\d{4}-\d\d-\d\d"
_FORMS: Final[Mapping[str, re.Pattern[str]]] = {
    "day": re.compile(_DATE),
    "time": re.compile(_CLOCK),
    "moment": re.compile(rf"(?:{_DATE}|\w{{2,10}}) {_CLOCK}"),
    "zone": re.compile(r"utc|[a-z_]+/[\w+/-]+", re.IGNORECASE),
    "person": re.compile(r"@\S+"),
}
"""How values look that are understood without the name of their option."""


class Taken(NamedTuple):
    """A value, and how many words it was."""

    value: Value
    words: int


def named(option: Option, words: Sequence[str], known: Mapping[str, str], say: Say) -> Taken:
    """The value after the option's name. Raises Sorry for one that it can't have."""
    first = words[0]
    match option.kind:
        case "yes":
            if taken := said(words):
                return taken
            raise Sorry(say("typed.yes", option=Typed(option.name)))
        case "number":
            return _number(option, first, say)
        case "choice" | "game" | "rules":
            if value := names.found(known, words) or names.begun(known, words):
                return Taken(*value)
            if option.kind == "choice":
                raise Sorry(say("typed.choice", option=Typed(option.name), choices=_listed(option)))
            return Taken(first, 1)  # The server may know it, and says so if it does not.
        case "words":
            return Taken(" ".join(words), len(words))
        case _:
            return looking(option, words) or Taken(first, 1)


def said(words: Sequence[str]) -> Taken | None:
    """A yes or a no."""
    value = _YES.get(words[0].casefold())
    return None if value is None else Taken(value, 1)


def looking(option: Option, words: Sequence[str]) -> Taken | None:
    """A value that looks like one of this kind."""
    form = _FORMS.get(option.kind)
    for count in (2, 1) if form else ():
        value = " ".join(words[:count])
        if form and len(words) >= count and form.fullmatch(value):
            return Taken(value, count)
    return None


def meant(
    option: Option, words: Sequence[str], known: Mapping[str, str], say: Say, *, half: bool
) -> Taken | None:
    """A value without the option's name, if this can only be one; ``half``: its beginning will do.

    Raises Sorry for a number that is too large.
    """
    match option.kind:
        case "choice" | "game" | "rules":
            found = (names.begun if half else names.found)(known, words)
            return Taken(*found) if found else None
        case "number":
            return (
                _number(option, words[0], say)
                if words[0].isascii() and words[0].isdigit()
                else None
            )
        case _:
            return looking(option, words)


def _number(option: Option, word: str, say: Say) -> Taken:
    if not (word.isascii() and word.isdigit() and len(word) < 9):
        word = "-1"
    if not option.least <= int(word) <= option.most:
        typed = Typed(option.name)
        raise Sorry(say("typed.number", option=typed, least=option.least, most=option.most))
    return Taken(int(word), 1)


def described(option: Option, say: Say) -> Text:
    """What an option is, and the values that it may have if they are few."""
    return text(say(option.key), *((": ", _listed(option)) if option.choices else ()))


def _listed(option: Option) -> Text:
    return joined([Code(choice.value) for choice in option.choices], ", ")
