"""Plays races as a server would, without one: real deals, house players' moves, people's clocks."""

from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from bigben_protocol import Join, PlayerId, RaceId, Ready, Rules, SendNonce
from bigben_rules import Position, nonce_hash
from bigben_server.race import timers
from bigben_server.race.daily import daily_named
from bigben_server.race.daily import opened as opened_daily
from bigben_server.race.deciding import decide
from bigben_server.race.decisions import Request
from bigben_server.race.events import Append, Opened, Player, RoomAppend
from bigben_server.race.game import Seat
from bigben_server.race.state import Race
from bigben_server.thinking.deals import as_chosen
from bigben_solver.choosing import NODES, choose, written
from bigben_solver.players import PLAYERS
from bigben_solver.solving import solve

BEGINS: Final = 1_767_225_600_000
"""2026-01-01, the day on which everything is played here."""
_DAY_MS: Final = 86_400_000
_LIMIT_MS: Final = 3_600_000
_USUAL_MS: Final = 2_000
"""A usual move of a person; the first of a plan takes longer."""
_WINS: Final = 0.15
"""So many players find the line that wins. The others play as the house players do."""
_WHIM: Final = 0.05
"""So often they play something else, so that no two games are the same."""
_TRIES: Final = 2
"""Of as many games the longest is taken: people do not give up as soon as house players."""
_STRENGTHS: Final = ("beginner", "casual")
"""They think least, and play no fewer moves than others."""


class Played(NamedTuple):
    """A race that is over, and everything that a server would have written of it, in order."""

    race: Race
    appends: list[Append]


def daily(game: str, seats: int, chance: Random) -> Played:
    """A daily of this many players."""
    first = daily_named(f"daily.2026-01-01.{game}.standard", BEGINS)
    opened = opened_daily(first, chance.randbytes(32))
    found = choose(bytes.fromhex(opened.server_seed), game, "standard")
    assert found, "one of the first thousand deals can be won"
    opened = replace(opened, chosen=as_chosen(found))
    race = _Playing(Race(RaceId(first.id), [opened]), chance)
    for n in range(seats):
        player = _player(n)
        now = BEGINS + chance.randrange(_DAY_MS - 2 * _LIMIT_MS)
        race.ask(player, Join(race.race.id), now)
        race.ask(player, Ready(race.race.id), now + chance.randrange(5_000))
        race.play(player)
    return race.closed(BEGINS + _DAY_MS)


def room(game: str, seats: int, chance: Random) -> Played:
    """A live race of this many players, who all promise a nonce."""
    now = BEGINS + chance.randrange(_DAY_MS // 2)
    rules = Rules(game, limit_ms=_LIMIT_MS, spectate=chance.random() < 0.9)
    players = [_player(n) for n in range(seats)]
    opened = Opened("live", rules, chance.randbytes(32).hex(), now, players[0].id)
    race = _Playing(Race(RaceId("TMPLTE"), [opened]), chance)
    nonces = {player: chance.randbytes(32) for player in players}
    for player in players:
        now += chance.randrange(20_000)
        race.ask(player, Join(race.race.id), now)
    for player, nonce in nonces.items():
        now += chance.randrange(10_000)
        promised = nonce_hash(race.race.id, player.id, nonce)
        race.ask(player, Ready(race.race.id, nonce_hash=promised), now)
    for player, nonce in nonces.items():
        now += chance.randrange(100)
        race.ask(player, SendNonce(race.race.id, nonce.hex()), now)
    for player in players:
        race.play(player)
    ends = (seat.status.begun_at + seat.status.ms for seat in race.race.seats.values())
    return race.closed(max(ends))


def _player(n: int) -> Player:
    """A player who is replaced by another one in each copy; see ``copies.py``."""
    return Player(PlayerId(f"guest:player-{n:04}-"), f"Name-{n:04}-")


class _Playing:
    """A race that goes on."""

    def __init__(self, race: Race, chance: Random) -> None:
        self.race = race
        self._appends: list[Append] = [RoomAppend(race.id, 1, race.opened)]
        self._chance = chance

    def ask(self, player: Player, message: Join | Ready | SendNonce, now: int) -> None:
        self._appends += decide(self.race, Request(message, player), now).appends
        self.race.durable = self.race.event_count

    def play(self, player: Player) -> None:
        """Play the seat to its end."""
        seat = self.race.seats[player.id]
        assert seat.play is not None, "its clock runs"
        moves, now = self._moves(seat), seat.status.begun_at
        for word, plans in moves:
            if seat.over:
                return
            wait = self._chance.lognormvariate(0, 0.45) * _USUAL_MS * (1.8 if plans else 1)
            now += max(250, int(wait))
            if now >= self.race.ends_at(seat):
                self._appends.append(self.race.stop(seat))
                return
            self._appends.append(self.race.play(seat, word, now))
        if not seat.over:
            self._appends.append(self.race.play(seat, "resign", now + 5_000))

    def _moves(self, seat: Seat) -> list[tuple[str, bool]]:
        """The moves, as they are typed, and whether each begins a plan."""
        assert seat.play is not None, "its clock runs"
        dealt, game = seat.play.positions.last, self.race.opened.rules.game
        if self._chance.random() < _WINS:
            found = solve(dealt, nodes=NODES)
            if found.result == "won":
                return [(word, self._chance.random() < 0.3) for word in written(dealt, found.moves)]
        return max((_planned(dealt, game, self._chance) for _ in range(_TRIES)), key=len)

    def closed(self, now: int) -> Played:
        """After the end of its time, or of its last seat."""
        while not self.race.ended:
            self._appends += timers.tick(self.race, now)
            self.race.durable = self.race.event_count
        return Played(self.race, self._appends)


def _planned(position: Position, game: str, chance: Random) -> list[tuple[str, bool]]:
    players = [one for one in PLAYERS[game] if one.key in _STRENGTHS]
    player, moves = chance.choice(players), list[tuple[str, bool]]()
    while not position.won and (plan := player.plan(position, chance)):
        if chance.random() < _WHIM * len(plan):
            plan = (chance.choice(position.legal_moves()),)
        for number, move in enumerate(plan):
            moves.append((position.format(move), not number))
            position, _ = position.apply(move)
    return moves
