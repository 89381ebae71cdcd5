"""The dashboard and the alerts in docs/grafana, against a real Prometheus and server with play."""

import asyncio
import json
import math
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest
import yaml
from benchmarks.servers import reserved_port
from tests.chat.text_platform import KEY, Writer, text_bot
from tests.processes.playing import client, serving, until
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S
from tests.support.server_process import ServerProcess

from bigben_chat.metrics import served
from bigben_chat.settings import Address
from bigben_client import Client, RefusedError

PROMETHEUS: Final = Path("/usr/bin/prometheus")
GRAFANA: Final = ROOT / "docs" / "grafana"
ALERTS: Final = yaml.safe_load((GRAFANA / "alerts.yml").read_text())["groups"][0]["rules"]
DASHBOARD: Final = json.loads((GRAFANA / "bigben.json").read_text())
PANELS: Final = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
SETTINGS: Final = {
    "BIGBEN_METRICS_PORT": "0",
    "BIGBEN_API_PER_SECOND": "1",
    "BIGBEN_ISSUER_TEXT_KEY": KEY,
}
RANGE: Final = "10s"
"""What ``$__rate_interval`` stands for; Prometheus scrapes four times a second here."""

pytestmark = pytest.mark.skipif(not PROMETHEUS.exists(), reason=f"there is no {PROMETHEUS}")

# Any: JSON of Prometheus.
Series = list[dict[str, Any]]


class Prometheus:
    """One that scrapes a server."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, query: str) -> Series:
        """The series of a query now; AssertionError with the reason if it is wrong."""
        url = f"http://127.0.0.1:{self.port}/api/v1/query?{urlencode({'query': query})}"
        try:
            with urlopen(url) as answer:
                found: Series = json.load(answer)["data"]["result"]
        except HTTPError as error:
            if error.code == HTTPStatus.SERVICE_UNAVAILABLE:  # it has just started
                return []
            raise AssertionError(f"{query}: {error.read().decode()}") from error
        return [one for one in found if not math.isnan(float(one["value"][1]))]

    async def until(self, query: str) -> Series:
        """The series, once there are some."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                with suppress(URLError):  # it does not listen yet
                    if found := await asyncio.to_thread(self.ask, query):
                        return found
                await asyncio.sleep(0.1)


@asynccontextmanager
async def scraping(*targets: str, folder: Path) -> AsyncIterator[Prometheus]:
    """Prometheus with the alerts, as docs/operators.md says."""
    settings = {
        "global": {"scrape_interval": "250ms", "evaluation_interval": "250ms"},
        "rule_files": [str(GRAFANA / "alerts.yml")],
        "scrape_configs": [{"job_name": "bigben", "static_configs": [{"targets": targets}]}],
    }
    (folder / "prometheus.yml").write_text(yaml.safe_dump(settings))
    with reserved_port() as port:
        pass  # Prometheus does not share it
    command = [
        *(str(PROMETHEUS), f"--config.file={folder / 'prometheus.yml'}", "--log.level=error"),
        *(f"--storage.tsdb.path={folder / 'tsdb'}", f"--web.listen-address=127.0.0.1:{port}"),
    ]
    process = await asyncio.create_subprocess_exec(*command)
    try:
        yield Prometheus(port)
    finally:
        process.terminate()
        await process.wait()


async def play(server: ServerProcess, one: Client) -> None:
    """Everything that the panels show, endlessly."""
    while True:
        race = (await one.create(practice=True)).race
        await one.ready(race)
        await until(one, lambda race=race: race in one.views)  # type: ignore[misc]  # bound
        for _ in range(20):
            await one.move(race, one.views[race].legal[0])
        with pytest.raises(RefusedError):
            await one.move(race, "no such move")
        await one.move(race, "resign")
        await one.leave(race)
        await asyncio.to_thread(_ask_boards, server)


@asynccontextmanager
async def bot_beside(
    server: ServerProcess, folder: Path
) -> AsyncIterator[tuple[str, Callable[[], Coroutine[Any, Any, None]]]]:
    """A bot on a platform of plain text: where its metrics are, and what asks it endlessly."""
    with reserved_port() as port:
        pass
    at = Address("127.0.0.1", port)
    with served(at):
        async with text_bot(server.url, folder) as (chat, platform):
            ada = Writer(chat, platform, "Ada")

            async def ask() -> None:
                while True:
                    await ada.says("daily")

            yield f"{at.host}:{at.port}", ask


def _ask_boards(server: ServerProcess) -> None:
    for _ in range(12):  # more than the allowance of ten seconds
        # OSError: status 429, or the workers have just been killed.
        with suppress(OSError), urlopen(f"http://127.0.0.1:{server.port}/api/leaderboard"):
            pass


