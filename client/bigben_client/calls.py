"""The requests that a front end can make: one method for each."""

import asyncio
from collections.abc import Sequence

import msgspec

from bigben_client.asking import Asking
from bigben_client.errors import RefusedError, refused_here
from bigben_client.evidence.fairness import Finding, check
from bigben_client.evidence.kept import with_deal
from bigben_protocol import (
    HOUSE_PLAYERS,
    AddHouse,
    Alike,
    Analysis,
    AnswerChallenge,
    By,
    Challenge,
    Challenges,
    Change,
    ChangeSeason,
    Cheer,
    Cheers,
    Create,
    CreateGroup,
    Curves,
    DeleteSeason,
    Diff,
    Explain,
    Games,
    GetAlike,
    GetAnalysis,
    GetChallenges,
    GetCurves,
    GetGames,
    GetGroups,
    GetHint,
    GetLeaderboard,
    GetLink,
    GetProfile,
    GetRaces,
    GetRecord,
    GetSeason,
    GetSeasons,
    GetStandings,
    Groups,
    Hint,
    Join,
    JoinGroup,
    Leaderboard,
    Leave,
    LeaveGroup,
    Left,
    Link,
    LoggedOut,
    LogOut,
    MakeSeason,
    Period,
    Plan,
    Pong,
    Profile,
    Races,
    Ready,
    Reason,
    Record,
    Rematch,
    RemoveHouse,
    Room,
    Season,
    Seasons,
    SetWebhook,
    Standings,
    Start,
    Tie,
    Tied,
    Unready,
    Watch,
    Webhook,
)
from bigben_protocol.sentence import sentence


