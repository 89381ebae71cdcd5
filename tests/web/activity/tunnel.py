"""A proxy for a browser that can't be told where hosts are: it leads to Discord only."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.web.activity.hosts import Hosts


@asynccontextmanager
async def tunnel_to(hosts: Hosts) -> AsyncIterator[int]:
    """The port of a proxy for these hosts."""

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        if asked not in ("discord.com:443", f"{hosts.origin.removeprefix('https://')}:443"):
            writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            writer.close()
            return
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        far, to = await asyncio.open_connection("127.0.0.1", hosts.port)
        await asyncio.gather(_copy(reader, to), _copy(far, writer))

    async with await asyncio.start_server(connect, "127.0.0.1", 0) as server:
        yield int(server.sockets[0].getsockname()[1])


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
    except ConnectionError:
        pass  # a browser that is killed says no goodbye
    finally:
        target.close()
