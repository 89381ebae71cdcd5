"""Every command that a Redis receives during a block, and the names in it. Changes nothing."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from tests.support.patience import PATIENCE_S

Sent = tuple[str, ...]
"""The database, the command and its words."""

_WORD = re.compile(rb'"((?:[^"\\]|\\.)*)"')
_END = b"this is the end"
_NAMELESS = {"CLIENT", "FLUSHALL", "HELLO", "INFO", "PING", "SELECT", "UNSUBSCRIBE", "WAIT"}
_ALL_WORDS = {"DEL", "EXISTS", "RENAME", "SUBSCRIBE", "UNLINK"}


@asynccontextmanager
async def monitored(url: str) -> AsyncIterator[list[Sent]]:
    """All commands sent in the block; complete after it. ``url`` is that of a unix socket."""
    reader, writer = await asyncio.open_unix_connection(urlsplit(url).path)
    writer.write(b"MONITOR\r\n")
    assert await reader.readline() == b"+OK\r\n"
    sent: list[Sent] = []
    reading = asyncio.create_task(_read(reader, sent))
    try:
        yield sent
        _, ending = await asyncio.open_unix_connection(urlsplit(url).path)
        ending.write(b'ECHO "%s"\r\n' % _END)
        await asyncio.wait_for(reading, PATIENCE_S)
        ending.close()
    finally:
        reading.cancel()
        writer.close()


async def _read(reader: asyncio.StreamReader, sent: list[Sent]) -> None:
    while _END not in (line := await reader.readline()):
        assert line, "Redis dropped the monitor"
        words = [word.decode() for word in _WORD.findall(line)]
        database = line.partition(b"[")[2].partition(b" ")[0].decode()
        sent.append((database, words[0].upper(), *words[1:]))


def names_in(sent: Sequence[str]) -> list[str]:
    """The keys, patterns and channels that a command names."""
    _, command, *words = sent
    match command:
        case "EVAL" | "EVALSHA":
            return words[2 : 2 + int(words[1])]
        case "SCAN":
            return [words[words.index("MATCH") + 1].replace("\\", "")]
        case "PUBSUB":
            return words[1:]
        case _ if command in _NAMELESS:
            return []
        case _ if command in _ALL_WORDS:
            return words
        case _:
            return words[:1]
