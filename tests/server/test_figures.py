"""The figures of a process: their names and labels, and what they say of Redis."""

import re

from tests.server.guests import running
from tests.support.clock import Clock
from tests.support.times import NOON

from bigben_server.counters import Distribution
from bigben_server.metrics.figures import Figure, Probes, counted, measured
from bigben_server.readiness import Trouble
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client

MOST_LABELS = 40
"""Of one figure before anything has happened."""


def figures(app: App) -> dict[str, Figure]:
    found = [*counted(), *measured(app.hub.rooms, app.readiness, Probes())]
    by_name = {figure.name: figure for figure in found}
    assert len(by_name) == len(found), "each has its own name"
    return by_name


async def test_redis_that_is_away_and_a_drain_are_shown(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        app.readiness.store_works()
        assert figures(app)["bigben_redis_up"].values == {(): 1}
        assert figures(app)["bigben_ready"].values == {(): 1}
        app.readiness.drain()
        assert figures(app)["bigben_redis_up"].values == {(): 1}
        assert figures(app)["bigben_ready"].values == {(): 0}
        app.readiness.store_fails()
        assert figures(app)["bigben_redis_up"].values == {(): 0}


async def test_a_redis_that_answers_and_keeps_no_writes_is_shown_with_the_reason(
    client: Client,
) -> None:
    full = Trouble("memory", "The store takes no writes: its memory is full.")
    refuses = {("memory",): 1, ("disk",): 0, ("replicas",): 0, ("readonly",): 0}
    async with running(client, Clock(NOON)) as app:
        app.readiness.store_fails(full)
        assert figures(app)["bigben_redis_refuses_writes"].values == refuses
        assert figures(app)["bigben_redis_up"].values == {(): 0}
        app.readiness.store_works(full)  # of one node of a cluster
        assert figures(app)["bigben_redis_refuses_writes"].values == refuses
        assert figures(app)["bigben_redis_up"].values == {(): 1}


async def test_every_figure_is_named_and_explained_as_prometheus_wants_it(client: Client) -> None:
    async with running(client, Clock(NOON)) as app:
        for name, figure in figures(app).items():
            assert re.fullmatch("bigben(_[a-z]+)+", name)
            assert figure.help.endswith(".")
            assert (figure.kind == "gauge") == bool(figure.mode)
            assert all(len(labels) == len(figure.labels) for labels in figure.values)
            assert len(figure.values) <= MOST_LABELS
            kinds = {isinstance(value, Distribution) for value in figure.values.values()}
            assert kinds == {figure.kind == "histogram"}
