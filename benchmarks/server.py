"""Measures how much one server process can do, compared with two minimal servers.

    python -m benchmarks.server [--clients 50] [--each 80] [--rounds 3]

from the root of the project. Fifty clients in another process each have one move under way: first
in their own practice games, then all in one live race. In the same run the same number of frames of
the same sizes goes to an echo, and to a server that awaits one XADD for each message. The ratios
can be compared between machines, but the times can't. CPU is that of the server's process without
Redis, from Linux's /proc; each figure is from the round with the least CPU.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.load import Load
from benchmarks.servers import TIRELESS, ServerProcess
from bigben_protocol import CODECS, JSON

NO_LIMITS = {
    **TIRELESS,
    "BIGBEN_MESSAGES_PER_SECOND": "1000000000",
    "BIGBEN_BURST": "1000000000",
    "BIGBEN_CONNECTIONS_PER_ADDRESS": "100000",
}


class Figures(NamedTuple):
    """What one kind of work costs."""

    a_second: float
    cpu_us: float
    """CPU of the server's process for each answered message."""
    p50_ms: float
    p99_ms: float

    def to(self, other: "Figures") -> "Figures":
        """These figures as multiples of others."""
        return Figures(*(mine / theirs for mine, theirs in zip(self, other, strict=True)))


async def measure(options: argparse.Namespace) -> dict[str, Figures]:
    """Measure every kind of work in several rounds, and return the best round of each."""
    rounds: dict[str, list[Figures]] = {}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = ServerProcess(folder / "ours", env=NO_LIMITS)
        await stack.enter_async_context(_running(ours))
        # Once without measuring, to warm up and to get the sizes of the frames.
        load, _ = await work(ours, "practice", options)
        sizes = ("--bytes", str(load.asked_bytes))
        answer = ("--answer", str(load.answer_bytes))
        echo = ServerProcess(folder / "echo", *answer, module="benchmarks.bare")
        xadd = ServerProcess(folder / "xadd", *answer, "--xadd", module="benchmarks.bare")
        await stack.enter_async_context(_running(echo))
        await stack.enter_async_context(_running(xadd))
        for _ in range(options.rounds):
            for name, server, kind in (
                ("an echo", echo, "echo"),
                ("one awaited XADD", xadd, "echo"),
                ("practice games", ours, "practice"),
                ("one live race", ours, "race"),
            ):
                _, figures = await work(server, kind, options, *sizes)
                rounds.setdefault(name, []).append(figures)
    return {name: min(of, key=lambda figures: figures.cpu_us) for name, of in rounds.items()}


async def work(
    server: ServerProcess, kind: str, options: argparse.Namespace, *more: str
) -> tuple[Load, Figures]:
    """Let clients work against a server."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.load", server.url, kind),
        *("--clients", str(options.clients), "--each", str(options.each)),
        *("--subprotocol", options.subprotocol, *more),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None, "asked for"
    assert process.stdout is not None, "asked for"
    said = await process.stdout.readline()
    before = cpu_s(server.pid)
    process.stdin.write(b"go\n")
    said = await process.stdout.readline()
    cpu = cpu_s(server.pid) - before
    if await process.wait() or not said:
        raise SystemExit("The clients gave up.")
    load = msgspec.json.decode(said, type=Load)
    return load, Figures(
        load.answered / load.seconds, cpu / load.answered * 1e6, load.p50_ms, load.p99_ms
    )


def cpu_s(pid: int) -> float:
    """Seconds of CPU that a process has used, in user and kernel mode."""
    # The name, in brackets, may have spaces; we need fields 14 and 15.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def _running(server: ServerProcess) -> AsyncIterator[None]:
    await server.start()
    try:
        yield
    finally:
        await server.stop()


def table(figures: dict[str, Figures]) -> str:
    """The figures as lines; those of the race server have their ratios below."""
    lines = [f"{'':<26}{'a second':>10}{'CPU us':>10}{'p50 ms':>10}{'p99 ms':>10}"]
    compared = {"to an echo": figures["an echo"], "to one XADD": figures["one awaited XADD"]}
    for name, each in figures.items():
        lines.append(
            f"{name:<26}{each.a_second:>10,.0f}{each.cpu_us:>10.0f}"
            f"{each.p50_ms:>10.2f}{each.p99_ms:>10.2f}"
        )
        if each not in compared.values():
            lines += [
                f"{'  ' + to:<26}" + "".join(f"{ratio:>10.2f}" for ratio in each.to(other))
                for to, other in compared.items()
            ]
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.server")
    options.add_argument("--clients", type=int, default=50, help="at once (%(default)s)")
    options.add_argument("--each", type=int, default=80, help="moves of a client (%(default)s)")
    options.add_argument("--rounds", type=int, default=3, help="of everything (%(default)s)")
    options.add_argument("--subprotocol", choices=CODECS, default=JSON)
    return options


def main(argv: Sequence[str] | None = None) -> None:
    options = parser().parse_args(argv)
    print(f"{options.clients} clients, one message under way on each, {options.each} of each")
    print(table(asyncio.run(measure(options))))


if __name__ == "__main__":
    main()
