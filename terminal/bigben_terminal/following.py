"""Follows one race: keeps what the server says of it, and shows it to the player or the watcher."""

import asyncio

from bigben_client import Back, Client, Event, Lost
from bigben_client.errors import said_of
from bigben_protocol import (
    Announcement,
    ChallengeInfo,
    Challenges,
    Cheers,
    Diff,
    GameInfo,
    PlayerId,
    Progress,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Standing,
    Standings,
    View,
)
from bigben_terminal.after_race import finished, played_games
from bigben_terminal.display import challenges, race_text
from bigben_terminal.display.faces import printable
from bigben_terminal.display.race_screen import RaceScreen
from bigben_terminal.display.screen import Screen
from bigben_terminal.finishing import next_home
from bigben_terminal.ghosts import Ghosts
from bigben_terminal.language import in_words, say
from bigben_terminal.local_files.evidence import Evidence


class Following:
    """The current race of a terminal; a rematch changes it."""

    def __init__(
        self,
        client: Client,
        screen: Screen,
        room: Room,
        game: GameInfo,
        evidence: Evidence,
        *,
        friends: str,
        plain: bool,
    ) -> None:
        """``game`` is the room's; ``friends``: the options with which friends join."""
        self.room = room
        self.screen = RaceScreen(screen, game, client.player, plain=plain)
        self._client = client
        self._lines = screen
        self._evidence = evidence
        self._friends = friends
        self._ghosts = Ghosts(client)
        self._standings: dict[PlayerId, Standing] = {}
        self._shown = -1
        """The number of the move after which the board was last shown."""
        self._ended = False
        """Whether the sentences after the player's own game were shown."""
        self._can_finish = False
        """Whether ``finish`` was offered after the last move."""
        self._closed = False
        """Whether the places at the end were shown."""
        self._seed = ""
        """The Reveal, once it has come."""
        self._announced = Announcement("")
        self._challenges = Challenges()
        """The latest, of which nothing is said while the player plays."""
        self._told: set[tuple[str, str]] = set()
        """The challenges of which something was said, and in which state."""
        self._changed = asyncio.Event()

    @property
    def race(self) -> str:
        """The race's id."""
        return self.room.race

    @property
    def seated(self) -> bool:
        """Whether the player has a seat; otherwise they are watching."""
        return any(seat.player == self._client.player for seat in self.room.seats)

    @property
    def view(self) -> View | None:
        """The player's own game, once there are cards."""
        return self._client.views.get(self.race)

    async def until_cards(self) -> None:
        """Wait for the first sight of the cards."""
        while self.view is None:
            self._changed.clear()
            await self._changed.wait()

    async def run(self) -> None:
        """Show what the server says until cancelled. Raises ClientClosed."""
        ticking = asyncio.create_task(self._tick())
        try:
            async for message in self._client.events():
                self._hear(message)
                self._evidence.write_down(self.race)
                self._changed.set()
                await self._hear_slowly(message)
        finally:
            ticking.cancel()

    # What the server says

    def _hear(self, message: Event) -> None:
        if getattr(message, "race", self.race) != self.race:
            return
        match message:
            case Room():
                self._hear_room(message)
            case Snapshot():
                self._show_snapshot()
            case Diff():
                self.show_diff(message)
            case Progress():
                self._hear_progress(message)
            case Reveal() if message.seed != self._seed:  # sent again after a reconnect
                self._seed = message.seed
                self.say(say("says.seed", seed=message.seed))
            case Refused():
                self.say(in_words([said_of(message)]))
            case Announcement() if message != self._announced:  # sent again after a reconnect
                self._announced = message
                if message.text:
                    self.say(say("says.announced", said=printable(message.text)))
            case Cheers():
                self.say(*race_text.of_cheers(message, self._standings, self._client.player))
            case Challenges():
                self._challenges = message
                if not (self.view and self.view.state == "playing"):
                    self._tell_challenges()
            case Lost():
                self.say(say("says.lost"))
            case Back():
                self.say(say("says.back"))
            case _:
                pass  # answers to another client of this player

    async def _hear_slowly(self, message: Event) -> None:
        """What needs another answer of the server."""
        view = self.view
        match message:
            case Snapshot() | Diff() if view and message.race == self.race:
                if view.state in race_text.OVER and not self._ended:
                    self._ended = True
                    self.say(*await finished(self._client, self.room))
                    self._tell_challenges()
                elif view.state == "playing" and self.room.kind == "deadline":
                    await self._ghosts.fetch(self.race)
            # The broadcast may have been replaced by an answer that came after it. One that came
            # before it has no closed room yet, and the broadcast follows.
            case Standings() if message.final and self._closes(message):
                self._closed = True
                self.show_standings(message)
                self.say(
                    *race_text.par(self._client.rooms[self.race], message, self._client.player)
                )
                self.say(*await self._evidence.verdict(self.race))
                if not self.seated:
                    await self.show_final_boards(message)
            case _:
                pass

    def _tell_challenges(self) -> None:
        """Say once that a challenge has come, and what became of one."""
        for one in self._challenges.received:
            self._tell_challenge(one, received=True)
        for one in self._challenges.sent:
            self._tell_challenge(one, received=False)

    def _tell_challenge(self, one: ChallengeInfo, *, received: bool) -> None:
        if (one.id, one.state) not in self._told and one.race != self.race:
            self._told.add((one.id, one.state))
            self.say(*challenges.news(one, self._friends, received=received))

    def _closes(self, standings: Standings) -> bool:
        room = self._client.rooms.get(self.race)
        closed = room is not None and room.phase == "closed"
        return closed and standings.race == self.race and not self._closed

    def _hear_room(self, room: Room) -> None:
        self.say(*race_text.of_room(self.room, room, self._client.player))
        self.room = room
        self._count(room.seats)

    def _hear_progress(self, progress: Progress) -> None:
        before, me, total = self._standings, self._client.player, self.screen.game.total
        ends, others = race_text.of_progress(before, progress.seats, me, total)
        self._count(progress.seats)
        # For a player a status line, if there is one, shows the rest.
        self.say(*ends, *([] if self._lines.editing and self.seated else others))

    def _count(self, seats: tuple[Standing, ...]) -> None:
        self._standings.update((seat.player, seat) for seat in seats)
        self._show_status()

    def _show_status(self) -> None:
        view = self.view
        playing = view is not None and view.state == "playing" and view.begun_at
        ghosts = self._ghosts.at(self._client.now_at() - view.begun_at) if view and playing else {}
        self._lines.status(
            race_text.status(
                self._standings.values(), self._client.player, self.screen.faces, ghosts=ghosts
            )
        )

    async def _tick(self) -> None:
        """Let the ghosts race along."""
        while True:
            await asyncio.sleep(1)
            if self._ghosts.found:
                self._show_status()

    # What is shown

    def greet(self) -> None:
        """Say which race this is, who is here, and what to do."""
        room, me = self.room, self._client.player
        self.say(race_text.heading(room, self.screen.faces.dot))
        if room.counter:
            self.say(say("race.dealt_again"))
        self.say(*race_text.lobby(room, me))
        self.say(*race_text.invitation(room, me, self._friends))
        self.say(*race_text.grace(room))
        self.say(*self._evidence.at_first(self.race))
        self._count(room.seats)
        if self.view is None and room.kind != "practice":
            self.say(race_text.what_next(room, me), *race_text.instead(room, self._friends))

    def enter(self, room: Room) -> None:
        """Follow this race from now on: a rematch."""
        self.room, self._standings, self._shown = room, {}, -1
        self._ended = self._closed = False
        self.greet()

    def show_diff(self, diff: Diff) -> None:
        """Show what a move has changed, once."""
        view = self.view
        # A diff comes twice, as an answer and as an event, and a later one may be here already.
        if view is None or diff.n <= self._shown or diff.race != self.race:
            return
        self._shown = diff.n
        self.screen.move(diff.move, diff.steps, view)
        self._say_state(view)

    def draw(self, view: View) -> None:
        """Show the whole board."""
        self._shown = view.n
        self.screen.position(view)

    def show_standings(self, standings: Standings) -> None:
        """Show how far everybody is, or the places at the end."""
        self.screen.standings(standings)
        if standings.final and self.seated and self.room.kind == "live":
            self.say(say("end.rematch"))

    async def show_final_boards(self, standings: Standings) -> None:
        """Show the last board of the best players of a closed race."""
        for standing, views in await played_games(self._client, standings, self.screen.game):
            self.screen.final(standing, views[-1])

    def _show_snapshot(self) -> None:
        view = self.view
        if view and view.n != self._shown:
            self.draw(view)
            self._say_state(view)

    def _say_state(self, view: View) -> None:
        game = self.screen.game
        self.say(*race_text.of_end(view, game.total))
        can_finish = bool(next_home(game, self.room.rules, view))
        if can_finish and not self._can_finish:
            self.say(say("hints.finish"))
        self._can_finish = can_finish

    def say(self, *lines: str) -> None:
        """Print lines."""
        self.screen.say(*lines)