HAPPENED: Final = (
    'bigben_games_over_total{how="resigned"} > 0',
    'bigben_http_responses_total{what="api", status="429"} > 0',
    'bigben_refusals_total{reason="notation"} > 0',
    'bigben_races{kind="live", phase="running"} == 1',
    "sum(bigben_reconnects_total) > 0",
    "count(bigben_tasks) == 2",
    "bigben_players == 5",  # with the bot, and its user
    "bigben_bot_players == 1",
    "min(bigben_bot_connected) == 1",
)
"""What must have been seen before the panels are asked."""


def filled(query: str) -> str:
    """The query as Grafana sends it."""
    return query.replace("$__rate_interval", RANGE).replace("$instance", ".*")


async def test_every_panel_and_alert_finds_its_data(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data", "--workers", "2", env=SETTINGS) as server,
        bot_beside(server, tmp_path) as (target, ask_bot),
        scraping(target, urlsplit(server.metrics_url).netloc, folder=tmp_path) as prometheus,
        AsyncExitStack() as stack,
    ):
        players = [
            await stack.enter_async_context(client(server, name)) for name in ("Ada", "Bob", "Eve")
        ]
        race = (await players[0].create()).race
        await players[1].join(race)
        await asyncio.gather(*(one.ready(race) for one in players[:2]))
        async with asyncio.TaskGroup() as group:
            playing = [group.create_task(play(server, one)) for one in players]
            playing.append(group.create_task(ask_bot()))
            await prometheus.until("bigben_moves_total > 100")
            for worker in server.workers():
                os.kill(worker, signal.SIGKILL)
            for query in HAPPENED:
                await prometheus.until(query)
            for query in _queries():
                assert await prometheus.until(filled(query)), query
            for name in _alerts_metrics():
                assert await prometheus.until(name), name
            for task in playing:
                task.cancel()


def _queries() -> Iterator[str]:
    for panel in PANELS:
        assert panel["targets"], panel["title"]
        for target in panel["targets"]:
            yield target["expr"]


def _alerts_metrics() -> set[str]:
    """Every metric that an alert looks at, with its labels."""
    found = re.findall(r"(?:bigben_\w+|\bup)(?:{[^}]*})?", " ".join(a["expr"] for a in ALERTS))
    return set(found)


def test_the_dashboard_offers_the_servers_of_any_prometheus() -> None:
    source, instance = DASHBOARD["templating"]["list"]
    assert source["type"] == "datasource"
    assert instance["query"]["query"] == "label_values(bigben_ready, instance)"
    everywhere = [one["datasource"]["uid"] for panel in PANELS for one in panel["targets"]]
    assert {*everywhere} == {"${" + source["name"] + "}"}
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_every_alert_says_what_happened_and_what_to_do() -> None:
    assert all({"summary", "description"} == rule["annotations"].keys() for rule in ALERTS)
    assert {rule["labels"]["severity"] for rule in ALERTS} == {"critical", "warning"}


