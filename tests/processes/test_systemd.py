"""What a server tells systemd: that it serves, and then again and again that it goes on."""

import asyncio
import socket
from pathlib import Path

import pytest
from tests.processes.playing import serving
from tests.support.patience import PATIENCE_S


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_systemd_hears_when_a_server_serves_and_that_it_goes_on(
    tmp_path: Path, workers: str
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        heard: list[str] = []

        async def until(said: str) -> None:
            async with asyncio.timeout(PATIENCE_S):
                while not heard or heard[-1] != said:
                    message = await asyncio.get_running_loop().sock_recv(systemd, 100)
                    heard.append(message.decode())

        env = {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        async with serving(tmp_path / "data", "--workers", workers, env=env):
            await until("READY=1")
            await until("WATCHDOG=1")
    assert set(heard) == {"READY=1", "WATCHDOG=1"}