class Calls(Asking):
    """Each call waits for its answer, also across lost connections.

    It raises RefusedError if the server refuses, and ClientClosed if the client is closed.
    """

    # Races, by ``Room.race``

    async def create(
        self,
        *,
        game: str = "bigben",
        rules: str = "standard",
        limit_ms: int = 3_600_000,
        undo: bool = False,
        invite_only: bool = False,
        practice: bool = False,
        seed: str = "",
        spectate: bool = True,
        grace_ms: int = 120_000,
        deadline_at: int = 0,
        daily: str = "",
        winnable: bool = False,
        grade: str = "",
    ) -> Room:
        """Open a room or a practice game; the fields are those of Create.

        If the connection breaks before the answer, an empty room may be left.
        """
        create = Create(
            game,
            rules,
            limit_ms,
            undo,
            invite_only,
            practice,
            seed,
            spectate=spectate,
            grace_ms=grace_ms,
            deadline_at=deadline_at,
            daily=daily,
            winnable=winnable,
            grade=grade,
        )
        return await self._ask(create, Room)

    async def join(self, race: str) -> Room:
        """Take a seat or return to it; ``daily`` is today's race."""
        return await self._ask(Join(race), Room)

    async def watch(self, race: str) -> Room:
        """Follow a race without a seat."""
        return await self._ask(Watch(race), Room)

    async def leave(self, race: str) -> None:
        """Stop following a race; before the start, also give up the seat."""
        await self._ask(Leave(race), Left)

    async def ready(self, race: str) -> Room:
        """Live: be ready for the countdown. Daily, practice: show the cards, start the clock."""
        room, player = self._reconnector.session.rooms.get(race), self._reconnector.session.player
        if player in HOUSE_PLAYERS or (room and room.kind != "live"):
            return await self._ask(Ready(race), Room)
        if promised := self._promise(race):
            return await self._ask(Ready(race, nonce_hash=promised), Room)
        return await self._ask(Ready(race, self._nonce(race)), Room)

    async def unready(self, race: str) -> Room:
        """Take ``ready`` back before the countdown."""
        return await self._ask(Unready(race), Room)

    async def start(self, race: str) -> Room:
        """Start the countdown, as the host, also alone. Seats that are not ready are lost."""
        return await self._ask(Start(race), Room)

    async def add_house(self, race: str, strength: str) -> Room:
        """Give the house player of this strength a seat before the start, as the host."""
        return await self._ask(AddHouse(race, strength), Room)

    async def cheer(self, race: str, cheer: str) -> Cheers:
        """Say one of ``CHEERS`` to all who follow the race, if ``cheers`` says that you can.

        It then comes as an event, to you too. At most once in three seconds.
        """
        return await self._ask(Cheer(race, cheer), Cheers)

    async def remove_house(self, race: str, strength: str) -> Room:
        """Take it out again before the start, as the host."""
        return await self._ask(RemoveHouse(race, strength), Room)

    async def rematch(self, race: str) -> Room:
        """The room that follows this race, once your own game is over. The first call opens it."""
        return await self._ask(Rematch(race), Room)

    async def move(self, race: str, text: str, *, after: int | None = None) -> Diff:
        """Play a move. It is durable when this returns.

        The client sends it after every earlier move of this race is answered. With ``after`` it
        belongs to the position after that number of moves: in any other it raises RefusedError
        with the code ``conflict``, and is not played. If the call is cancelled or fails, the move
        may have been played, but only if it was sent before; it is not sent any more.
        """
        session = self._reconnector.session
        return await self._answered(lambda t: session.move(t, race, text, after), Diff)

    # Challenges

    async def challenge(
        self, player: str, *, game: str = "bigben", rules: str = "standard"
    ) -> Challenges:
        """Challenge a player to a live race; they have a day to answer."""
        return await self._ask(Challenge(player, game, rules), Challenges)

    async def answer_challenge(self, challenge: str, *, accept: bool) -> Challenges:
        """Accept or decline. The answer has the code of the room that was opened, to join."""
        return await self._ask(AnswerChallenge(challenge, accept), Challenges)

    async def challenges(self) -> Challenges:
        """The challenges that the player has received and sent."""
        return await self._ask(GetChallenges(), Challenges)

    # Results

    async def standings(self, race: str, *, start: int = 0, only: Sequence[str] = ()) -> Standings:
        """Up to a hundred places after the first ``start``, or those of the players in ``only``."""
        return await self._ask(GetStandings(race, start=start, only=tuple(only)), Standings)

    async def standings_and_own(self, race: str) -> Standings:
        """The best hundred places, and the player's own place if it is not among them."""
        best, me = await self.standings(race), self._reconnector.session.player
        if len(best.rows) == best.players or any(row.player == me for row in best.rows):
            return best
        own = await self.standings(race, only=[me])
        return msgspec.structs.replace(best, rows=best.rows + own.rows)

    async def all_standings(self, race: str) -> Standings:
        """Every place of a closed race."""
        page = await self.standings(race)
        rows = page.rows
        while page.rows and len(rows) < page.players:
            page = await self.standings(race, start=len(rows))
            rows += page.rows
        return msgspec.structs.replace(page, rows=rows)

    async def record(self, race: str, player: str = "") -> Record:
        """Every move of a seat; of the player's own if ``player`` is empty."""
        return await self._ask(GetRecord(race, player), Record)

    async def check(self, race: str, *, patience: float = 10.0) -> tuple[Finding, ...]:
        """Compare the end of a closed race with what was kept of it. Empty if nothing was kept.

        ``patience`` is how many seconds to wait for the Reveal, which the server sends by itself.
        Raises RefusedError while the race is not closed.
        """
        session = self._reconnector.session
        kept = session.kept.get(race)
        if kept is None or kept.player != session.player:
            return ()
        followed = race in session.rooms
        room = session.rooms[race] if followed else await self.watch(race)
        try:
            if room.phase != "closed":
                raise RefusedError(refused_here("phase", "client.not_closed", race))
            if kept.shown and kept.deal is None:
                await self.games()
                kept = with_deal(kept, session.deals.get(kept.rules.game))
            async with asyncio.timeout(patience):
                reveal = await self._reveal(race)
            return check(kept, room, reveal, await self.record(race))
        except TimeoutError:
            return (Finding("server seed", None, sentence("client.not_revealed")),)
        finally:
            if not followed:
                await self.leave(race)

    async def leaderboard(
        self,
        *,
        date: str = "",
        game: str = "bigben",
        rules: str = "standard",
        start: int = 0,
        count: int = 20,
        period: Period = "daily",
        by: By = "points",
        group: str = "",
        around: bool = False,
    ) -> Leaderboard:
        """A page of a board; the fields are those of GetLeaderboard."""
        wanted = GetLeaderboard(
            date, game, rules, start, count, period=period, by=by, group=group, around=around
        )
        return await self._ask(wanted, Leaderboard)

    async def profile(self, player: str = "", *, against: str = "") -> Profile:
        """Streaks, records and ratings; the player's own if ``player`` is empty."""
        return await self._ask(GetProfile(player, against), Profile)

    # Groups of friends

    async def groups(self) -> Groups:
        """The player's groups."""
        return await self._ask(GetGroups(), Groups)

    async def create_group(self, name: str) -> Groups:
        """Make a group; its code is in the answer."""
        return await self._ask(CreateGroup(name), Groups)

    async def join_group(self, code: str) -> Groups:
        """Join a group."""
        return await self._ask(JoinGroup(code), Groups)

    async def leave_group(self, group: str) -> Groups:
        """Leave a group."""
        return await self._ask(LeaveGroup(group), Groups)

    # Seasons of groups

    async def seasons(self) -> Seasons:
        """The seasons of the player's groups, and those that the player organises or races in."""
        return await self._ask(GetSeasons(), Seasons)

    async def season(self, season: str) -> Season:
        """A season: its weeks, its table and its changes."""
        return await self._ask(GetSeason(season), Season)

    async def make_season(self, group: str, plan: Plan) -> Season:
        """Make a season of a group, whose organiser the player is then."""
        return await self._ask(MakeSeason(group, plan), Season)

    async def change_season(self, season: str, change: Change) -> Season:
        """Change a season as an organiser, or leave it as any member."""
        return await self._ask(ChangeSeason(season, change), Season)

    async def delete_season(self, season: str) -> Seasons:
        """Delete a season for good, as an organiser."""
        return await self._ask(DeleteSeason(season), Seasons)

    async def alike(self, season: str) -> Alike:
        """Which attempts of a season are suspiciously alike, for its organisers."""
        return await self._ask(GetAlike(season), Alike)

    async def set_webhook(self, season: str, url: str) -> Webhook:
        """Have a season's news sent to ``url``, as an organiser; the secret is told only now."""
        return await self._ask(SetWebhook(season, url), Webhook)

    # Other front ends

    async def link(self) -> Link:
        """A one-time token with which this player continues on another front end."""
        return await self._ask(GetLink(), Link)

    async def tie(self, token: str) -> Tied:
        """Tie the player of this token to this player for good. Ask the player first.

        Only a player who is no guest can. The token is a guest's, or a one-time link of any player.
        A guest's tokens are refused from then on; those of another platform are this player's.
        """
        return await self._ask(Tie(token), Tied)

    async def log_out(self) -> None:
        """Log out everywhere: no token of this player that was issued before holds any more.

        This connection stays, but if it breaks the client can't come back.
        """
        await self._ask(LogOut(), LoggedOut)

    async def races(self) -> Races:
        """The races that the player has a seat in and that are not closed."""
        return await self._ask(GetRaces(), Races)

    async def curves(self, race: str, *players: str) -> Curves:
        """How the cards of these finished seats came home; of the best twelve without players."""
        return await self._ask(GetCurves(race, players), Curves)

    async def analysis(self, race: str, *players: str) -> Analysis:
        """How these seats of a closed race were played; without players your own and the best.

        It may take minutes the first time. ``analysing`` says how far it is.
        """
        return await self._ask(GetAnalysis(race, players), Analysis)

    async def explain(self, race: str, source: str, target: str = "") -> Reason:
        """Why the top card of a pile can't move, or not to ``target``."""
        return await self._ask(Explain(race, source, target), Reason)

    async def hint(self, race: str, n: int, player: str = "") -> Hint:
        """The best move after move ``n``: in your practice now, or of a seat in a closed race."""
        return await self._ask(GetHint(race, n, player), Hint)

    # The games

    async def games(self) -> Games:
        """The games of this server: their rules by name, their layout, how moves are typed."""
        return await self._ask(GetGames(), Games)

    # The clock

    async def ping(self) -> int:
        """Measure the round trip in ms; this also makes ``now_at`` more exact."""
        sent = self._reconnector.dialling.clock_ms()
        pong = await self._answered(self._reconnector.session.ping, Pong)
        received = self._reconnector.dialling.clock_ms()
        self._reconnector.clock.sample(sent=sent, received=received, now_at=pong.now_at)
        return received - sent
