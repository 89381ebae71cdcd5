"""How much memory the embedded store may take of the machine's or the container's."""

import os
from pathlib import Path

import pytest
from tests.server.redis_processes import connected, no_redis_left_in

from bigben_server.storage.embedded import EmbeddedRedis
from bigben_server.storage.embedded.memory import allowed, share

MACHINE = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
MIB = 1 << 20
BY_THE_UNIT = "sys/fs/cgroup/system.slice/bigben.service/memory.max"
GROUPS = {
    "a machine without groups": ("", {}, MACHINE),
    "no limit": ("0::/a\n", {"sys/fs/cgroup/a/memory.max": "max\n"}, MACHINE),
    "a container": ("0::/\n", {"sys/fs/cgroup/memory.max": f"{300 * MIB}\n"}, 300 * MIB),
    "a container that sees the machine's names": (
        "0::/system.slice/docker-1.scope\n",
        {"sys/fs/cgroup/memory.max": f"{300 * MIB}\n"},
        300 * MIB,
    ),
    "a service": ("0::/system.slice/bigben.service\n", {BY_THE_UNIT: f"{200 * MIB}\n"}, 200 * MIB),
    "the group above it": (
        "0::/system.slice/bigben.service\n",
        {BY_THE_UNIT: "max\n", "sys/fs/cgroup/system.slice/memory.max": f"{100 * MIB}\n"},
        100 * MIB,
    ),
    "groups of version 1": (
        "5:cpu,cpuacct:/b\n4:memory:/b\n0::/\n",
        {"sys/fs/cgroup/memory/b/memory.limit_in_bytes": f"{400 * MIB}\n"},
        400 * MIB,
    ),
    "version 1 without a limit": (
        "4:memory:/b\n",
        {"sys/fs/cgroup/memory/b/memory.limit_in_bytes": "9223372036854771712\n"},
        MACHINE,
    ),
}


@pytest.mark.parametrize("case", GROUPS)
def test_the_smallest_limit_counts(tmp_path: Path, case: str) -> None:
    named, files, expected = GROUPS[case]
    for path, text in {"proc/self/cgroup": named, **files}.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert allowed(tmp_path) == expected


def test_a_system_without_control_groups_has_the_memory_of_the_machine(tmp_path: Path) -> None:
    assert allowed(tmp_path) == MACHINE


@pytest.mark.parametrize(
    ("limit", "taken"), [(256, 128), (512, 256), (1024, 512), (2048, 1536), (8192, 6144)]
)
def test_a_quarter_is_left_for_others_and_512_mib_but_at_most_half(limit: int, taken: int) -> None:
    assert share(limit * MIB) == taken * MIB


async def test_a_store_refuses_writes_before_the_system_kills_it(tmp_path: Path) -> None:
    with no_redis_left_in(tmp_path / "data") as folder:
        async with EmbeddedRedis(folder) as url:
            with connected(url) as redis:
                settings = redis.config_get("maxmemory*")
    assert settings["maxmemory"] == f"{share(allowed())}"
    assert settings["maxmemory-policy"] == "noeviction"
