"""Many players at once, and how long each waited for its answers."""

import select
from collections.abc import Sequence
from time import perf_counter
from typing import Final

from benchmarks.driver.players import Player

PATIENCE_S: Final = 60.0


class Silent(RuntimeError):
    """A server does not answer."""


class Crowd:
    """Reads for all players, of whom some may only listen."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self.waits: list[float] = []
        """The seconds from each move to its answer."""
        self._by_file = {player.connection.fileno(): player for player in players}
        self._epoll = select.epoll()
        for file in self._by_file:
            self._epoll.register(file, select.EPOLLIN)

    def move(self, player: Player) -> bool:
        """Send the player's next move. False if there is none."""
        move = player.next_move()
        if move is None:
            return False
        player.sent_at = perf_counter()
        player.connection.send(move)
        return True

    def poll(self, timeout: float) -> list[Player]:
        """Read what comes before the timeout. Return players whose moves are answered."""
        answered = []
        for file, _ in self._epoll.poll(timeout):
            player = self._by_file[file]
            for payload in player.connection.read():
                if player.is_answer(payload):
                    self.waits.append(perf_counter() - player.sent_at)
                    player.sent_at = 0.0
                    answered.append(player)
        return answered

    def listen(self, seconds: float) -> None:
        """Read for so long, and send no move."""
        until = perf_counter() + seconds
        while (left := until - perf_counter()) > 0:
            self.poll(left)

    def settle(self) -> None:
        """Wait for the answers to all moves under way. Raises Silent."""
        until = perf_counter() + PATIENCE_S
        while any(player.sent_at for player in self.players):
            if perf_counter() > until:
                raise Silent(f"no answer for {PATIENCE_S:.0f} seconds")
            self.poll(0.1)

    def bytes(self) -> tuple[int, int]:
        """All that has been sent and received."""
        connections = [player.connection for player in self.players]
        return (
            sum(connection.sent_bytes for connection in connections),
            sum(connection.received_bytes for connection in connections),
        )

    def close(self) -> None:
        """Close all connections."""
        self._epoll.close()
        for player in self.players:
            player.connection.close()
