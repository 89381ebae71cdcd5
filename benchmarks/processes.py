"""What Linux says about processes: their CPU time, memory and cores."""

import os
from pathlib import Path
from typing import Final

_ALLOWED: Final = frozenset(os.sched_getaffinity(0))
"""The cores of this process before it was pinned to one."""


def cpu_ns(pid: int) -> int:
    """The time that all threads of a process have been on a core."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)


def memory(pid: int) -> int:
    """The resident memory of a process in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def pin(pid: int, core: int) -> None:
    """Let a process and all its threads run on this core only."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})


def cores() -> tuple[int, int]:
    """A core for servers, and one for the driver and Redis; the same if there is only one."""
    first, *others = sorted(_ALLOWED)
    return first, others[0] if others else first
