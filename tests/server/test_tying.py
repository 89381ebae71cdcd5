"""Who may be tied, and how little is read to know it."""

from tests.server.guests import SECRET
from tests.server.test_two_processes import DAILY, arrive, two
from tests.support.times import DAY, NOON

from bigben_protocol import (
    Create,
    Diff,
    Join,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Refused,
    Room,
    Snapshot,
    Tie,
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
        await Tying(store, settler, lambda: NOON).tie(me.player, ZOE)
        assert set(store.read) <= {theirs}
