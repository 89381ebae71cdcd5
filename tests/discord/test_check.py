"""``bigben-discord check`` says of each step of docs/discord.md whether it was taken."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
from aiohttp import web
from tests.deploy.proxies import certificate
from tests.discord.running import KEY, SECRET, bot_on, settings_for
from tests.discord.standin.server import Discord
from tests.discord.test_cli import right_settings, started
from tests.support.server_process import ServerProcess, serving

from bigben_discord.bot import BigBen
from bigben_discord.config import Settings
from bigben_discord.login import checking


@asynccontextmanager
async def proxied(server: ServerProcess, bot: BigBen, folder: Path) -> AsyncIterator[str]:
    """The address of a proxy with TLS, which sends ``/login`` to the bot as those of docs/proxy."""
    async with aiohttp.ClientSession(auto_decompress=False) as session:

        async def passes_on(request: web.Request) -> web.Response:
            port = bot.logins.port if request.path.startswith("/login") else server.port
            async with session.get(f"http://127.0.0.1:{port}{request.path_qs}") as answer:
                headers = {
                    name: answer.headers[name]
                    for name in ("Content-Security-Policy", "Content-Encoding")
                    if name in answer.headers
                }
                body = await answer.read()
                return web.Response(status=answer.status, body=body, headers=headers)

        app = web.Application()
        app.router.add_get("/{rest:.*}", passes_on)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate(folder), folder / "privkey.pem")
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
            yield f"https://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()


async def wrong(settings: Settings) -> list[str]:
    """What is wrong, and what to do."""
    found = await checking.findings(settings)
    assert all(one.text for one in found)
    return [one.text for one in found if not one.right]


async def test_an_operator_who_has_taken_all_steps_reads_so(world: Discord, tmp_path: Path) -> None:
    world.state.activities.enabled = True
    known = {"BIGBEN_DISCORD_APP": world.application, "BIGBEN_ISSUER_DISCORD_KEY": KEY}
    with serving(tmp_path / "server", known) as server:
        async with (
            bot_on(world, server.url, tmp_path, secret=SECRET) as bot,
            proxied(server, bot, tmp_path) as page,
        ):
            world.state.logins.redirects.append(f"{page}/")
            settings = {
                "BIGBEN_DISCORD_TOKEN": world.token,
                "BIGBEN_DISCORD_SECRET": SECRET,
                "BIGBEN_ISSUER_DISCORD_KEY": KEY,
                "BIGBEN_SERVER": server.url,
                "BIGBEN_PAGE": page,
                "SSL_CERT_FILE": str(tmp_path / "fullchain.pem"),
            }
            checks = await started(world.port, tmp_path, settings, "check")
            stdout, stderr = await checks.communicate()
    assert (checks.returncode, stderr) == (0, b"")
    assert [line[0] for line in stdout.decode().splitlines()] == ["✓"] * 8
    assert SECRET not in stdout.decode()


async def test_each_step_that_is_missing_is_named_with_what_to_do(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    async with bot_on(world, server.url, tmp_path, secret=SECRET) as bot:
        settings = replace(
            settings_for(world, server.url, tmp_path, "an old secret"),
            page=f"http://127.0.0.1:{bot.logins.port}",
        )
        secret, redirect, tls, page, activities = await wrong(settings)
    assert "press Reset Secret" in secret
    assert f"{settings.page}/ is missing: add it" in redirect
    assert "only pages at https:// addresses" in tls
    assert "status 404" in page
    assert "Activities are not enabled" in activities
    # The page of a server that does not know the application, and no bot behind /login.
    at_server = replace(settings, secret="", page=server.url.replace("ws", "http", 1))
    secret, _, _, login, page, _ = await wrong(at_server)
    assert "BIGBEN_DISCORD_SECRET is missing" in secret
    assert "start it, and let your proxy send /login to it" in login
    assert f"give BIGBEN_DISCORD_APP={world.application} to the race server" in page
    # Nothing at all.
    _, _, _, login, page, _ = await wrong(replace(settings, page="http://127.0.0.1:1"))
    assert "(no answer: Cannot connect to host 127.0.0.1:1 " in login
    assert "start the race server" in page


async def test_a_race_server_that_does_not_take_the_key_is_named(
    world: Discord, server: ServerProcess, tmp_path: Path
) -> None:
    settings = {**right_settings(world, server), "BIGBEN_ISSUER_DISCORD_KEY": "w" * 32}
    checks = await started(world.port, tmp_path, settings, "check")
    stdout, _ = await checks.communicate()
    assert checks.returncode == 1
    first, *_ = stdout.decode().splitlines()
    assert first.startswith("✗ The race server does not take BIGBEN_ISSUER_DISCORD_KEY")


async def test_it_stops_at_a_wrong_token_and_where_discord_is_away(
    world: Discord, tmp_path: Path
) -> None:
    settings = replace(settings_for(world, "ws://127.0.0.1:1", tmp_path, SECRET), token="wrong")
    (token,) = await wrong(settings)
    assert "does not take BIGBEN_DISCORD_TOKEN" in token
    await world.close()
    (away,) = await wrong(settings)
    assert "Discord can't be reached" in away
    await world.open()
    checks = await started(world.port, tmp_path, {}, "check")
    _, stderr = await checks.communicate()
    assert checks.returncode == 1
    assert stderr.startswith(b"bigben-discord: BIGBEN_DISCORD_TOKEN is missing")
