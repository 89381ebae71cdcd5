"""How much memory there is here, what of it the store may take, and why a signal killed it."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

_LEAST_LEFT: Final = 512 << 20
_LIKELY: Final = {
    "SIGKILL": "most likely by the system, because memory was full",
    "SIGTERM": "by somebody, or by what manages services here",
    "SIGXFSZ": "because a file may not grow further (`ulimit -f`)",
}
_A_BUG: Final = "probably after a mistake of its own, which its log reports"


def allowed(root: Path = Path("/")) -> int:
    """The bytes that all processes here may have together: of the machine, or of a container."""
    return min(_limits(root))


def _limits(root: Path) -> Iterator[int]:
    """The machine's memory, and the limits of the control groups that this process is in."""
    yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError):  # only Linux has control groups
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, kinds, name = line.split(":", 2)
            if not kinds:
                folder, file = root / "sys/fs/cgroup", "memory.max"
            elif "memory" in kinds.split(","):
                folder, file = root / "sys/fs/cgroup/memory", "memory.limit_in_bytes"
            else:
                continue
            # In a container its own group is the first folder, whatever the name says.
            path = PurePosixPath(name.lstrip("/"))
            for group in (path, *path.parents):
                with suppress(OSError, ValueError):  # it is not there, or says "max"
                    yield int((folder / group / file).read_text())


def share(limit: int) -> int:
    """What the store may take of ``limit`` bytes of memory: a server and the system need the rest.

    A quarter is left for them, at least 512 MiB, but never more than half.
    """
    return limit - min(max(limit // 4, _LEAST_LEFT), limit // 2)


def why_killed(number: int, folder: Path) -> str:
    """Which signal ended the store, the likely reason, and the figures to judge it."""
    name = signal.Signals(number).name
    likely = _LIKELY.get(name, _A_BUG)
    found = [*folder.glob("appendonly.aof"), *folder.glob("appendonlydir/*")]
    files = sum(file.stat().st_size for file in found)
    limit = allowed()
    return (
        f"it was killed by {name}, {likely}; "
        f"its files have {_size(files)}, and it may use {_size(share(limit))} of the"
        f" {_size(limit)} of memory here{_free()}"
    )


def _free() -> str:
    """How much of the machine's memory is free, as far as it says."""
    with suppress(OSError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return f", of which {_size(int(line.split()[1]) << 10)} are free now"
    return ""


def _size(size: int) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 1 << 30 else f"{size / 2**20:.0f} MiB"
