"""Players of two platforms become one player, with one seat, one streak and one rating."""

import jwt
import pytest
from tests.server.guests import PLATFORMS, SECRET, Guest, SentAway, running
from tests.server.test_two_processes import DAILY, arrive, two
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Challenge,
    Challenges,
    Create,
    CreateGroup,
    Diff,
    GetGroups,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRaces,
    GetRecord,
    Groups,
    Hello,
    Join,
    Leaderboard,
    Link,
    LoggedOut,
    LogOut,
    Move,
    PlayerId,
    Profile,
    RaceId,
    Races,
    Ready,
    Record,
    Refused,
    Room,
    Snapshot,
    Tie,
    Tied,
    Welcome,
)
from bigben_server.accounts.tokens import LINK, Issuers
from bigben_server.leaderboards.tying import MOST_TIED
from bigben_server.ops.long_work import SILENT
from bigben_server.ops.people.delete import delete
from bigben_server.ops.people.find import find
from bigben_server.race.events import SEASONS, Player
from bigben_server.storage.admin.directives import Ban, DirectiveStore
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Client
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

ZOE = Player(PlayerId("discord:8035"), "Zoë")
MAX = Player(PlayerId("matrix:@zo{e}/7=x:example.org:8448"), "zo")
"""The same person: an id with all that Matrix allows."""
ISSUERS = Issuers(SECRET, PLATFORMS)


