"""``/metrics``: what a server of one process and of several tells the operator."""

import asyncio
import os
import signal
import socket
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from benchmarks.servers import ServerDied
from tests.processes.playing import client, serving, until
from tests.support.scraping import figures_once, scraped
from tests.support.server_process import ServerProcess
from tests.wire.raw import line

from bigben_client import Client, RefusedError
from bigben_server.config import Settings
from bigben_server.metrics.serving import served
from bigben_server.transport.admission import SILENT

ANY_PORT = {"BIGBEN_METRICS_PORT": "0"}


async def shown(server: ServerProcess, **wanted: float) -> dict[str, float]:
    """The figures, once these are as wanted."""
    return await figures_once(server.metrics_url, **wanted)


async def play(one: Client, race: str, moves: int) -> None:
    await until(one, lambda: race in one.views)
    for _ in range(moves):
        await one.move(race, one.views[race].legal[0])


async def test_several_processes_count_each_player_race_and_move_once(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data", "--workers", "3", env=ANY_PORT) as server,
        AsyncExitStack() as stack,
    ):
        ada = await stack.enter_async_context(client(server, "Ada Lovelace"))
        # On whichever workers: of five connections of Ada, two are on one.
        for _ in range(4):
            again = await stack.enter_async_context(client(server, token=ada.token))
            await again.join("daily")
        race = (await ada.create()).race
        # Bob names it in his address, so he need not say hello again where its home is.
        bob = await stack.enter_async_context(client(server, "Bob", race=race))
        await bob.join(race)
        await asyncio.gather(ada.ready(race), bob.ready(race))
        await asyncio.gather(play(ada, race, 30), play(bob, race, 20))
        with pytest.raises(RefusedError):
            await bob.move(race, "no such move")
        running = {"bigben_races{daily,running}": 1.0, "bigben_races{live,running}": 1.0}
        answers = {"bigben_acknowledgement_seconds_count": 51.0}  # with the refusal
        counted = {"bigben_moves_total": 50.0, "bigben_players": 2.0, **answers, **running}
        found = await shown(server, **counted)
        assert found["bigben_connections{client}"] == 6
        assert found["bigben_refusals_total{notation}"] == 1
        assert found["bigben_hellos_total{client,new}"] == 2
        assert found["bigben_hellos_total{client,returning}"] == 4
        assert found["bigben_processes_wanted"] == 3
        assert found["bigben_redis_up"] == found["bigben_ready"] == 1
        assert found["bigben_redis_memory_bytes"] < 100_000_000  # not that of three
        assert {f"bigben_memory_bytes{{{pid}}}" for pid in server.workers()} <= found.keys()

        killed = server.workers()[0]
        os.kill(killed, signal.SIGKILL)
        found = await shown(server, bigben_players=2, **{f"bigben_tasks{{{killed}}}": 0})
        assert found["bigben_moves_total"] == 50  # what it has counted stays
        assert len([name for name in found if name.startswith("bigben_memory_bytes")]) in (2, 3)

        text = await scraped(server.metrics_url)
        private = (race, ada.player, bob.player, ada.token, "Lovelace", "127.0.0.1")
        assert not [word for word in private if word in text]


async def test_the_parent_of_workers_counts_the_connections_that_it_refuses(tmp_path: Path) -> None:
    few = {**ANY_PORT, "BIGBEN_CONNECTIONS_PER_ADDRESS": "1"}
    async with (
        serving(tmp_path / "data", "--workers", "2", env=few) as server,
        AsyncExitStack() as stack,
    ):
        for _ in range(SILENT + 3):
            silent = await stack.enter_async_context(line(server.port))
            await silent.write(b"G")
        await shown(server, **{"bigben_unanswered_connections_total{aborted}": 3})


async def test_one_process_shows_the_same_and_forgets_players_who_leave(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", env=ANY_PORT) as server:
        async with client(server, "Ada") as ada:
            race = (await ada.create(practice=True)).race
            await ada.ready(race)
            await play(ada, race, 5)
            await ada.move(race, "resign")
            found = await shown(server, bigben_moves_total=6, bigben_players=1)
            assert found["bigben_games_over_total{resigned}"] == 1
            assert f"bigben_rooms{{{server.pid}}}" in found
        left = {"bigben_connections{client}": 0.0, "bigben_closes_total{peer,1000}": 1.0}
        await shown(server, bigben_players=0, **left)


def test_without_a_port_there_are_no_metrics() -> None:
    with served(Settings(), 1) as folder:
        assert folder is None


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_taken_port_is_refused_in_one_sentence(tmp_path: Path, workers: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        env = {"BIGBEN_METRICS_PORT": port}
        server = ServerProcess(tmp_path / "data", "--workers", workers, env=env)
        with pytest.raises(ServerDied, match="BIGBEN_METRICS_PORT") as died:
            await server.start()
    assert len(str(died.value).splitlines()) == 1
