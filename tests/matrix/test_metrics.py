"""``bigben-matrix`` as an operator runs it, and what it tells their Prometheus."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from tests.matrix.people import People
from tests.matrix.running import KEY
from tests.matrix.synapse import Synapse
from tests.support.scraping import figures_once, metrics_of, scraped
from tests.support.server_process import ServerProcess


async def test_the_bot_counts_what_it_does_until_it_is_told_to_stop(
    homeserver: Synapse, server: ServerProcess, people: People, tmp_path: Path
) -> None:
    account = await homeserver.account("Bot")
    others = {name: value for name, value in os.environ.items() if "BIGBEN_" not in name}
    bot = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "import sys; from bigben_matrix.command import main; sys.exit(main())",
        env={
            **others,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "BIGBEN_MATRIX_HOMESERVER": homeserver.url,
            "BIGBEN_MATRIX_TOKEN": account.token,
            "BIGBEN_ISSUER_MATRIX_KEY": KEY,
            "BIGBEN_SERVER": server.url,
            "BIGBEN_MATRIX_DATA": str(tmp_path),
            "BIGBEN_BOT_METRICS_PORT": "0",
        },
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        metrics = await metrics_of(bot)
        ada, ben = await people.person("Ada"), await people.person("Ben")
        room = await ada.room("Friends", ben, account.user)
        await ada.sees(room, lambda seen: seen.sender == account.user)
        await ada.says(room, "!bigben nonsense")
        await ada.says(room, "!bigben daily")
        own = await ada.direct(account.user)
        intro = await ada.sees(own, lambda seen: "bb:begin" in str(seen.controls))
        await ada.presses(intro, "begin")
        ended = {"command,done": 1, "command,refused": 1, "control,done": 1}
        found = await figures_once(
            metrics,
            **{f"bigben_bot_requests_total{{{how}}}": count for how, count in ended.items()},
            **{"bigben_bot_connected{platform}": 1, "bigben_bot_connected{server}": 1},
            **{"bigben_bot_players": 1, "bigben_bot_boards": 1},
        )
        assert found["bigben_bot_messages_total{sent}"] >= 3
        assert found["bigben_bot_messages_total{edited}"] >= 1
        text = await scraped(metrics)
        assert not [word for word in (ada.user, room, own, "Ada", "Friends") if word in text]
    finally:
        bot.send_signal(signal.SIGTERM)
        await bot.communicate()
    assert bot.returncode == 0
