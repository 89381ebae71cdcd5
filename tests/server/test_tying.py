"""Who may be tied, and how little is read to know it."""

from msgspec.structs import replace
from tests.server.guests import SECRET
from tests.server.test_two_processes import DAILY, arrive, two
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Create,
    Diff,
    GetRecord,
    GetStandings,
    Join,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Record,
    Refused,
    Room,
    Snapshot,
    Standings,
    Tie,
    Tied,
)
from bigben_server.accounts.tokens import LINK, Issuers
from bigben_server.leaderboards.settler import Settler
from bigben_server.leaderboards.tying import Tying
from bigben_server.race.events import Player, RoomEvent
from bigben_server.storage.admin.directives import Ban, DirectiveStore
from bigben_server.storage.aliases import Aliases
from bigben_server.storage.client import Client
from bigben_server.storage.leaderboards import Boards
from bigben_server.storage.ledger import Ledger
from bigben_server.storage.race_log import Store

ZOE = Player(PlayerId("discord:8035"), "Zoë")
TOKEN = Issuers(SECRET, {}).mint(LINK, ZOE, NOON)


class Noting(Store):
    """Notes which rooms are read."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.read: list[RaceId] = []

    async def events(self, race: RaceId, *, after: int = 0, most: int = 0) -> list[RoomEvent]:
        self.read.append(race)
        return await super().events(race, after=after, most=most)


async def test_a_banned_guest_brings_an_account_nothing(client: Client, store: Store) -> None:
    async with two(client) as both:
        _, me = await arrive(both.here, "Ada")
        zoe, _ = await arrive(both.there, token=TOKEN)
        await DirectiveStore(store).ban(Ban(me.player, NOON, 0, "rude"))
        await both.there.agent.look()
        refused = await zoe.ask(Tie(me.token), Refused)
        assert (refused.code, "rude" in refused.text) == ("seat", True)
    assert await Aliases(store).of([me.player]) == [None]


async def test_no_daily_is_read_and_of_the_account_only_rooms_that_the_guest_is_in(
    client: Client,
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        zoe, _ = await arrive(both.there, token=TOKEN)
        await zoe.ask(Create(deadline_at=NOON + DAY), Room)
        for player in (ada, zoe):
            await player.ask(Join(DAILY), Room)
        theirs = (await ada.ask(Create(deadline_at=NOON + DAY), Room)).race
        for race in (DAILY, theirs):
            ada.say(Ready(race))
            await ada.until(Snapshot)
            await ada.ask(Move(race, 1, "resign"), Diff)
        store = Noting(client)
        settler = Settler(Boards(store), Ledger(store))
        await Tying(store, settler, lambda: NOON).tie(Player(me.player, "Ada"), ZOE)
        assert set(store.read) <= {theirs}


async def test_a_guests_game_is_shown_to_its_player_as_their_own_and_to_nobody_else(
    client: Client,
) -> None:
    async with two(client) as both:
        ada, me = await arrive(both.here, "Ada")
        zoe, _ = await arrive(both.there, token=TOKEN)
        bob, _ = await arrive(both.there, "Bob")
        ada.say(Join(DAILY), Ready(DAILY))
        await ada.until(Snapshot)
        await ada.ask(Move(DAILY, 1, "resign"), Diff)
        (row,) = (await ada.ask(GetStandings(DAILY), Standings)).rows
        game = await ada.ask(GetRecord(DAILY), Record)
        await zoe.ask(Tie(me.token), Tied)

        asked = GetStandings(DAILY, only=(ZOE.id,))
        assert (await zoe.ask(asked, Standings)).rows == (replace(row, player=ZOE.id),)
        own = replace(game, standing=replace(game.standing, player=ZOE.id))
        for player in ("", ZOE.id):
            assert await zoe.ask(GetRecord(DAILY, player), Record) == own
        # All see what they saw before, and so does Zoë of all.
        assert (await bob.ask(asked, Standings)).rows == ()
        for anybody in (bob, zoe):
            assert (await anybody.ask(GetStandings(DAILY), Standings)).rows == (row,)
        assert (await bob.ask(GetRecord(DAILY, ZOE.id), Refused)).code == "seat"
        assert (await bob.ask(GetRecord(DAILY, me.player), Refused)).code == "phase"
