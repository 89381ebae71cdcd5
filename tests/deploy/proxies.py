"""nginx and Caddy with the files of docs/proxy, on free ports and with a new certificate."""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.servers import reserved_port
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S

_PATH = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"
NGINX = shutil.which("nginx", path=_PATH)
CADDY = shutil.which("caddy", path=_PATH)


@dataclass(frozen=True)
class Proxy:
    port: int
    plain_port: int
    folder: Path

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"wss://127.0.0.1:{self.port}"

    def answers(self) -> list[int]:
        """The status of each request that has ended; Caddy writes 0 for a WebSocket."""
        text = (self.folder / "access.log").read_text()
        return [int(status) for status in re.findall(r'(?:^|"status":)(\d+)', text, re.MULTILINE)]

    async def answered(self, count: int, status: int) -> list[int]:
        """The same, once so many have this status; each is written when its connection ends."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                if (answers := self.answers()).count(status) >= count:
                    return answers
                await asyncio.sleep(0.05)


def certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1, and beside it its key."""
    made = folder / "fullchain.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=play.example"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", folder / "privkey.pem", "-out", made),
        ],
        check=True,
        capture_output=True,
    )
    return made


def substituted(text: str, instead: dict[str, str]) -> str:
    """The text with each of these replaced, which must occur once."""
    for old, new in instead.items():
        assert text.count(old) == 1, f"{text.count(old)} times in the file: {old}"
        text = text.replace(old, new)
    return text


@asynccontextmanager
async def nginx(folder: Path, servers: Sequence[int], login: int = 1) -> AsyncIterator[Proxy]:
    """nginx in front of two servers on these ports, with a certificate from ``certificate``.

    ``login``: the port of the bot.
    """
    assert NGINX is not None, "the tests are skipped without it"
    first, second = servers
    with ExitStack() as stack:
        port, plain = (stack.enter_context(reserved_port()) for _ in range(2))
        temporary = "\n".join(
            f"{name}_temp_path {folder / name};"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        proxy = Proxy(port, plain, folder)
        instead = {
            # Only root can use what belongs to the system.
            "user www-data;": "",
            "pid /run/nginx.pid;": f"pid {folder / 'nginx.pid'};",
            "error_log /var/log/nginx/error.log;": f"error_log {folder / 'error.log'};",
            "http {": f"http {{\n{temporary}\nlog_format status $status;",
            "access_log off;": f"access_log {folder / 'access.log'} status;",
            # Free ports; reuseport, because they are reserved for this test.
            "server 127.0.0.1:8765 ": f"server 127.0.0.1:{first} ",
            "server 127.0.0.1:8766 ": f"server 127.0.0.1:{second} ",
            "http://127.0.0.1:8767;": f"http://127.0.0.1:{login};",
            "listen 80;": f"listen 127.0.0.1:{plain} reuseport;",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2 reuseport;",
            "listen [::]:80;": "",
            "listen [::]:443 ssl http2;": "",
            "/etc/letsencrypt/live/play.example/fullchain.pem": f"{folder / 'fullchain.pem'}",
            "/etc/letsencrypt/live/play.example/privkey.pem": f"{folder / 'privkey.pem'}",
        }
        text = substituted((ROOT / "docs/proxy/nginx.conf").read_text(), instead)
        (folder / "nginx.conf").write_text(text)
        command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
        async with _running(command, port):
            yield proxy


@asynccontextmanager
async def caddy(folder: Path, servers: Sequence[int], login: int = 1) -> AsyncIterator[Proxy]:
    """The same with Caddy."""
    assert CADDY is not None, "the tests are skipped without it"
    with ExitStack() as stack:
        port, plain = (stack.enter_context(reserved_port()) for _ in range(2))
        proxy = Proxy(port, plain, folder)
        options = f"{{\nadmin off\nauto_https off\nhttp_port {plain}\nhttps_port {port}\n}}\n"
        site = f"https://127.0.0.1:{port} {{\n"
        tls = f"tls {folder / 'fullchain.pem'} {folder / 'privkey.pem'}\n"
        log = f"log {{\noutput file {folder / 'access.log'}\n}}\n"
        instead = {"{$BIGBEN_SITE:localhost} {\n": f"{options}{site}{tls}{log}"}
        text = substituted((ROOT / "docs/proxy/Caddyfile").read_text(), instead)
        (folder / "Caddyfile").write_text(text)
    # Caddy does not share its port with the reservation.
    command = [CADDY, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    upstreams = " ".join(f"127.0.0.1:{server}" for server in servers)
    bot = f"127.0.0.1:{login}"
    ports = {"BIGBEN_UPSTREAMS": upstreams, "BIGBEN_LOGIN": bot}
    async with _running(command, port, HOME=str(folder), **ports):
        yield proxy


@asynccontextmanager
async def _running(command: Sequence[str], port: int, **env: str) -> AsyncIterator[None]:
    """The program, from when it accepts connections."""
    process = await asyncio.create_subprocess_exec(*command, env={**os.environ, **env})
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await _answers(port):
                assert process.returncode is None, "it says why above"
                await asyncio.sleep(0.02)
        yield
    finally:
        process.terminate()
        await process.wait()


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True
