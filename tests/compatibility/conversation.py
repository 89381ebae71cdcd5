"""A recorded conversation: its file, and which answers count as the same.

The file has one JSON object a line, in the order in which things happened:

- ``{"clock": ms}``: the server's clock is set; ``{"start": true}`` and ``{"stop": true}``: the
  server is started and stopped.
- ``{"open": 1, "codec": "bigben.v1.json"}``: the first connection is opened. ``{"say": 1,
  "frame": …}`` and ``{"hear": 1, "frame": …}`` are its messages, whatever the codec, and
  ``{"leave": 1}`` or ``{"closed": 1, "code": 1012}`` its end, by the client or by the server.
- ``{"get": "/api/…", "answer": …}``: a question over HTTP.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bigben_protocol import CODECS

Frame = dict[str, Any]
"""A message as plain data, since today's structs may differ from those of the recording."""
Line = dict[str, Any]

_NAME = re.compile(
    r"guest:[0-9a-f]{24}|[A-Z0-9]{6}|[A-Z0-9]{6}-[A-Z0-9]{6}|[A-Z0-9]{8}|eyJ[\w-]+\.[\w-]+\.[\w-]+"
)
"""Random names, which differ in every conversation: ids of guests, codes of races, invitations and
groups, and tokens."""


def read(file: Path) -> list[Line]:
    """The lines of a conversation."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def write(file: Path, lines: Iterable[Line]) -> None:
    """Write a conversation for ``read``."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    file.write_text(text, "utf-8")


def frame_of(encoded: str | bytes, codec: str) -> Frame:
    """The frame as plain data."""
    frame = msgspec.json.decode(encoded) if CODECS[codec].text else _unpacked(encoded)
    assert isinstance(frame, dict)
    return frame


def _unpacked(encoded: str | bytes) -> object:
    assert isinstance(encoded, bytes)
    return msgspec.msgpack.decode(encoded)


def encoded(frame: Frame, codec: str) -> str | bytes:
    """The frame as it is sent."""
    if CODECS[codec].text:
        return msgspec.json.encode(frame).decode()
    return msgspec.msgpack.encode(frame)


class Names:
    """Maps recorded ids, codes and tokens to those of the current conversation."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}

    def translated(self, value: Any) -> Any:
        """``value`` with the current names."""
        match value:
            case str():
                return self._pattern().sub(lambda old: self._now[old[0]], value)
            case dict():
                return {name: self.translated(each) for name, each in value.items()}
            case list():
                return [self.translated(each) for each in value]
            case _:
                return value

    def missing(self, old: Any, new: Any) -> list[str]:
        """What the ``old`` answer has and the ``new`` one lacks.

        Old clients ignore fields that are only in the new one. If nothing is missing, the names in
        the answer are added to the map.
        """
        known = self._now.copy()
        if problems := list(self._compared(old, new, "")):
            self._now = known
        return problems

    def _compared(self, old: Any, new: Any, at: str) -> Iterator[str]:
        match old, new:
            case dict(), dict():
                for name in old:
                    if name == "text" and new.get(name):
                        continue  # a sentence for the player; its wording may change
                    if name in new:
                        yield from self._compared(old[name], new[name], f"{at}.{name}")
                    else:
                        yield f"{at}.{name} is missing; it was {old[name]!r}"
            case [str(), str(), str()], [*step, ""] if ".steps[" in at and len(step) == len(old):
                yield from self._compared(old, step, at)  # old clients read only three items
            case list(), list() if len(old) == len(new):
                for i, (one, other) in enumerate(zip(old, new, strict=True)):
                    yield from self._compared(one, other, f"{at}[{i}]")
            case str(), str() if self._learns(old, new):
                pass
            case _:
                if type(old) is not type(new) or self.translated(old) != new:
                    yield f"{at} is {new!r}; it was {self.translated(old)!r}"

    def _learns(self, old: str, new: str) -> bool:
        """Map a name that is heard for the first time. Return whether it was one."""
        if not (_NAME.fullmatch(old) and _NAME.fullmatch(new)) or old in self._now:
            return False
        if new in self._now.values():
            return False
        self._now[old] = new
        return True

    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._now, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
