"""How a platform of plain text and HTML writes a text: as lines, and beside them with tags.

What others wrote is escaped, and is no address, no mention and no name of a room to any client.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from html import escape
from typing import Final, NamedTuple, assert_never
from zoneinfo import ZoneInfo

import msgspec

from bigben_chat.store import ChatId
from bigben_chat.tree import (
    Block,
    Code,
    Command,
    Emphasis,
    Heading,
    Item,
    Link,
    Listed,
    Name,
    Option,
    Part,
    Person,
    Place,
    Quoted,
    Rest,
    Role,
    Small,
    Strong,
    Text,
    Time,
    Written,
    fitted,
)

_SEPARATOR: Final = "\x1f"
_BREAK: Final = "\x0b"
"""The end of a line of ours, until it is known whether HTML needs a tag for it."""
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What has no place in a name: controls, signs that turn the direction, halves of letters."""
_AFTER_BLOCK: Final = re.compile(f"(</(?:h\\d|pre|li)>){_BREAK}")
_BEFORE_BLOCK: Final = re.compile(f"{_BREAK}(<(?:h\\d|pre|li)>)")
_ITEMS: Final = re.compile("(?:<li>.*?</li>)+", re.DOTALL)
_LINKED: Final = re.compile(r"(?<=[@#!$])(?=\S)|(?<=:)(?=//)|(?<=\w\.)(?=\w)")
"""Where a client might see an address, or the name of a user or room."""
_DAY: Final = timedelta(hours=20)


class Form(NamedTuple):
    """Words in both forms."""

    plain: str
    html: str


@dataclass(frozen=True)
class Writer:
    """How the platform takes texts, and for whom."""

    command: str
    """What every command begins with."""
    address: Callable[[ChatId], str]
    """Of a person or a place."""
    longest: int
    """The most bytes of each form, as JSON writes it."""
    zone: ZoneInfo
    """Times are said in it too."""
    now: datetime
    _rows: int = 1000
    _rest: int = 0
    """How many items of a list are left out."""

    def form(self, text: Text) -> Form:
        """The text, with as many rows of what it lists as there is room for.

        If that is too much, it is cut, and has no tags.
        """
        form = fitted(text, lambda rows: _whole(replace(self, _rows=rows)._text(text)), self._fits)
        if self._fits(form):
            return form
        # Half of it: JSON writes some letters as two.
        cut = form.plain.encode()[: self.longest // 2 - 3].decode(errors="ignore") + "…"
        return Form(cut, _whole(_plain(cut)).html)

    def stored(self, text: Text) -> str:
        """Both forms in one string, which `Written` has later."""
        return _SEPARATOR.join(self._text(text))

    def _fits(self, form: Form) -> bool:
        return all(len(msgspec.json.encode(words)) <= self.longest for words in form)

    def _text(self, text: Text) -> Form:
        return _joined(map(self._part, _said_once(text)))

    def _part(self, part: Part) -> Form:
        match part:
            case str(words):
                return _plain(words)
            case Written(words):
                plain, _, html = words.partition(_SEPARATOR)
                return Form(plain, html)
            case Name(words):
                return _plain(harmless(words))
            case Quoted(words):
                return _plain("\n".join(map(harmless, words.splitlines())))
            case Time():
                return _plain(self._time(part))
            case Code(code):
                return _code(code)
            case Block(code):
                shown = _UNSEEN.sub("", code).replace("@", "@\u200b")
                return Form(shown, f"<pre><code>{escape(shown)}</code></pre>")
            case Link(address):
                return _link(address, address)
            case Option():
                return _code(part.typed)
            case Command(name, options):
                return _code(" ".join([self.command, name, *(option.typed for option in options)]))
            case Place(id) | Person(id):
                return _link(self.address(id), str(id))
            case Role():
                return Form("", "")  # There are none.
            case Strong(parts):
                return _tagged(self._text(parts), "strong")
            case Emphasis(parts):
                return _tagged(self._text(parts), "em")
            case Small(parts):
                return _tagged(self._text(parts), "sub")
            case Heading(level, parts):
                return _tagged(self._text(parts), f"h{level + 2}")
            case Item(parts):
                plain, html = _tagged(self._text(parts), "li")
                return Form(f"• {plain}", html)
            case Rest():
                return _plain(str(self._rest))
            case Listed():
                return self._listed(part)
            case _:
                assert_never(part)

    def _listed(self, listed: Listed) -> Form:
        shown, rest = listed.shown(self._rows)
        items = _joined(map(self._text, shown), listed.between)
        return _joined([items, replace(self, _rest=rest)._text(listed.more)] if rest else [items])

    def _time(self, time: Time) -> str:
        """``08:15 UTC``, or ``09:15 CET (08:15 UTC)``; with the day where it is another one."""
        at = datetime.fromtimestamp(time.at_ms / 1000, UTC)
        there = at.astimezone(self.zone)
        far = time.style != "clock" and abs(at - self.now) > _DAY
        style = "%Y-%m-%d %H:%M %Z" if far or time.style == "date" else "%H:%M %Z"
        utc = "" if there.tzname() == "UTC" else f" ({at:%H:%M} UTC)"
        return f"{there:{style}}{utc}"


def harmless(words: str) -> str:
    """What somebody wrote, in one line, so that it links and mentions nothing.

    >>> harmless("Ada @room").encode()
    b'Ada @\\xe2\\x80\\x8broom'
    """
    said = _LINKED.sub("\u200b", _UNSEEN.sub("", " ".join(words.split())))
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in said):
        return f"\u2068{said}\u2069"  # Written from the right, it turns nothing around it.
    return said


def _said_once(text: Text) -> Text:
    """Without how long it is until a day and hour that it names: both would be the same words."""
    parts = list(text)
    days = {part.at_ms for part in parts if isinstance(part, Time) and part.style == "date"}
    for at, part in enumerate(parts[:-1]):
        if not isinstance(part, Time) or part.style != "distance" or part.at_ms not in days:
            continue
        match parts[at - 1 : at + 2]:
            case [str(before), _, str(after)] if before.endswith(" (") and after.startswith(")"):
                parts[at - 1 : at + 2] = [before[:-2], "", after[1:]]
            case [_, _, ", "]:
                parts[at : at + 2] = ["", ""]
            case _:
                pass
    return tuple(parts)


def _whole(form: Form) -> Form:
    """The HTML with tags for its lines and lists."""
    html = _BEFORE_BLOCK.sub(r"\1", _AFTER_BLOCK.sub(r"\1", form.html.strip(_BREAK)))
    listed = _ITEMS.sub(r"<ul>\g<0></ul>", html)
    return Form(form.plain.strip("\n"), listed.replace(_BREAK, "<br>"))


def _joined(forms: Iterable[Form], between: str = "") -> Form:
    plain, html = zip(*forms, strict=True) if (forms := list(forms)) else ((), ())
    return Form(between.join(plain), between.replace("\n", _BREAK).join(html))


def _plain(words: str) -> Form:
    """These words; spaces that stand together stay as many."""
    words = words.encode(errors="ignore").decode()
    html = re.sub(" (?= )", "\u00a0", escape(words))
    return Form(words, html.replace("\n", _BREAK))


def _code(words: str) -> Form:
    return _tagged(_plain(_UNSEEN.sub("", words)), "code")


def _tagged(form: Form, tag: str) -> Form:
    return Form(form.plain, f"<{tag}>{form.html}</{tag}>")


def _link(address: str, words: str) -> Form:
    plain, html = _plain(words)
    return Form(plain, f'<a href="{escape(_plain(address).plain)}">{html}</a>')
