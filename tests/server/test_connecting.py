"""Who may connect, by the headers of a handshake and by what an address has used."""

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from bigben_server.config import Limits, Settings
from bigben_server.transport.admission import FLOOD_COST, UPGRADE_COST, Admission
from bigben_server.transport.http import refusal
from bigben_server.transport.proxies import counted

HERE = "127.0.0.1:8765"
REQUEST = Request("/", Headers({"Sec-WebSocket-Protocol": "bigben.v1.json"}))


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://[", "host": HERE},
        {"origin": "http://a.example, http://b.example", "host": HERE},
        {"origin": f"http://{HERE}", "host": f"{HERE}, other"},
        {"origin": f"http://{HERE}"},
        {"origin": "null"},
        {"origin": ""},
    ],
)
def test_an_origin_that_makes_no_sense_may_not_connect(headers: dict[str, str]) -> None:
    assert not Admission(Settings()).allows_origin(headers["origin"], headers.get("host", ""))


def test_frames_of_discord_may_connect_where_the_application_is_set() -> None:
    app = "123456789012345678"
    settings = Settings(discord_app=app, origins=("https://a.example",))
    for origin in (f"https://{app}.discordsays.com", "null", "https://a.example"):
        assert Admission(settings).allows_origin(origin, HERE)
    for origin in (f"http://{app}.discordsays.com", "https://223456789012345678.discordsays.com"):
        assert not Admission(settings).allows_origin(origin, HERE)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1:2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("unknown", "unknown", True),
        ("192.0.2.1:4711", "192.0.2.1", False),
    ],
)
def test_of_ipv6_a_network_counts_as_one_address(one: str, other: str, same: bool) -> None:
    admission = Admission(Settings(limits=Limits(connections_per_address=1)))
    address = counted(other)
    with admission.connection(counted(one)):
        assert (refusal(REQUEST, address, admission, 5.0) is not None) is same
    assert refusal(REQUEST, address, admission, 5.0) is None


def test_a_connection_that_leaves_its_place_is_counted_no_more() -> None:
    admission = Admission(Settings(limits=Limits(connections_per_address=1)))
    with admission.connection("192.0.2.1") as place:
        assert refusal(REQUEST, "192.0.2.1", admission, 5.0) is not None
        for _ in range(2):
            place.leave()
            assert refusal(REQUEST, "192.0.2.1", admission, 5.0) is None
    assert not admission.open


def test_an_address_that_has_used_up_its_queries_waits() -> None:
    admission = Admission(Settings(limits=Limits(api_per_second=2)))
    assert [admission.queries.take("192.0.2.1", 5.0) for _ in range(21)] == [True] * 20 + [False]
    assert admission.queries.take("192.0.2.2", 5.0)
    assert admission.queries.take("192.0.2.1", 5.5)


def test_a_school_class_that_opens_the_page_at_once_has_its_connections() -> None:
    admission = Admission(Settings())
    for _ in range(40):
        assert all(admission.arrivals.take("192.0.2.1", 5.0) for _ in range(60)), (
            "the page and its files"
        )
        admission.arrivals.charge("192.0.2.1", 5.0, UPGRADE_COST)


def test_an_address_that_connects_without_end_has_to_wait() -> None:
    admission = Admission(Settings(limits=Limits(connects_per_second=2)))
    assert [admission.arrivals.take("192.0.2.1", 5.0) for _ in range(201)] == [True] * 200 + [False]
    assert admission.arrivals.take("192.0.2.2", 5.0)
    assert admission.arrivals.take("192.0.2.1", 5.5)


def test_a_flood_counts_as_many_connections_even_if_none_are_left() -> None:
    admission = Admission(Settings(limits=Limits(connects_per_second=2)))
    assert all(admission.arrivals.take("192.0.2.1", 5.0) for _ in range(200))
    admission.arrivals.charge("192.0.2.1", 5.0, FLOOD_COST)
    assert not admission.arrivals.take("192.0.2.1", 155.0)
    assert admission.arrivals.take("192.0.2.1", 156.0)


def test_an_address_that_flooded_gets_no_websocket_on_a_connection_that_it_opened_before() -> None:
    admission = Admission(Settings(limits=Limits(connects_per_second=2)))
    assert refusal(REQUEST, "192.0.2.1", admission, 5.0) is None
    admission.arrivals.charge("192.0.2.1", 5.0, FLOOD_COST)
    answer = refusal(REQUEST, "192.0.2.1", admission, 5.0)
    assert answer is not None
    assert answer.status_code == 429
    assert "Retry-After" in answer.headers
    assert refusal(REQUEST, "192.0.2.1", admission, 60.0) is None


def test_a_flood_of_requests_for_files_ends_when_both_allowances_are_used_up() -> None:
    admission = Admission(Settings(limits=Limits(connects_per_second=2)))
    served = 0
    while served < 10_000 and admission.arrivals.take("192.0.2.1", 5.0):
        admission.sent_file("192.0.2.1", 5.0)
        served += 1
    assert served == 2 * (100 + 200)
