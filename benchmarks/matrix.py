"""Plays an evening on Matrix and measures what people there see.

    python -m benchmarks.matrix [--moves 15]

from the root of the project, where matrix-synapse is installed. Six people in three rooms play
races in all seven games, by typed commands and reactions, on a real Synapse without rate limits.
Requests and events have the times of the homeserver. Afterwards the bot's account reads
everything that it has sent: what was sent twice, and cards where others are.
"""

import argparse
import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.matrix.evening import Evening, figures_of
from tests.matrix.people import People
from tests.matrix.proxy import proxied
from tests.matrix.running import KEY, bot_on
from tests.matrix.synapse import Synapse, synapse
from tests.support.server_process import UNHURRIED, serving

from bigben_chat.chat import Pace


async def played(homeserver: Synapse, server: str, folder: Path, moves: int) -> list[str]:
    """The figures of one evening, a line each."""
    account = await homeserver.account("Big Ben")
    async with proxied(homeserver.url) as proxy, People(homeserver) as people:
        async with bot_on(proxy.url, account, server, folder, Pace()) as bot:
            began = time.perf_counter()
            await Evening(people, bot, moves).happens()
            took = time.perf_counter() - began
        figures = await figures_of(people.of(account))
        return [f"seconds                        {took:>8.0f}", *figures.lines(proxy.statuses[429])]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matrix", description=__doc__)
    parser.add_argument(
        "--moves", type=int, default=15, help="of each player in each race (%(default)s)"
    )
    moves = parser.parse_args().moves
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("synapse", "server", "bot"):
            (folder / part).mkdir()
        settings = {**UNHURRIED, "BIGBEN_ISSUER_MATRIX_KEY": KEY}
        with synapse(folder / "synapse") as homeserver, serving(folder / "server", settings) as one:
            print(*asyncio.run(played(homeserver, one.url, folder / "bot", moves)), sep="\n")


if __name__ == "__main__":
    main()
