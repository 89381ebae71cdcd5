"""Server processes during play on a Redis that fails over, or on a cluster whose nodes die."""

import contextlib
import random
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from benchmarks.chaos_players import Tally, all_move, playing
from tests.clusters.redis_setups import Node, alone, cluster, cluster_url, owner, watched
from tests.processes.playing import client, heard, serving, until
from tests.support.server_process import ServerProcess
from tests.support.torture import tortured

from bigben_client import Client, RefusedError
from bigben_protocol import Progress, RaceId
from bigben_server.storage.keys import Keys


async def two_servers(stack: AsyncExitStack, folder: Path, **env: str) -> list[ServerProcess]:
    return [await stack.enter_async_context(serving(folder / "data", env=env)) for _ in range(2)]


async def test_players_play_on_when_the_master_dies_and_no_acknowledged_move_is_lost(
    tmp_path: Path,
) -> None:
    tally = Tally()
    async with AsyncExitStack() as stack:
        setup = await stack.enter_async_context(watched(tmp_path, down_after_ms=1_500))
        servers = await two_servers(
            stack, tmp_path, BIGBEN_REDIS_URL=setup.url, BIGBEN_REDIS_WAIT="1"
        )
        async with playing(
            [server.url for server in servers], 8, random.Random(1), tally
        ) as players:
            setup.master.kill()
            await all_move(players)
        roles = [await replica.ask("INFO", "replication") for replica in setup.replicas]
        assert sorted("role:master" in role for role in roles) == [False, True]
        await assert_news_pass_between(*servers)
    assert tally.faults == []


async def test_players_play_on_when_the_nodes_of_a_cluster_die_and_come_back(
    tmp_path: Path,
) -> None:
    tally = Tally()
    async with AsyncExitStack() as stack:
        nodes = await stack.enter_async_context(cluster(tmp_path))
        servers = await two_servers(stack, tmp_path, BIGBEN_REDIS_URL=cluster_url(nodes))
        ada = await stack.enter_async_context(client(servers[0], "Ada"))
        games = await a_game_on_each(ada, nodes)
        async with playing(
            [server.url for server in servers], 12, random.Random(1), tally
        ) as players:
            for node in nodes:
                node.kill()
                node.start()
                await all_move(players)
                for race in games:
                    await turn(ada, race, times=1)
            races = [*games, *(race for player in players for race in player.games)]
            found = [await node.ask("KEYS", "bb:{*}:room") for node in nodes]
            assert all(
                any(Keys().room_log(RaceId(race)) in keys for keys in found) for race in races
            )
        await assert_news_pass_between(*servers)
    assert tally.faults == []


@pytest.mark.parametrize("key", [Keys().names, *tortured(Keys().agenda)])
async def test_players_reach_races_and_open_rooms_while_another_node_is_dead(
    tmp_path: Path, key: str
) -> None:
    async with AsyncExitStack() as stack:
        nodes = await stack.enter_async_context(cluster(tmp_path, partial=True))
        env = {"BIGBEN_REDIS_URL": cluster_url(nodes)}
        server = await stack.enter_async_context(serving(tmp_path / "data", env=env))
        async with client(server, "Ada") as ada, client(server, "Bob") as bob:
            tokens = ada.token, bob.token
            dead = await owner(nodes, key)
            race = await room_on_another(ada, nodes, dead)
            await bob.join(race)
            dead.kill()
            for each in (ada, bob):
                await each.ready(race)
            await until(ada, lambda: race in ada.views)
            assert (await ada.move(race, "resign")).state == "resigned"
        # Both names are stored, and both players open another room.
        async with client(server, token=tokens[0]) as ada, client(server, token=tokens[1]) as bob:
            await bob.join(race)
            assert (await bob.move(race, "resign")).state == "resigned"
            opened = (await ada.create()).race
            assert (await bob.join(opened)).race == opened
            dead.start()
            while not all([await recorded(one) for one in (ada, bob)]):
                pass
            agenda = await owner(nodes, Keys().agenda)
            await agenda.until(opened, "ZRANGE", Keys().agenda, 0, -1)


async def a_game_on_each(player: Client, nodes: list[Node]) -> list[str]:
    """Games of one player that have begun, one with its log on each node."""
    games: dict[Node, str] = {}
    while len(games) < len(nodes):
        race = (await player.create(practice=True)).race
        node = await owner(nodes, Keys().room_log(RaceId(race)))
        if node not in games:
            games[node] = race
            await player.ready(race)
            await until_at_move(player, race, 0)
    return list(games.values())


async def room_on_another(host: Client, nodes: list[Node], dead: Node) -> str:
    """A room whose log is not on the node that dies."""
    while True:
        race = (await host.create()).race
        if await owner(nodes, Keys().room_log(RaceId(race))) is not dead:
            return race


async def recorded(one: Client) -> bool:
    """Whether the race is in this player's profile."""
    with contextlib.suppress(RefusedError):  # "ask again in a moment"
        return [tally.played for tally in (await one.profile()).tallies] == [1]
    return False


async def test_players_continue_from_what_is_left_when_redis_comes_back_with_less(
    tmp_path: Path,
) -> None:
    """As after a fail-over to a lagging replica, or a restore of yesterday's file."""
    async with AsyncExitStack() as stack:
        redis = await stack.enter_async_context(alone(tmp_path))
        servers = await two_servers(stack, tmp_path, BIGBEN_REDIS_URL=redis.url)
        players = [
            await stack.enter_async_context(client(servers[i % 2], f"Player {i}")) for i in range(6)
        ]
        for player in players:
            await player.join("daily")
        race = next(iter(players[0].rooms))
        for player in players:
            await player.ready(race)
            await until_at_move(player, race, 0)
            await turn(player, race, times=6)
        kept = cut_log(tmp_path)
        for player in players:
            await turn(player, race, times=4)
        redis.kill()
        cut_log(tmp_path, kept)
        redis.start()
        for player in players:
            await until_at_move(player, race, 6)
            await turn(player, race, times=1)
            moves = [move for _, move in (await player.record(race)).moves]
            assert moves == ["turn"] * 7


def cut_log(folder: Path, kept: int | None = None) -> int:
    """The length of Redis's append-only file, to which the test later cuts it."""
    (file,) = folder.glob("redis/**/*.aof")
    if kept is not None:
        with file.open("r+b") as log:
            log.truncate(kept)
    return file.stat().st_size


async def until_at_move(player: Client, race: str, n: int) -> None:
    await until(player, lambda: race in player.views and player.views[race].n == n)


async def turn(player: Client, race: str, *, times: int) -> None:
    for _ in range(times):
        await player.move(race, "turn")


async def assert_news_pass_between(here: ServerProcess, there: ServerProcess) -> None:
    """A daily with a racer on one server and a watcher on the other, up to the boards."""
    async with client(here, "Ada") as ada, client(there, "Eve") as eve:
        race = (await ada.join("daily")).race
        await eve.watch(race)
        await ada.ready(race)
        await until(ada, lambda: race in ada.views)
        for move in (ada.views[race].legal[0], "resign"):
            diff = await ada.move(race, move)
            while True:
                (told,) = (await heard(eve, Progress)).seats
                if (told.player, told.moves) == (ada.player, diff.n):
                    break
        # The answer of Ada's own server waits for her result; after that every server has it.
        for each in (ada, eve):
            board = await each.leaderboard()
            assert ada.player in [row.player for row in board.rows]
