"""Whose address a connection has behind proxies: never one that its client has made up."""

import re
from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bigben_server.transport.proxies import (
    MANY,
    BadForwarded,
    ForgottenProxy,
    Proxies,
    counted,
    is_private,
)

PROXY: Final = "10.0.0.1"
CLIENT: Final = "203.0.113.9"
NETWORKS: Final = (ip_network("10.0.0.0/8"), ip_network("2001:db8:ffff::/48"))

ADDRESSES: Final = st.ip_addresses().map(str)
PROXIES: Final = st.sampled_from(
    [
        "10.0.0.1",
        "10.0.0.2:4711",
        "::ffff:10.0.0.3",
        "2001:db8:ffff::1",
        "[2001:db8:ffff::2]:4711",
    ]
)
"""As proxies in ``NETWORKS`` are written in the header."""
MADE_UP: Final = st.lists(
    st.one_of(
        ADDRESSES,
        PROXIES,
        st.sampled_from(["", "unknown", "_hidden", "127.0.0.1", "::1", "10.0.0.1, 10.0.0.1"]),
        st.text(st.characters(min_codepoint=32, max_codepoint=126)),
    ),
    max_size=6,
)
"""What a client writes into the header itself, as several values or lines."""


def is_outside(address: str) -> bool:
    parsed = ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return not any((mapped or parsed) in network for network in NETWORKS)


OUTSIDE: Final = ADDRESSES.filter(is_outside)


def header(made_up: list[str], client: str, proxies: list[str]) -> str:
    """What the last of these proxies sends; each has appended the address that asked it."""
    return ", ".join([*made_up, client, *proxies[:-1]])


def peer(proxy: str) -> str:
    """A proxy's address as that of a connection, without a port."""
    return proxy.removesuffix(":4711").strip("[]")


@given(MADE_UP, ADDRESSES, st.lists(PROXIES, min_size=1, max_size=4))
def test_what_a_client_writes_changes_nothing_if_the_hops_are_counted(
    made_up: list[str], client: str, proxies: list[str]
) -> None:
    hops = Proxies(hops=len(proxies))
    assert hops.client(peer(proxies[-1]), header(made_up, client, proxies)) == counted(client)


@given(MADE_UP, OUTSIDE, st.lists(PROXIES, min_size=1, max_size=4))
def test_what_a_client_writes_changes_nothing_if_the_networks_are_listed(
    made_up: list[str], client: str, proxies: list[str]
) -> None:
    trusted = Proxies(networks=NETWORKS)
    assert trusted.client(peer(proxies[-1]), header(made_up, client, proxies)) == counted(client)


@given(MADE_UP, ADDRESSES, st.lists(PROXIES, min_size=1, max_size=4), st.integers(1, 4))
@example([""], "10.0.0.0", ["10.0.0.1"], 2)
def test_with_hops_and_networks_nobody_is_believed_beyond_either(
    made_up: list[str], client: str, proxies: list[str], hops: int
) -> None:
    """Also if a client is in one of the networks, or if more hops are counted than there are."""
    both = Proxies(hops, NETWORKS)
    forwarded = header(made_up, client, proxies)
    if hops <= len(proxies) or is_outside(client):
        written = [client, *proxies[:-1]]
        expected = counted(peer(written[max(0, len(proxies) - hops)]))
        assert both.client(peer(proxies[-1]), forwarded) == expected
    else:
        # The client counts as a proxy: what it has written is read, or refused as no address.
        with suppress(BadForwarded):
            both.client(peer(proxies[-1]), forwarded)


@given(MADE_UP, OUTSIDE)
def test_a_connection_from_elsewhere_has_its_own_address_whatever_it_forwards(
    made_up: list[str], address: str
) -> None:
    forwarded = ", ".join(made_up)
    for proxies in (Proxies(), Proxies(networks=NETWORKS), Proxies(1, NETWORKS)):
        assert not proxies.trusts(address)
        assert proxies.client(address, forwarded) == counted(address)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)), ADDRESSES)
