"""Every connection is an open file of the server."""

import resource
from pathlib import Path

from tests.processes.playing import serving
from tests.wire.peer import race_to_the_end


async def test_a_server_may_open_as_many_files_as_the_machine_allows(tmp_path: Path) -> None:
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most // 2, most))
    try:
        async with serving(tmp_path / "data") as server:
            assert resource.prlimit(server.pid, resource.RLIMIT_NOFILE) == (most, most)
            await race_to_the_end(server.url)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (usual, most))