_HOUR: Final = "x240"
"""Times 15 seconds."""
WELL: Final = {
    'up{job="bigben", instance="a"}': f"1{_HOUR}",
    'bigben_redis_up{instance="a"}': f"1{_HOUR}",
    'bigben_ready{instance="a"}': f"1{_HOUR}",
    'bigben_processes_wanted{instance="a"}': f"1{_HOUR}",
    'bigben_memory_bytes{instance="a", pid="1"}': f"1000{_HOUR}",
    'bigben_silent_seconds{instance="a", pid="1"}': f"1{_HOUR}",
    'bigben_file_handles{instance="a", pid="1"}': f"50{_HOUR}",
    'bigben_file_handles_limit{instance="a", pid="1"}': f"1000{_HOUR}",
    'bigben_redis_replica_lag_bytes{instance="a"}': f"100{_HOUR}",
    'bigben_redis_refuses_writes{instance="a", why="memory"}': f"0{_HOUR}",
    'bigben_redis_refuses_writes{instance="a", why="replicas"}': f"0{_HOUR}",
    'bigben_redis_replicas{instance="a"}': f"2{_HOUR}",
    'bigben_redis_memory_share{instance="a"}': "0.5+0.0001x240",
    'bigben_redis_memory_bytes{instance="a"}': f"2000{_HOUR}",
    'bigben_disk_free_bytes{instance="a"}': f"5000{_HOUR}",
    'bigben_disk_bytes{instance="a"}': f"10000{_HOUR}",
    'bigben_connections{instance="a", client="page"}': f"100{_HOUR}",
    'bigben_reconnects_total{instance="a", client="page"}': f"0+1{_HOUR}",
    'bigben_closes_total{instance="a", code="1011", by="server"}': f"0{_HOUR}",
    'bigben_closes_total{instance="a", code="1011", by="ping"}': f"0+1{_HOUR}",
    'bigben_log_lines_total{instance="a", level="ERROR"}': f"3{_HOUR}",
    'bigben_log_lines_total{instance="a", level="WARNING"}': f"0+1{_HOUR}",
    'bigben_http_responses_total{instance="a", what="api", status="429"}': f"0+1{_HOUR}",
    'bigben_unanswered_connections_total{instance="a", how="waits"}': f"0{_HOUR}",
    'bigben_bot_connected{instance="b", to="platform"}': f"1x20 0x4 1{_HOUR}",
    'bigben_bot_connected{instance="b", to="server"}': f"1{_HOUR}",
    'bigben_bot_requests_total{instance="b", outcome="done"}': f"0+100{_HOUR}",
    'bigben_bot_requests_total{instance="b", outcome="refused"}': f"0+10{_HOUR}",
    'bigben_bot_requests_total{instance="b", outcome="failed"}': f"0+1{_HOUR}",
    'bigben_bot_platform_refusals_total{instance="b", reason="limit"}': f"0+1{_HOUR}",
    'bigben_bot_platform_refusals_total{instance="b", reason="gone"}': f"0+9{_HOUR}",
    'bigben_bot_answer_seconds_bucket{instance="b", le="3.0"}': f"0+99{_HOUR}",
    'bigben_bot_answer_seconds_bucket{instance="b", le="5.0"}': f"0+100{_HOUR}",
    'bigben_bot_answer_seconds_bucket{instance="b", le="+Inf"}': f"0+100{_HOUR}",
    **{
        f'bigben_{name}_seconds_bucket{{instance="a", le="{bound}"}}': f"0+{count}{_HOUR}"
        for name in ("acknowledgement", "commit", "loop_lag")
        for bound, count in (("0.1", 995), ("1.0", 1000), ("+Inf", 1000))
    },
}
"""An hour of a server, and a bot, that are well, with some of everything that may happen."""
WRONG: Final = WELL | {
    'up{job="bigben", instance="a"}': f"0{_HOUR}",
    'bigben_redis_up{instance="a"}': f"0{_HOUR}",
    'bigben_ready{instance="a"}': f"0{_HOUR}",
    'bigben_processes_wanted{instance="a"}': f"2{_HOUR}",
    'bigben_silent_seconds{instance="a", pid="1"}': f"0+15{_HOUR}",
    'bigben_file_handles{instance="a", pid="1"}': f"900{_HOUR}",
    'bigben_redis_replica_lag_bytes{instance="a"}': f"2000000{_HOUR}",
    'bigben_redis_refuses_writes{instance="a", why="memory"}': f"1{_HOUR}",
    'bigben_redis_refuses_writes{instance="a", why="replicas"}': f"1{_HOUR}",
    'bigben_redis_replicas{instance="a"}': f"2x20 1{_HOUR}",
    'bigben_redis_memory_share{instance="a"}': "0.81+0.001x240",
    'bigben_disk_free_bytes{instance="a"}': f"900{_HOUR}",
    'bigben_reconnects_total{instance="a", client="page"}': f"0+10{_HOUR}",
    'bigben_closes_total{instance="a", code="1011", by="server"}': f"0+1{_HOUR}",
    'bigben_log_lines_total{instance="a", level="ERROR"}': f"0+1{_HOUR}",
    'bigben_unanswered_connections_total{instance="a", how="waits"}': f"0+5{_HOUR}",
    'bigben_bot_connected{instance="b", to="server"}': f"0{_HOUR}",
    'bigben_bot_requests_total{instance="b", outcome="failed"}': f"0+10{_HOUR}",
    'bigben_bot_platform_refusals_total{instance="b", reason="limit"}': f"0+4{_HOUR}",
    'bigben_bot_answer_seconds_bucket{instance="b", le="3.0"}': f"0+90{_HOUR}",
    **{
        f'bigben_{name}_seconds_bucket{{instance="a", le="0.1"}}': f"0+900{_HOUR}"
        for name in ("acknowledgement", "commit", "loop_lag")
    },
}


@pytest.mark.parametrize(
    ("series", "fires"),
    [(WELL, []), (WRONG, [rule["alert"] for rule in ALERTS])],
    ids=["a server that is well", "a server on which everything is wrong"],
)
def test_alerts_fire_when_they_should(
    tmp_path: Path, series: dict[str, str], fires: list[str]
) -> None:
    expected = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in fires]
    firing = 'count by (alertname) (ALERTS{alertstate="firing"})'
    test = {
        "interval": "15s",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [{"expr": firing, "eval_time": "45m", "exp_samples": expected}],
    }
    rules = {"rule_files": [str(GRAFANA / "alerts.yml")], "tests": [test]}
    (tmp_path / "tests.yml").write_text(yaml.safe_dump(rules))
    promtool = [str(PROMETHEUS.with_name("promtool")), "test", "rules", str(tmp_path / "tests.yml")]
    done = subprocess.run(promtool, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