def test_what_a_proxy_writes_is_read_or_refused_and_never_skipped(text: str, made_up: str) -> None:
    try:
        found = Proxies(1).client(PROXY, f"{made_up},{text}")
    except BadForwarded:
        return
    assert counted(peer(re.sub(":[0-9]+$", ":4711", text.strip()))) == found


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (Proxies(), "192.0.2.1", PROXY),
        (Proxies(1), "", PROXY),
        (Proxies(1), "203.0.113.9, 192.0.2.1,192.0.2.2", "192.0.2.2"),
        (Proxies(2), "203.0.113.9, 192.0.2.1,192.0.2.2", "192.0.2.1"),
        (Proxies(2), "192.0.2.2", "192.0.2.2"),
        (Proxies(networks=NETWORKS), "203.0.113.9, 192.0.2.1, 10.1.2.3", "192.0.2.1"),
        (Proxies(1, NETWORKS), "203.0.113.9, 192.0.2.1, 10.1.2.3", "10.1.2.3"),
        (Proxies(1), "2001:db8::1:2:3:4", "2001:db8::"),
        (Proxies(1), "::ffff:192.0.2.1", "192.0.2.1"),
        (Proxies(1), "[2001:db8::1]:443", "2001:db8::"),
        (Proxies(1), "[2001:db8::1]", "2001:db8::"),
        (Proxies(1), "192.0.2.1:4711", "192.0.2.1"),
    ],
)
def test_the_address_before_the_last_proxy_counts(
    proxies: Proxies, forwarded: str, client: str
) -> None:
    assert proxies.client(PROXY, forwarded) == client


@pytest.mark.parametrize(
    "last", ["unknown", "_hidden", "", "192.0.2", "192.0.2.1:x", "[192.0.2.1", "1 2", "192.0.2.1 x"]
)
def test_what_is_no_address_is_refused(last: str) -> None:
    with pytest.raises(BadForwarded):
        Proxies(1).client(PROXY, f"203.0.113.9, {last}")


def test_a_peer_on_the_same_link_has_an_address_too() -> None:
    assert counted("fe80::1%eth0") == "fe80::"
    assert Proxies(networks=(ip_network("fe80::/10"),)).trusts("fe80::1%eth0")


def test_private_addresses_are_known() -> None:
    assert [is_private(one) for one in (PROXY, "127.0.0.1", "::1", "fd00::1")] == [True] * 4
    assert [is_private(one) for one in ("8.8.8.8", "2600::1", "unknown", "")] == [False] * 4


def test_forwarded_addresses_that_nobody_reads_are_logged_once_an_hour(
    caplog: pytest.LogCaptureFixture,
) -> None:
    forgotten = ForgottenProxy(Proxies())
    for now in (5.0, 6.0, 3_000.0, 3_605.0):
        forgotten.has_forwarded(PROXY, now)
    assert caplog.messages == 2 * [
        "X-Forwarded-For comes from 10.0.0.1 and is not read. If that is your proxy, set "
        "BIGBEN_BEHIND_PROXY=1. All players behind it share the limits of one address until then."
    ]
    ForgottenProxy(Proxies(networks=NETWORKS)).has_forwarded("8.8.8.8", 5.0)
    assert "8.8.8.8" not in caplog.text, "it may be a player's"
    assert (
        "from a public address and is not read. If that is your proxy, set BIGBEN_TRUSTED"
        in (caplog.messages[-1])
    )


def test_many_refusals_of_one_private_address_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    forgotten = ForgottenProxy(Proxies(1))
    for n in range(2 * MANY):
        forgotten.was_refused("8.8.8.8", n / 100)
        forgotten.was_refused(f"10.0.0.{n % 3}", n / 100)
    for n in range(MANY - 1):
        forgotten.was_refused("127.0.0.1", 10.0 * n)
    assert caplog.messages == []
    for n in range(2 * MANY):
        forgotten.was_refused("127.0.0.1", 9_000 + n / 100)
    [told] = caplog.messages
    assert told.startswith("200 requests from the private address 127.0.0.1 were refused. If that")
    assert "set BIGBEN_BEHIND_PROXY=2, and let it send X-Forwarded-For." in told
