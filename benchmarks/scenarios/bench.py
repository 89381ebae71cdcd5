"""What all scenarios share: the servers to start, and how much to measure."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from benchmarks.peers.peer import Peer
from benchmarks.peers.start import OURS, started


@dataclass(frozen=True)
class Bench:
    """The options of one run of the benchmark."""

    folder: Path
    """For the data of the servers."""
    peers: Sequence[str]
    pythons: Mapping[str, str]
    """Interpreters with a race server installed, by a label for the report."""
    rounds: int = 5
    connections: int | None = None
    seconds: float | None = None
    games: int | None = None
    """These three replace the numbers of a load."""
    followers: Sequence[int] = (10, 1_000, 5_000)
    idle: int = 10_000
    """How many idle connections there are beside players."""
    results: int = 1_000_000
    """How many results are in a large Redis."""
    loads: Sequence[str] = ()
    """What several workers carry."""
    _numbers: Iterator[int] = field(default_factory=count)

    @contextmanager
    def servers(self, names: Sequence[str]) -> Iterator[list[Peer]]:
        """Fresh servers of the peers with these names."""
        with started(names, self.pythons, self.fresh_folder()) as peers:
            yield peers

    def fresh_folder(self) -> Path:
        """A folder for data that nobody uses yet."""
        return self.folder / str(next(self._numbers))

    @property
    def ours(self) -> Sequence[str]:
        """The race server among the peers, by its subprotocols."""
        return [name for name in self.peers if name in OURS]


def note(text: str) -> None:
    """Print the progress of the benchmark to standard error."""
    print(text, file=sys.stderr, flush=True)
