"""An echo: the least that a server of websockets and uvloop can do.

    python -m benchmarks.peers.echo --port 0 --answer 168 [--fan-out 3 --progress 166 [--broadcast]]

Every message is answered with ``--answer`` bytes. With --fan-out each connection belongs to a room,
in the order in which they come, and the others of the room receive ``--progress`` bytes: with an
awaited send for each, or all with websockets.broadcast().
"""

import argparse
from itertools import count

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast

from benchmarks.peers.listening import listen
from bigben_server.tasks import told_to_stop


async def run(options: argparse.Namespace) -> None:
    """Serve until a signal."""
    stop = told_to_stop()
    answer, progress = "x" * options.answer, "x" * options.progress
    numbers = count()
    rooms: dict[int, set[ServerConnection]] = {}

    async def handle(socket: ServerConnection) -> None:
        room = rooms.setdefault(next(numbers) // (options.fan_out + 1), set())
        room.add(socket)
        try:
            async for _ in socket:
                await socket.send(answer)
                others = room - {socket}
                if options.broadcast:
                    broadcast(others, progress)
                else:
                    for other in others:
                        await other.send(progress)
        finally:
            room.remove(socket)

    await listen(handle, options.port, stop)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.echo")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--data", help="ignored")
    parser.add_argument("--answer", type=int, default=168, help="bytes of an answer")
    parser.add_argument("--progress", type=int, default=166, help="bytes for the others")
    parser.add_argument("--fan-out", type=int, default=0, help="how many others there are")
    parser.add_argument("--broadcast", action="store_true")
    uvloop.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
