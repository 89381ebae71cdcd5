"""Boards, profiles and groups as clients meet them: a real server, both subprotocols."""

import time
from collections.abc import Iterator
from pathlib import Path

import jwt
import pytest
from tests.server.redis_processes import connected
from tests.support.server_process import UNHURRIED, ServerProcess, serving
from tests.wire.peer import Peer, peer

from bigben_protocol import (
    JSON,
    MSGPACK,
    CreateGroup,
    Diff,
    GetGroups,
    GetLeaderboard,
    GetProfile,
    Groups,
    Hello,
    Join,
    JoinGroup,
    Leaderboard,
    Move,
    Profile,
    Ready,
    Refused,
    Snapshot,
    Tie,
    Tied,
    Welcome,
)

KEY = "a key that the bot was given, and long enough"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = Path(tmp_path_factory.mktemp("server"))
    with serving(folder, {**UNHURRIED, "BIGBEN_ISSUER_DISCORD_KEY": KEY}) as server:
        yield server
        assert server.complaints() == []


def token(who: str, name: str, *groups: str, bot: bool = False) -> str:
    """As the Discord bot mints it."""
    claims = {"iss": "discord", "sub": f"discord:{who}", "name": name, "bot": bot}
    soon = int(time.time()) + 600
    return jwt.encode({**claims, "groups": groups, "exp": soon}, KEY, algorithm="HS256")


async def hello(one: Peer, token: str) -> Welcome:
    """Say it, and wait until what the token says is remembered."""
    welcome = await one.ask(Hello(token=token), Welcome)
    groups = set(jwt.decode(token, options={"verify_signature": False})["groups"])
    while groups != {group.group for group in (await one.ask(GetGroups(), Groups)).groups}:
        pass
    return welcome


async def give_up(one: Peer, rules: str) -> str:
    """Play today's daily for no move at all; its date."""
    race = f"daily.{rules}"
    await one.say(Join(race), Ready(race))
    snapshot = await one.until(Snapshot)
    await one.ask(Move(snapshot.race, 1, "resign"), Diff)
    return snapshot.race.split(".")[1]


@pytest.mark.parametrize(("subprotocol", "rules"), [(JSON, "standard"), (MSGPACK, "book")])
async def test_a_guild_and_friends_have_boards_of_their_own(
    server: ServerProcess, subprotocol: str, rules: str
) -> None:
    async with (
        peer(server.url, subprotocol, name="") as ada,
        peer(server.url, subprotocol, name="Bob") as bob,
        peer(server.url, subprotocol, name="") as bell,
    ):
        await hello(ada, token(f"1{rules}", "Ada", f"discord:{rules}"))
        await hello(bell, token(f"2{rules}", "Bell", f"discord:{rules}", bot=True))
        made = await bob.ask(CreateGroup(f"Aces of {rules}"), Groups)
        (group,) = made.groups
        both = await ada.ask(JoinGroup(group.code), Groups)
        assert [one.group for one in both.groups] == [f"aces-of-{rules}", f"discord:{rules}"]
        days = {await give_up(one, rules) for one in (ada, bob, bell)}

        async def board(group: str) -> list[tuple[str, int]]:
            rows = [
                row
                for day in sorted(days)  # two of them, if it is midnight
                for row in (
                    await ada.ask(GetLeaderboard(date=day, rules=rules, group=group), Leaderboard)
                ).rows
            ]
            return sorted((row.name, row.place) for row in rows)

        if len(days) == 1:
            assert await board("") == [("Ada", 1), ("Bob", 1)]
        assert [name for name, _ in await board(f"discord:{rules}")] == ["Ada"]
        assert [name for name, _ in await board(f"aces-of-{rules}")] == ["Ada", "Bob"]
        assert [name for name, _ in await board("bots")] == ["Bell"]
        profile = await ada.ask(GetProfile(), Profile)
        assert [(one.rules, one.played, one.days_played.longest) for one in profile.tallies] == [
            (rules, 1, 1)
        ]


async def test_bad_questions_get_a_sentence_and_the_connection_stays(
    server: ServerProcess,
) -> None:
    async with peer(server.url) as ada:
        for question, code in (
            (GetLeaderboard(date="2026-02-31", ref=1), "unknown"),
            (GetLeaderboard(group="nobody", ref=1), "unknown"),
            (GetLeaderboard(period="all-time", date="2026-11", ref=1), "board"),
            (GetProfile(player="guest:nobody", ref=1), "unknown"),
            (JoinGroup("XXXXXXXX", ref=1), "unknown"),
            (CreateGroup("", ref=1), "name"),
        ):
            refused = await ada.ask(question, Refused)
            assert (refused.code, refused.ref) == (code, 1)
        assert (await ada.ask(GetLeaderboard(start=9_999_999), Leaderboard)).rows == ()


async def test_a_token_with_a_group_of_another_issuer_is_refused(server: ServerProcess) -> None:
    async with peer(server.url, name="") as ada:
        refused = await ada.ask(Hello(token=token("3", "Ada", "web:1")), Refused)
        assert refused.code == "token"
        assert (await ada.closed())[0] == 1008


async def test_a_history_that_can_not_be_read_is_one_answer_less(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        with connected(f"unix://{tmp_path}/data/redis.sock?db=0") as redis:
            redis.hset("bb:history:guest:x", "K7QPXM", "spoilt")
        async with peer(server.url) as ada, peer(server.url) as bob:
            for _ in range(2):
                refused = await bob.ask(GetProfile(player="guest:x"), Refused)
                assert "the operator’s log names it" in refused.text
            assert (await ada.ask(GetLeaderboard(), Leaderboard)).total == 0
        assert server.log().count("bb:history:guest:x") == 1


async def test_what_is_said_right_after_hello_is_heard_after_the_welcome(
    server: ServerProcess,
) -> None:
    async with (
        peer(server.url, name="") as ada,
        peer(server.url, name="") as back,
        peer(server.url, name="") as forged,
        peer(server.url, name="") as zoe,
    ):
        me = await ada.ask(Hello("Ada"), Welcome)
        await back.say(Hello(token=me.token), GetGroups(), GetLeaderboard())
        assert (await back.until(Welcome)).player == me.player
        await back.until(Leaderboard)
        await hello(zoe, token("8", "Zoë"))
        await zoe.ask(Tie(me.token), Tied)
        # And who is refused is told why, whatever else they say.
        await forged.say(Hello(token=me.token), GetGroups(), GetLeaderboard())
        refused = await forged.until(Refused)
        assert (refused.code, "This guest is now Zoë" in refused.text) == ("token", True)
