"""Makes the servers of a comparison by name, and starts them."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from benchmarks.peers import node
from benchmarks.peers.node import BoardgameIoSeating, ColyseusSeating
from benchmarks.peers.peer import EchoSeating, Peer, RaceSeating, Seating, Server
from benchmarks.servers import UNLIMITED, ServerProcess
from bigben_protocol import JSON, MSGPACK, Hello
from bigben_server.storage.keys import Keys

MOVE_BYTES: Final = 55
ANSWER_BYTES: Final = 168
PROGRESS_BYTES: Final = 166
"""The mean sizes of a move, its Diff and the Progress of one seat, as JSON, in random play."""

ECHO: Final = "echo"
FAN_OUT: Final = "fan-out"
BROADCAST: Final = "broadcast"
NAIVE: Final = "naive"
OURS: Final = {
    "json": (JSON, False),
    "msgpack": (MSGPACK, False),
    "json-small": (JSON, True),
    "msgpack-small": (MSGPACK, True),
}
"""The race server: the subprotocol of its players, and whether they keep the rules themselves."""
_SMALL: Final = () if "keeps_rules" in Hello.__struct_fields__ else ("json-small", "msgpack-small")
"""What this server can't do yet."""
IN_NODE: Final[Mapping[str, Seating]] = {
    "boardgameio": BoardgameIoSeating(),
    "colyseus": ColyseusSeating(),
}
NAMES: Final = (ECHO, FAN_OUT, BROADCAST, NAIVE, *IN_NODE, *OURS)
COMPARED: Final = tuple(name for name in NAMES if name not in _SMALL)
"""Those of them that are compared unless others are named."""


@contextmanager
def started(
    names: Sequence[str],
    pythons: Mapping[str, str],
    folder: Path,
    *,
    python: str = sys.executable,
) -> Iterator[list[Peer]]:
    """The peers with these names, running, with their data in ``folder``.

    ``pythons``: interpreters with a race server installed, by a label for the report. With several
    of them every one runs. ``python`` runs the other peers in Python.
    """
    with ExitStack() as stack:
        peers = []
        for label, python in pythons.items():
            wanted = [name for name in names if name in OURS]
            if wanted:
                server = race_server(python, folder / f"ours-{label}")
                peers += [
                    Peer(f"{name} {label}".strip(), server, RaceSeating(*OURS[name]))
                    for name in wanted
                ]
        others = [_other(name, folder / name, python) for name in names if name not in OURS]
        peers = [peer for peer in others if peer] + peers
        for server in dict.fromkeys(peer.server for peer in peers):
            stack.enter_context(server.running())
        yield peers


def race_server(python: str, data: Path, *, workers: int = 1) -> Server:
    """The race server of this interpreter, not started."""
    return Server(_race_process(python, data, "--workers", str(workers)), has_redis=True)


def race_servers_apart(python: str, data: Path, count: int) -> tuple[Server, RaceSeating]:
    """So many race servers that share one Redis and nothing else, and players for all of them."""
    server = race_server(python, data)
    every = [Keys(f"bb{number}") for number in range(1, count)]
    server.apart = [
        _race_process(
            *(python, data / keys.prefix),
            BIGBEN_REDIS_URL=server.process.redis_url,
            BIGBEN_PREFIX=keys.prefix,
        )
        for keys in every
    ]
    return server, RaceSeating(JSON, apart=tuple(zip(server.apart, every, strict=True)))


def _race_process(python: str, data: Path, *options: str, **env: str) -> ServerProcess:
    command = (python, "-m", "bigben_server.cli")
    return ServerProcess(data, *options, env=UNLIMITED | env, command=command)


def _other(name: str, data: Path, python: str) -> Peer | None:
    """A peer that is not ours; None if it can't run here."""
    if name in IN_NODE:
        try:
            process = ServerProcess(data, env=node.PRODUCTION, command=node.command(name))
        except node.NotHere as why:
            print(f"{name} is left out: {why}", file=sys.stderr)
            return None
        return Peer(name, Server(process), IN_NODE[name])
    module = f"benchmarks.peers.{NAIVE if name == NAIVE else ECHO}"
    command = (python, "-m", module)
    if name == NAIVE:
        return Peer(name, Server(ServerProcess(data, command=command), True), RaceSeating(JSON))
    sizes = ("--answer", str(ANSWER_BYTES), "--progress", str(PROGRESS_BYTES))
    fan_out = () if name == ECHO else ("--fan-out", "3")
    how = ("--broadcast",) if name == BROADCAST else ()
    process = ServerProcess(data, *sizes, *fan_out, *how, command=command)
    return Peer(name, Server(process), EchoSeating(MOVE_BYTES, ANSWER_BYTES))