def token(player: Player, at: int = NOON, **claims: object) -> str:
    """As the bot of the player's platform signs it."""
    issuer = player.id.partition(":")[0]
    about = {"iss": issuer, "sub": player.id, "name": player.name, "iat": at / 1000, **claims}
    key = PLATFORMS[issuer][0]
    return jwt.encode({"exp": at // 1000 + 86_400, **about}, key, algorithm="HS256")


async def link_of(player: Guest) -> str:
    return (await player.ask(GetLink(), Link)).token


async def play(player: Guest, race: RaceId = DAILY) -> None:
    """Give up in a race."""
    player.say(Join(race), Ready(race))
    await player.until(Snapshot)
    await player.ask(Move(race, 1, "resign"), Diff)
    await player.ask(GetLeaderboard(), Leaderboard)  # which waits for the result


async def refusal(player: Guest, message: Tie | Join | Hello) -> str:
    """The code and the sentence."""
    told = await player.ask(message, Refused)
    return f"{told.code}: {told.text}"


async def test_a_matrix_id_is_the_discord_player_once_its_link_has_said_so(
    client: Client, store: Store
) -> None:
    async with two(client) as both:
        max_, me = await arrive(both.here, token=token(MAX))
        zoe, _ = await arrive(both.there, token=token(ZOE))
        assert me.player == MAX.id
        await play(max_)
        link = await link_of(max_)
        assert await zoe.ask(Tie(link, 7), Tied) == Tied(MAX.id, 7)
        with pytest.raises(SentAway, match=r"1012 .* one player now"):
            await max_.until(Welcome)

        max_, me = await arrive(both.here, token=token(MAX))
        assert (me.player, me.name, me.token) == (ZOE.id, "Zoë", token(MAX))
        for one in (max_, zoe):
            (row,) = (await one.ask(GetLeaderboard(), Leaderboard)).rows
            assert (row.player, row.name, row.place) == (ZOE.id, "Zoë", 1)
            said = await refusal(one, Join(DAILY))
            assert said.startswith("seat: You have played this race already, as zo, before")
            (race,) = (await one.ask(GetRaces(), Races)).races
            assert race.race == DAILY
            own = (await one.ask(GetRecord(DAILY), Record)).standing
            assert (own.player, own.moves) == (ZOE.id, 1)
        for named in ("", MAX.id, ZOE.id):
            profile = await zoe.ask(GetProfile(named), Profile)
            assert (profile.player, profile.tallies[0].days_played.now) == (ZOE.id, 1)
        # Again it changes nothing, though the link is spent, and brings nobody else in.
        assert await max_.ask(Tie(link), Tied) == Tied(MAX.id)
        said = await refusal(Guest(both.here), Hello(token=link))
        assert said == "token: This link has been used; ask for a new one."
    (found,), _ = await find(store, "zoë", SILENT)
    assert (found.guests, found.results, found.last_race) == ((MAX.id,), 1, DAILY)


async def test_the_discord_player_may_be_tied_to_the_matrix_id_as_well(client: Client) -> None:
    async with two(client) as both:
        max_, _ = await arrive(both.here, token=token(MAX))
        zoe, _ = await arrive(both.there, token=token(ZOE))
        await play(zoe)
        await max_.ask(Tie(await link_of(zoe)), Tied)
        zoe, me = await arrive(both.there, token=token(ZOE))
        assert (me.player, me.name) == (MAX.id, "zo")
        # And a challenge reaches them by either name.
        bell, _ = await arrive(both.there, "Bell")
        sent = (await bell.ask(Challenge(ZOE.id), Challenges)).sent
        assert [one.player for one in sent] == [MAX.id]
        assert (await bell.ask(Challenge(MAX.id, "watch"), Refused)).code == "conflict"
        assert (await max_.ask(Challenge(ZOE.id), Refused)).text == (
            "You can’t challenge yourself."
        )


async def test_each_platform_names_its_own_groups_of_the_one_player(
    client: Client, store: Store
) -> None:
    async def groups() -> set[str]:
        return {one.group for one in (await zoe.ask(GetGroups(), Groups)).groups}

    async def comes(who: Player, *of: str, organises: tuple[str, ...] = ()) -> Guest:
        return (await arrive(both.here, token=token(who, groups=of, organises=organises)))[0]

    async with two(client) as both:
        zoe = await comes(ZOE, "discord:1", "discord:2")
        max_ = await comes(MAX, "matrix:hall", organises=("matrix:hall",))
        await max_.ask(CreateGroup("The Aces"), Groups)
        await zoe.ask(Tie(await link_of(max_)), Tied)
        people = People(store)
        assert await groups() == {"discord:1", "discord:2", "matrix:hall", "the-aces"}
        assert await people.organises(ZOE.id, "matrix:hall")
        assert await people.organises(ZOE.id, "the-aces")
        await comes(MAX, "matrix:attic")
        assert await groups() == {"discord:1", "discord:2", "matrix:attic", "the-aces"}
        assert not await people.organises(ZOE.id, "matrix:hall")
        await comes(ZOE, "discord:1", organises=("discord:1",))
        await comes(MAX, "matrix:attic")
        assert await groups() == {"discord:1", "matrix:attic", "the-aces"}
        assert await people.organises(ZOE.id, "discord:1")


async def test_guests_of_the_one_who_is_tied_come_along(client: Client, store: Store) -> None:
    async with two(client) as both:
        max_, _ = await arrive(both.here, token=token(MAX))
        zoe, _ = await arrive(both.there, token=token(ZOE))
        ada, guest = await arrive(both.there, "Ada")
        await play(ada)
        await max_.ask(Tie(guest.token), Tied)
        await zoe.ask(Tie(await link_of(max_)), Tied)
        said = await refusal(Guest(both.here), Hello(token=guest.token))
        assert said == "token: This guest is now Zoë; sign in as Zoë."
        (row,) = (await zoe.ask(GetLeaderboard(), Leaderboard)).rows
        assert row.player == ZOE.id
        assert (await zoe.ask(GetProfile(guest.player), Profile)).player == ZOE.id
        said = await refusal(zoe, Join(DAILY))
        assert said.startswith("seat: You have played this race already, as the guest Ada;")
        assert await zoe.ask(Tie(guest.token), Tied) == Tied(guest.player)
    assert await Aliases(store).tied_to(ZOE.id) == (MAX.id, guest.player)


async def test_a_guests_link_ties_the_guest(client: Client) -> None:
    async with two(client) as both:
        zoe, _ = await arrive(both.there, token=token(ZOE))
        ada, guest = await arrive(both.here, "Ada")
        assert await zoe.ask(Tie(await link_of(ada)), Tied) == Tied(guest.player)


async def test_who_both_have_a_seat_or_still_play_or_are_too_many_stay_apart(
    client: Client, store: Store
) -> None:
    async with two(client) as both:
        max_, _ = await arrive(both.here, token=token(MAX))
        zoe, _ = await arrive(both.there, token=token(ZOE))
        room = (await max_.ask(Create(deadline_at=NOON + DAY), Room)).race
        link = await link_of(max_)
        max_.say(Ready(room))
        await max_.until(Snapshot)
        said = await refusal(zoe, Tie(link))
        assert said.startswith(f"phase: zo has a seat in the race {room}, which is not over")
        await max_.ask(Move(room, 1, "resign"), Diff)
        await play(zoe)
        await play(max_)
        assert (await refusal(zoe, Tie(link))).startswith(
            f"seat: You have a seat in the race {DAILY}, and so has zo;"
        )
        for n in range(MOST_TIED):
            await Aliases(store).tie(PlayerId(f"guest:{n}"), MAX.id, NOON)
        bell, _ = await arrive(both.there, token=token(Player(PlayerId("discord:9"), "Bell")))
        assert await refusal(bell, Tie(link)) == (
            f"limit: At most {MOST_TIED} other players can be tied to you."
        )
        await arrive(both.there, token=link)  # which is not spent by all that


async def test_a_lasting_token_a_program_and_who_is_tied_already_prove_nobody(
    client: Client, store: Store
) -> None:
    async with two(client) as both:
        zoe, _ = await arrive(both.there, token=token(ZOE))
        max_, _ = await arrive(both.here, token=token(MAX))
        bell, _ = await arrive(both.here, token=token(Player(PlayerId("discord:9"), "Bell")))
        robot, _ = await arrive(
            both.here, token=token(Player(PlayerId("matrix:@bot:x"), "Robot"), bot=True)
        )
        for bad in (token(MAX), await link_of(robot)):
            assert "This is not the token of a guest, nor" in await refusal(zoe, Tie(bad))
        assert "tied only to a person" in await refusal(robot, Tie(await link_of(max_)))
        link, second = await link_of(max_), await link_of(max_)
        await zoe.ask(Tie(link), Tied)
        assert "tied to another one already" in await refusal(bell, Tie(second))
        # Nor is an account tied to somebody else by a link from before.
        assert await Aliases(store).tie(ZOE.id, MAX.id, NOON) is None


async def test_a_ban_of_either_bans_both_and_logging_out_ends_the_tokens_of_both(
    client: Client, store: Store
) -> None:
    async with two(client) as both:
        max_, _ = await arrive(both.here, token=token(MAX))
        zoe, _ = await arrive(both.there, token=token(ZOE))
        await zoe.ask(Tie(await link_of(max_)), Tied)
        page = ISSUERS.mint(LINK, MAX, NOON)
        max_, me = await arrive(both.here, token=page)
        assert ISSUERS.check(me.token, NOON)[0].id == ZOE.id  # a browser keeps one player, not two
        await zoe.ask(LogOut(), LoggedOut)
        with pytest.raises(SentAway, match="logged out everywhere"):
            await max_.until(Welcome)
        assert "logged out everywhere" in await refusal(Guest(both.here), Hello(token=page))
        both.clock.now = both.clock_there.now = NOON + 1000
        for banned in (MAX.id, ZOE.id):
            max_, _ = await arrive(both.here, token=token(MAX, NOON + 1000))
            await DirectiveStore(store).ban(Ban(banned, NOON, 0, "rude"))
            with pytest.raises(SentAway, match="rude"):
                await max_.until(Welcome)
            for who in (ZOE, MAX):
                back = Hello(token=token(who, NOON + 1000))
                assert "rude" in await refusal(Guest(both.there), back)
            await DirectiveStore(store).unban(banned)
            await both.here.agent.look()
            await both.there.agent.look()


async def test_deleted_is_who_was_one_player_and_a_later_token_of_either_is_somebody_new(
    client: Client, store: Store
) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        max_, _ = await arrive(app, token=token(MAX))
        zoe, _ = await arrive(app, token=token(ZOE))
        await play(max_)
        await zoe.ask(Tie(await link_of(max_)), Tied)
        await arrive(app, token=token(MAX))
        for who in (MAX, ZOE):
            await delete(store, who.id, f"0{who.name}", ISSUERS.marks(who.id)[0], clock=clock)
        for who in (MAX, ZOE):
            assert "was deleted" in await refusal(Guest(app), Hello(token=token(who)))
        clock.now += 1000
        for who in (MAX, ZOE):
            _, me = await arrive(app, token=token(who, clock.now))
            assert me.player == who.id


async def test_while_an_older_server_runs_only_guests_are_tied(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        app.hub.rooms.store.version = SEASONS
        zoe, _ = await arrive(app, token=token(ZOE))
        max_, _ = await arrive(app, token=token(MAX))
        _, guest = await arrive(app, "Ada")
        assert "is being updated" in await refusal(zoe, Tie(await link_of(max_)))
        await zoe.ask(Tie(guest.token), Tied)
