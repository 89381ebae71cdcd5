"""Who is tied to an account counts as that account, from then on and after a rebuild."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import chain
from typing import Any, get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.boards.contents import everything
from tests.server.boards.made import (
    Dies,
    Season,
    daily,
    daily_id,
    finish,
    live,
    player,
    result,
    stuck,
    won,
)
from tests.support.times import NOON

from bigben_protocol import GetLeaderboard, GetProfile, Group, PlayerId, RaceId
from bigben_protocol import Ranked as Row
from bigben_server.leaderboards.queries import Queries
from bigben_server.leaderboards.tying import Tying
from bigben_server.ops.people.delete import delete
from bigben_server.ops.rebuild import rebuild
from bigben_server.race.events import Player, Refusal
from bigben_server.race.ranking import Key
from bigben_server.scoring.results import Ranked
from bigben_server.storage.admin.maintenance import make_for
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Client, StoreLost
from bigben_server.storage.keys import Keys
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ZOE = Player(PlayerId("discord:8035"), "Zoë")
MAX = Player(PlayerId("matrix:@max:example.org"), "Max")
"""Who may be tied to Zoë too, with the guests who were tied to him before."""
GUESTS = ("ada", "bob", "carl")
OTHERS = ("dora", "discord:1")

Steps = list[tuple[str, Any]]
"""What happens, and to whom; a race with what each has reached."""

keys = st.builds(Key, st.integers(0, 2), st.integers(0, 3).map(lambda s: s * 1000))
fields = st.dictionaries(st.sampled_from((*GUESTS, *OTHERS, ZOE.id, MAX.id)), keys, min_size=1)
ties = st.tuples(st.sampled_from(GUESTS), st.sampled_from((ZOE, MAX)))
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["day", "room", "open", "unsettled"]), fields),
        st.tuples(st.just("tie"), st.one_of(ties, st.just((MAX.id, ZOE)))),
    ),
    max_size=14,
)


async def tie(season: Season, guest: str, to: Player = ZOE) -> None:
    store = season.boards.store
    assert isinstance(store, Store)
    await Tying(store, season.settler, lambda: NOON).tie(Player(player(guest), guest.title()), to)


async def played(season: Season, what: Steps) -> tuple[Steps, dict[str, str]]:
    """Play all of it, with those who are not tied yet; return what was played, and who is who."""
    came: Steps = []
    tied: dict[str, str] = {}
    for n, (kind, about) in enumerate(what):
        results: Any = {}
        if kind == "tie":
            who, to = about
            # They have played a race together; or who is tied, plays as somebody else.
            with suppress(Refusal):
                if to.id not in tied:
                    await tie(season, who, to)
                    tied = {one: to.id if now == who else now for one, now in tied.items()}
                    tied[who] = to.id
        elif results := {who: key for who, key in about.items() if who not in tied}:
            await race(season, n, kind, results)
        came.append((kind, results))
    await season.settler.settle()
    return came, tied


async def race(season: Season, n: int, kind: str, keys: dict[str, Key]) -> None:
    """The n-th race; it is settled at once, or only later, or stays open."""
    day = f"{date(2026, 10, 1) + timedelta(days=n)}"
    is_room = kind == "room"
    code = RaceId(f"ROOM{n:02}") if is_room else daily_id(day)
    summary = live(day) if is_room else daily(day)
    await season.boards.record(
        [finish(who, result(key, at=NOON + n), code, summary) for who, key in keys.items()]
    )
    if kind == "open":
        await season.boards.store.ask(("ZADD", Keys().agenda, NOON, code))
    else:
        await season.ledger.close(code)
    if kind in ("day", "room"):
        await season.settler.settle()


def without_groups(all_keys: dict[str, Any]) -> dict[str, Any]:
    """The boards of days and of points, and the histories, of everybody."""
    mine = (Keys().board(""), Keys().history(PlayerId("")))
    return {
        key: value
        for key, value in all_keys.items()
        if key.startswith((mine[0][:-1], mine[1])) and "@" not in key and "rating" not in key
    }


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps, st.sampled_from(get_args(Ranked)))
async def test_whoever_is_tied_whenever_a_rebuild_changes_nothing(
    store: Store, what: Steps, ranked: Ranked
) -> None:
    await store.ask(("FLUSHALL",))
    await make_for(store, ranked)
    for who, group in (("ada", "aces"), ("bob", "aces"), (ZOE.id, "bells"), (MAX.id, "aces")):
        await People(store).create(player(who), Group(group, group, group), NOON)
        await People(store).join(player(who), group, NOON)
    season = Season(store, ranked=ranked)
    came, tied = await played(season, what)
    before = await everything(store)
    await rebuild(store, ranked=ranked)
    assert await everything(store) == before

    if ranked == "verified":  # the results of guests stay among those of guests
        return
    # And days, points and histories are those of somebody who was never a guest.
    await store.ask(("FLUSHALL",))
    for n, (kind, keys) in enumerate(came):
        if keys:
            same = {f"{tied.get(who, who)}": key for who, key in keys.items()}
            await race(season, n, kind, same)
    await season.settler.settle()
    assert without_groups(await everything(store)) == without_groups(before)


async def test_players_of_two_platforms_have_one_streak_one_rating_and_their_points_added(
    store: Store,
) -> None:
    season = Season(store)
    for day, who in (("2026-11-19", ZOE.id), ("2026-11-20", MAX.id), ("2026-11-21", "ada")):
        await season.day(day, {who: won(9), "dora": won(8)})
    before = {row.player: row.points for row in await points(store)}
    await tie(season, "ada", MAX)
    await tie(season, MAX.id)
    after = {row.player: row.points for row in await points(store)}
    all_of_zoe = sum(before[PlayerId(who)] for who in (ZOE.id, MAX.id, "guest:ada"))
    assert after == {ZOE.id: all_of_zoe, "guest:dora": before[PlayerId("guest:dora")]}
    queries = Queries(store, lambda: NOON)
    by_rating = await queries.leaderboard("", GetLeaderboard(period="all-time", by="rating"))
    rated = {row.player: row.rating for row in by_rating.ranked}
    assert rated.keys() == after.keys()
    for named in (ZOE.id, MAX.id, "guest:ada"):
        profile = await queries.profile(ZOE.id, GetProfile(named))
        (tally,) = profile.tallies
        assert (profile.player, tally.played, tally.days_played.now) == (ZOE.id, 3, 3)
        assert tally.rating == rated[ZOE.id]


async def play_before(store: Store) -> Season:
    """Ada and Bob, who are guests, and Zoë have played on several days and in rooms."""
    for who, group in (("ada", "aces"), (ZOE.id, "bells")):
        await People(store).create(player(who), Group(group, group, group), NOON)
    season = Season(store)
    await season.day("2026-11-18", {"ada": won(9), "bob": won(7), "dora": won(8)})
    await season.room("K7QPXM", {ZOE.id: won(9), "dora": won(8)})
    await season.room("ROOM02", {"ada": won(9), "dora": won(8)})
    await season.day("2026-11-19", {ZOE.id: won(9), "dora": won(8)})
    # Closed, and not settled; and a day that is still open.
    await season.race(daily_id("2026-11-20"), daily("2026-11-20"), {"ada": won(3), "bob": won(2)})
    await season.boards.record([finish("ada", stuck(60, 5))])
    await store.ask(("ZADD", Keys().agenda, NOON, daily_id()))
    return season


async def test_a_tie_that_breaks_off_anywhere_is_finished_by_who_settles_next(
    client: Client, store: Store
) -> None:
    async def tied_at(at: int) -> tuple[bool, dict[str, Any]]:
        await store.ask(("FLUSHALL",))
        await play_before(store)
        dying, done = Dies(client, at), True
        try:
            await Tying(dying, Season(dying).settler, lambda: NOON).tie(
                Player(player("ada"), "Ada"), ZOE
            )
        except StoreLost:
            done = False
            await store.ask(("DEL", Keys().lease))  # which would expire
        await Season(store).settler.settle()
        return done, await everything(store)

    done, expected = await tied_at(1_000)
    assert done
    await store.ask(("FLUSHALL",))
    season = await play_before(store)
    await season.settler.settle()
    untied = await everything(store)
    (entry,) = expected.pop(Keys().audit)
    at = 1
    while not (died := await tied_at(at))[0]:
        left = died[1]
        audit = left.pop(Keys().audit, [])  # the entry may be there twice
        assert left == (expected if audit else untied), f"died at {at}"
        assert {*chain(*(fields.values() for _, fields in audit))} <= {*entry[1].values()}
        at += 1
    assert at > 12


async def test_an_account_is_deleted_with_its_guests(store: Store) -> None:
    season = await play_before(store)
    for guest in ("ada", "dora"):
        with suppress(Refusal):  # Dora has played with Zoë
            await tie(season, guest)
    await season.settler.settle()
    rows = await points(store)
    assert {row.player for row in rows} == {player("bob"), player("dora"), ZOE.id}
    for n, who in enumerate([*await Aliases(store).tied_to(ZOE.id), ZOE.id]):
        await delete(store, who, f"012{n}")
    left = repr(await everything(store))
    for word in (player("ada"), "Ada", ZOE.id, ZOE.id.title()):
        assert word not in left
    same = [(r.points, "deleted player" if r.player == ZOE.id else r.name) for r in rows]
    assert [(row.points, row.name) for row in await points(store)] == same
    before = await everything(store)
    await rebuild(store)
    assert await everything(store) == before


async def test_an_account_is_deleted_though_the_deletion_of_a_guest_broke_off_before(
    client: Client, store: Store
) -> None:
    async def deleted_but(last: int) -> int:
        """Without the last round trips of a guest's deletion at first; how many it has."""
        await store.ask(("FLUSHALL",))
        season = Season(store)
        await season.day("2026-11-18", {"ada": won(9), "dora": won(8)})
        for guest in ("ada", "carl"):  # Carl has never played
            await tie(season, guest)
        dying = Dies(client, trips - last)
        with suppress(StoreLost):
            await delete(dying, player("ada"), "0120")
        await store.ask(("DEL", Keys().lease))  # which would expire
        for who in [*await Aliases(store).tied_to(ZOE.id), ZOE.id]:
            if not who.startswith("deleted:"):
                await delete(store, who, "0121")
        left = repr(await everything(store))
        for word in (player("ada"), "Ada", player("carl"), ZOE.id, ZOE.name):
            assert word not in left, f"died {last} round trips before the end"
        return trips - dying.left

    trips = 1_000
    trips = await deleted_but(0)
    for last in range(10):
        await deleted_but(last)


async def points(store: Store) -> Sequence[Row]:
    """The board by points of all time."""
    wanted = GetLeaderboard(period="all-time")
    return (await Queries(store, lambda: NOON).leaderboard("", wanted)).ranked


async def test_on_a_verified_server_a_guests_results_stay_among_guests(store: Store) -> None:
    season = Season(store, ranked="verified")
    await season.day("2026-11-20", {"ada": won(9), ZOE.id: won(8), "dora": won(7)})
    await season.day("2026-11-21", {"bob": won(9), "discord:1": won(8)})
    await tie(season, "bob")
    queries = Queries(store, lambda: NOON, "verified")
    page = await queries.leaderboard("", GetLeaderboard(period="all-time"))
    assert {row.player: row.points for row in page.ranked} == {ZOE.id: 50, "discord:1": 50}
    guests = await queries.leaderboard("", GetLeaderboard(group="guests", date="2026-11-21"))
    assert [(row.player, row.home_ms) for row in guests.rows] == [(ZOE.id, 9)]
    (tally,) = (await queries.profile(ZOE.id, GetProfile())).tallies
    assert (tally.played, tally.days_played.now) == (2, 2)
