"""Groups of friends: made with a name, joined with a code; a front end speaks for its own."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

import jwt
import pytest
from tests.server.boards.made import finish, player, won
from tests.support.times import NOON

from bigben_protocol import (
    CreateGroup,
    GetGroups,
    GetLeaderboard,
    Group,
    JoinGroup,
    LeaveGroup,
    PlayerId,
)
from bigben_server.accounts.groups import MOST_JOINED, GroupQuestion, Memberships, id_for
from bigben_server.accounts.tokens import Issuers, claimed_groups
from bigben_server.leaderboards.queries import Queries
from bigben_server.race.events import Player, Refusal
from bigben_server.storage.admin.dump import keys_there
from bigben_server.storage.client import StoreLost
from bigben_server.storage.exchange import Command
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ADA, BOB = player("ada"), player("bob")
KEY = "a key that the bot was given, and long enough"


@pytest.fixture
def memberships(store: Store) -> Memberships:
    seeds: Iterator[int] = count(1)
    return Memberships(
        People(store), lambda: NOON, lambda n: (next(seeds) * 31**9).to_bytes(n, "big")
    )


async def groups(
    memberships: Memberships, who: PlayerId, question: GroupQuestion
) -> tuple[Group, ...]:
    return (await memberships.answer(who, question)).groups


async def test_friends_make_a_group_and_race_on_a_board_of_their_own(
    memberships: Memberships, store: Store
) -> None:
    (made,) = await groups(memberships, ADA, CreateGroup("The Aces"))
    assert (made.group, made.name, len(made.code)) == ("the-aces", "The Aces", 8)
    typed = f" {made.code[:4].lower()}-{made.code[4:]} "
    assert await groups(memberships, BOB, JoinGroup(typed)) == (made,)
    await Boards(store).record(
        [finish("ada", won(9)), finish("bob", won(8)), finish("carl", won(7))]
    )
    board = await Queries(store, lambda: NOON).leaderboard("", GetLeaderboard(group="the-aces"))
    assert [row.name for row in board.rows] == ["Bob", "Ada"]
    assert board.board == "daily.2026-11-21.bigben.standard@the-aces"


async def test_a_player_who_leaves_a_group_stays_on_its_past_boards(
    memberships: Memberships, store: Store
) -> None:
    (made,) = await groups(memberships, ADA, CreateGroup("The Aces"))
    await groups(memberships, BOB, JoinGroup(made.code))
    await Boards(store).record([finish("ada", won(9))])
    assert await groups(memberships, ADA, LeaveGroup("the-aces")) == ()
    board = await Queries(store, lambda: NOON).leaderboard("", GetLeaderboard(group="the-aces"))
    assert [row.name for row in board.rows] == ["Ada"]


async def test_a_group_goes_with_its_last_member(memberships: Memberships, store: Store) -> None:
    before = {key async for key in keys_there(store)}
    (made,) = await groups(memberships, ADA, CreateGroup("The Aces"))
    await groups(memberships, BOB, JoinGroup(made.code))
    await groups(memberships, ADA, LeaveGroup("the-aces"))
    assert await groups(memberships, BOB, GetGroups()) == (made,)
    await groups(memberships, BOB, LeaveGroup("the-aces"))
    with pytest.raises(Refusal, match="No group has this code"):
        await groups(memberships, ADA, JoinGroup(made.code))
    assert {key async for key in keys_there(store)} == before, "nothing is left"
    (again,) = await groups(memberships, BOB, CreateGroup("the aces"))
    assert (again.group, again.name) == ("the-aces", "the aces")


async def test_a_new_group_has_no_results_of_one_with_its_name(
    memberships: Memberships, store: Store
) -> None:
    await groups(memberships, ADA, CreateGroup("The Aces"))
    await Boards(store).record([finish("ada", won(9))])
    await groups(memberships, ADA, LeaveGroup("the-aces"))
    (again,) = await groups(memberships, BOB, CreateGroup("The Aces"))
    assert (again.group, again.name) == ("the-aces~2", "The Aces")
    assert await groups(memberships, BOB, CreateGroup("the aces")) == (again,)
    with pytest.raises(Refusal, match="There is a group called The Aces already"):
        await groups(memberships, ADA, CreateGroup("The Aces"))
    queries = Queries(store, lambda: NOON)
    assert (await queries.leaderboard("", GetLeaderboard(group="the-aces~2"))).rows == ()
    with pytest.raises(Refusal, match="There is no group 'the-aces'"):
        await queries.leaderboard("", GetLeaderboard(group="the-aces"))


async def test_members_whom_an_older_server_let_in_keep_the_group(
    memberships: Memberships, store: Store
) -> None:
    (made,) = await groups(memberships, ADA, CreateGroup("The Aces"))
    await store.ask(("HSETNX", store.keys.player(BOB), "in:the-aces", NOON))
    await groups(memberships, ADA, LeaveGroup("the-aces"))
    assert await groups(memberships, BOB, GetGroups()) == (made,)
    await groups(memberships, BOB, LeaveGroup("the-aces"))
    await groups(memberships, ADA, CreateGroup("The Aces"))


class Dies(Store):
    """Its process dies after the n-th round trip, in which all but the last command was done."""

    def __init__(self, client: Any, at: int) -> None:
        super().__init__(client)
        self.left = at

    async def ask(self, *commands: Command, raise_on_error: bool = True) -> list[Any]:
        self.left -= 1
        if not self.left:
            await super().ask(*commands[: len(commands) // 2])
            raise StoreLost("died")
        return await super().ask(*commands, raise_on_error=raise_on_error)


@pytest.mark.parametrize("at", [1, 2, 3, 4])
async def test_making_a_group_may_break_off_and_is_started_again(
    client: Any, memberships: Memberships, at: int
) -> None:
    dying = Memberships(People(Dies(client, at)), lambda: NOON, lambda n: b"x" * n)
    with suppress(StoreLost):
        await groups(dying, ADA, CreateGroup("The Aces"))
    (made,) = await groups(memberships, ADA, CreateGroup("The Aces"))
    assert (made.group, made.name, len(made.code)) == ("the-aces", "The Aces", 8)
    with pytest.raises(Refusal, match="There is a group called The Aces already"):
        await groups(memberships, BOB, CreateGroup("The Aces"))
    assert await groups(memberships, BOB, JoinGroup(made.code)) == (made,)


async def test_of_two_players_who_create_a_group_at_once_one_is_refused(
    memberships: Memberships,
) -> None:
    people = [player(f"p{n}") for n in range(6)]
    made = await asyncio.gather(
        *(groups(memberships, who, CreateGroup("The Aces")) for who in people),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Refusal) for answer in made) == 5


async def test_making_or_joining_a_group_again_changes_nothing(memberships: Memberships) -> None:
    made = await groups(memberships, ADA, CreateGroup("The Aces"))
    assert await groups(memberships, ADA, CreateGroup("the  aces!")) == made
    assert await groups(memberships, ADA, JoinGroup(made[0].code)) == made
    assert await groups(memberships, ADA, GetGroups()) == made


@pytest.mark.parametrize(
    ("question", "code", "text"),
    [
        (CreateGroup("THE ACES"), "name", "There is a group called THE ACES already; ask a member"),
        (CreateGroup("  "), "name", "A name has at least one letter"),
        (CreateGroup("!!!"), "name", "A group can’t be called '!!!'"),
        (CreateGroup("Bots"), "name", "A group can’t be called 'Bots'"),
        (JoinGroup("23456789"), "unknown", "No group has this code"),
        (JoinGroup(""), "unknown", "No group has this code"),
        (LeaveGroup("the-aces"), "unknown", "You are not in the group 'the-aces'"),
        (LeaveGroup("discord:1"), "unknown", "You are not in the group 'discord:1'"),
    ],
)
async def test_an_impossible_request_gets_a_sentence(
    memberships: Memberships, question: GroupQuestion, code: str, text: str
) -> None:
    await groups(memberships, ADA, CreateGroup("The Aces"))
    with pytest.raises(Refusal, match=text) as refused:
        await groups(memberships, BOB, question)
    assert refused.value.code == code
    assert await groups(memberships, BOB, GetGroups()) == ()


async def test_a_player_may_be_in_so_many_groups_and_no_more(memberships: Memberships) -> None:
    for n in range(MOST_JOINED):
        await groups(memberships, ADA, CreateGroup(f"Group {n}"))
    (other,) = await groups(memberships, BOB, CreateGroup("One too many"))
    for question in (CreateGroup("And another"), JoinGroup(other.code)):
        with pytest.raises(Refusal, match="You are in 20 groups; leave one first") as refused:
            await groups(memberships, ADA, question)
        assert refused.value.code == "limit"
    await groups(memberships, ADA, LeaveGroup("group-0"))
    assert other in await groups(memberships, ADA, JoinGroup(other.code))


async def test_one_leaves_the_group_of_a_front_end_in_the_front_end(
    memberships: Memberships, store: Store
) -> None:
    who = PlayerId("discord:1")
    await People(store).introduce(Player(who, "Ada", frozenset({"discord:7"})), NOON)
    with pytest.raises(Refusal, match="You leave this group in discord itself"):
        await groups(memberships, who, LeaveGroup("discord:7"))
    assert await groups(memberships, who, GetGroups()) == (Group("discord:7"),)
    board = await Queries(store, lambda: NOON).leaderboard("", GetLeaderboard(group="discord:7"))
    assert board.total == 0, "a group is known before any of it has a result"


def test_names_that_look_alike_are_one_group() -> None:
    alike = ["The Aces", "the aces", " THE   ACES! ", "The-Aces"]
    assert {id_for(name) for name in alike} == {"the-aces"}
    assert id_for("Ünïcode ♠ 8") == "ünïcode-8"
    assert id_for("snake_case") == "snake-case"


def test_names_that_differ_in_nothing_but_vowel_signs_are_two_groups() -> None:
    for one, other in (("हिन्दी", "हिन्दु"), ("กิน", "กน"), ("كتب", "كُتُب")):
        assert id_for(one) == one
        assert id_for(other) == other


def test_no_name_makes_the_id_of_a_front_ends_group_or_of_the_bots() -> None:
    assert id_for("discord:123") == "discord-123"
    with pytest.raises(Refusal):
        id_for("BOTS")
    with pytest.raises(Refusal):
        id_for("Guests!")
    with pytest.raises(Refusal):
        id_for("a" * 33)


def test_an_issuer_speaks_for_its_own_groups_only() -> None:
    assert claimed_groups("discord", ["discord:1", "discord:1"]) == {"discord:1"}
    for bad in ("web:1", "discord", "the-aces", "discord:", "discord:a b", "discord:}{", "bots"):
        with pytest.raises(Refusal, match="can’t speak for the group"):
            claimed_groups("discord", [bad])
    with pytest.raises(Refusal, match="at most 50"):
        claimed_groups("discord", [f"discord:{n}" for n in range(51)])


def test_a_token_with_another_ones_group_is_refused() -> None:
    issuers = Issuers(b"s" * 32, {"discord": (KEY,)})
    player = Player(PlayerId("discord:1"), "Ada")
    assert issuers.check(_token(player, ["discord:7"]), NOON)[0].groups == frozenset({"discord:7"})
    assert issuers.check(_token(player, ["discord:7"], bot=True), NOON)[0].bot
    assert issuers.check(issuers.mint("discord", player, NOON), NOON)[0].groups is None
    with pytest.raises(Refusal, match="can’t speak for the group 'web:7'") as refused:
        issuers.check(_token(player, ["web:7"]), NOON)
    assert refused.value.code == "token"


def test_a_token_says_whose_seasons_its_player_organises() -> None:
    issuers = Issuers(b"s" * 32, {"discord": (KEY,)})
    player = Player(PlayerId("discord:1"), "Ada")
    meg, _ = issuers.check(_token(player, ["discord:7", "discord:8"], ["discord:7"]), NOON)
    assert meg.organises == frozenset({"discord:7"})
    assert issuers.check(issuers.mint("discord", player, NOON), NOON)[0].organises is None
    with pytest.raises(Refusal, match="can’t speak for the group 'the-aces'"):
        issuers.check(_token(player, [], ["the-aces"]), NOON)


def _token(
    player: Player, groups: list[str], organises: Sequence[str] = (), *, bot: bool = False
) -> str:
    claims = {
        **{"iss": "discord", "sub": player.id, "name": player.name, "exp": NOON},
        **{"groups": groups, "organises": organises, "bot": bot},
    }
    return jwt.encode(claims, KEY, algorithm="HS256")
