"""Who is banned: players by their ids, and addresses by networks."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from bigben_protocol import PlayerId
from bigben_protocol.sentence import Sentence, sentence
from bigben_server.storage.admin.directives import Ban

_SMALLEST_V6 = 64
"""The server counts an IPv6 network of this size as one address; its owner may change the rest."""

_WIDEST = {4: (8, 16), 6: (16, 32)}
"""By version: a shorter prefix may not be banned, and below the second number only on purpose.
Internet providers have networks of these sizes, and continents shorter ones."""


class Bans:
    """Finds the ban of a player or an address."""

    def __init__(self, players: Iterable[Ban] = (), networks: Iterable[Ban] = ()) -> None:
        self._players: Mapping[str, Ban] = {ban.who: ban for ban in players}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}
        """By version and by how many bits of an address are not looked at."""
        for ban in networks:
            net = ip_network(ban.who)
            free = net.max_prefixlen - net.prefixlen
            of_size = self._networks.setdefault((net.version, free), {})
            of_size[int(net.network_address) >> free] = ban

    def of_player(self, player: PlayerId, now: int) -> Ban | None:
        """The ban that holds at ``now``."""
        return _holding(self._players.get(player), now)

    def of_address(self, address: str, now: int) -> Ban | None:
        """The ban that holds at ``now``; None for what is no address."""
        if not self._networks:
            return None
        try:
            parsed = ip_address(address)
        except ValueError:
            return None
        for (version, free), bans in self._networks.items():
            if version == parsed.version and (ban := _holding(bans.get(int(parsed) >> free), now)):
                return ban
        return None


def network_named(text: str) -> str | None:
    """The network that an operator has named, as bans are kept; None if it is none.

    >>> network_named("192.0.2.7"), network_named("192.0.2.0/24"), network_named("2001:db8::7")
    ('192.0.2.7/32', '192.0.2.0/24', '2001:db8::/64')
    """
    try:
        net: IPv4Network | IPv6Network = ip_network(text, strict=False)
    except ValueError:
        return None
    if isinstance(net, IPv6Network):
        mapped = IPv6Address(net.network_address).ipv4_mapped
        if mapped and net.prefixlen >= 96:
            return str(ip_network((mapped, net.prefixlen - 96), strict=False))
        if net.prefixlen > _SMALLEST_V6:
            net = net.supernet(new_prefix=_SMALLEST_V6)
    return str(net)


def too_wide(net: str, *, meant: bool) -> str:
    """Why this network is not banned, as a sentence for the operator; else empty.

    ``meant``: they have said that they mean it.
    """
    network = ip_network(net)
    least, usual = _WIDEST[network.version]
    if network.prefixlen < least:
        return f"{net} is a part of the whole internet; the widest ban is of a /{least}"
    if network.prefixlen < usual and not meant:
        many = 2 ** (min(network.max_prefixlen, _SMALLEST_V6) - network.prefixlen)
        what = "addresses" if network.version == 4 else "networks of homes"
        return f"{net} has {many:,} {what}; if you mean all of them, add --yes"
    return ""


def told(ban: Ban) -> Sentence:
    """What the banned player reads; it fits into the reason of a close, unless theirs is long."""
    reason = ban.reason.rstrip(".")
    if not ban.until:
        return sentence("ban.why", why=reason) if reason else sentence("plain.banned")
    until = f"{datetime.fromtimestamp(ban.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    if not reason:
        return sentence("ban.until", until=until)
    return sentence("ban.until_why", until=until, why=reason)


def _holding(ban: Ban | None, now: int) -> Ban | None:
    return ban if ban and (not ban.until or now < ban.until) else None
