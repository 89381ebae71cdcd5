"""Races of real games, played here at virtual times by house players who sometimes err."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from bigben_protocol import Create, Join, Move, Ready, Refused, SendNonce, Start
from bigben_rules import Position, nonce_hash
from bigben_rules.position import shows
from bigben_server.race import lobby, timers
from bigben_server.race.deciding import decide
from bigben_server.race.decisions import Reply, Request
from bigben_server.race.events import Append, Player, RoomAppend
from bigben_server.race.state import Race
from bigben_server.race.transitions import RaceMessage
from bigben_solver.players import PLAYERS, HousePlayer

NOON: Final = 1_795_262_400_000
LIMIT_MS: Final = 3_600_000
_UNDONE: Final = 0.02
"""How many moves are taken back at once."""
_HASTE_MS: Final = 150
_THOUGHT: Final = 7.9, 0.7
"""The logarithm of the ms that a move takes: two to three seconds, and now and then a long look."""


@dataclass(eq=False)
class Racing:
    """A race, and everything that a server writes of it, decision by decision."""

    race: Race
    now: int
    written: list[Sequence[Append]] = field(default_factory=list)

    def say(self, player: Player, message: RaceMessage) -> None:
        decided = decide(self.race, Request(message, player), self.now)
        for told in decided.reactions:
            assert not (isinstance(told, Reply) and isinstance(told.message, Refused)), told
        self.write(decided.appends)

    def write(self, appends: Sequence[Append]) -> None:
        if appends:
            self.written.append(appends)
            self.race.durable = self.race.event_count

    def tick(self) -> None:
        self.write(timers.tick(self.race, self.now))


def raced(game: str, players: Sequence[Player], chance: Random, at: int, *, moves: range) -> Racing:
    """A live race from its first event to its close, with games of so many moves."""
    wanted = Create(game, "standard", limit_ms=LIMIT_MS, undo=True)
    events = lobby.created(wanted, players[0], at, chance.randbytes)
    racing = Racing(Race(lobby.new_code(chance.randbytes), events), at)
    code = racing.race.id
    racing.write([RoomAppend(code, k, event) for k, event in enumerate(events, 1)])
    for player in players[1:]:
        racing.now += chance.randrange(1_000, 20_000)
        racing.say(player, Join(code))
    nonces = {player: chance.randbytes(32) for player in players}
    for player, nonce in nonces.items():
        racing.now += chance.randrange(1_000, 20_000)
        racing.say(player, Ready(code, nonce_hash=nonce_hash(code, player.id, nonce)))
    if len(players) == 1:
        racing.say(players[0], Start(code))
    for player, nonce in nonces.items():
        racing.now += chance.randrange(5, 100)
        racing.say(player, SendNonce(code, nonce.hex()))
    racing.tick()
    racing.now = racing.race.starts_at
    _play(racing, players, chance, moves)
    racing.tick()
    assert racing.race.ended, "all games are over"
    return racing


def _play(racing: Racing, players: Sequence[Player], chance: Random, moves: range) -> None:
    race, start = racing.race, racing.now
    planned: list[tuple[int, Player, str]] = []
    for player in players:
        play = race.seats[player.id].play
        assert play is not None, "the cards are dealt"
        line, ms = _line(race.game.name, play.positions[0], chance, moves), 0
        for move in line:
            ms += max(_HASTE_MS, int(chance.lognormvariate(*_THOUGHT)))
            planned.append((start + ms, player, move))
    for at, player, move in sorted(planned, key=lambda one: one[0]):
        racing.now = at
        seat = race.seats[player.id]
        if not seat.over:
            racing.say(player, Move(race.id, seat.status.moves + 1, move))


def _line(game: str, deal: Position, chance: Random, moves: range) -> list[str]:
    """The moves of one game, as many as they must be."""
    player = PLAYERS[game][:2][-1]
    while True:
        line = _tried(player, deal, chance, most=moves.stop)
        if len(line) in moves:
            return line


def _tried(player: HousePlayer, deal: Position, chance: Random, *, most: int) -> list[str]:
    """What a house player plays who sometimes does something else, or takes a move back."""
    errs = chance.uniform(0.03, 0.2)
    position, line = deal, list[str]()
    while len(line) < most and not (position.won or position.blocked):
        plan = player.plan(position, chance)
        for planned in plan:
            err = chance.random() < errs
            move = chance.choice(position.legal_moves()) if err else planned
            before = position
            line.append(before.format(move))
            position, steps = before.apply(move)
            undone = not shows(steps) and chance.random() < _UNDONE
            if undone:
                line.append("undo")
                position = before
            if err or undone or position.won:
                break
        if not plan:
            break
    return line if position.won else [*line, "resign"]
