"""A school class behind one address opens the page at once, with the default limits."""

import asyncio
import re
from pathlib import Path

from tests.support.server_process import ServerProcess, serving
from tests.wire.raw import Line, line, request

from bigben_protocol import JSON

PUPILS = 40
FILES = 12
"""The most files that one page load requests; ``tests/web/test_light.py`` counts them."""
PARALLEL = 6
"""Connections that a browser opens to one address."""


async def head(one: Line, data: bytes) -> bytes:
    """The status of the answer; empty if the server has closed."""
    try:
        await one.write(data)
        return (await one.reader.readline()).strip()
    except OSError:
        return b""


async def loaded(server: ServerProcess, paths: list[str]) -> list[bytes]:
    """Load the page as a browser does, then open its WebSocket; the status of every answer.

    Each file has a connection of its own, which is more than a browser opens.
    """
    left, answers = list(paths), []

    async def load() -> None:
        while left:
            get = f"GET {left.pop()} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
            async with line(server.port) as one:
                answers.append(await head(one, get))
                await one.rest()

    await asyncio.gather(*(load() for _ in range(PARALLEL)))
    async with line(server.port) as one:
        answers.append(await head(one, request(f"Sec-WebSocket-Protocol: {JSON}")))
    return answers


async def test_forty_pupils_load_the_page_twice_and_nothing_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, {"BIGBEN_CONNECTS_PER_SECOND": ""}) as server:
        async with line(server.port) as one:
            await one.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            first = (await one.rest()).decode()
        named = re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css|svg))"', first)
        paths = [["/", *named][i % (1 + len(named))] for i in range(FILES)]
        for _ in range(2):
            pages = await asyncio.gather(*(loaded(server, paths) for _ in range(PUPILS)))
            said = {answer for answers in pages for answer in answers}
            assert said == {b"HTTP/1.1 200 OK", b"HTTP/1.1 101 Switching Protocols"}
