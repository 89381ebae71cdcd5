"""The commands for running servers: drain, announce, ban, unban."""

import argparse
from functools import partial
from ipaddress import ip_network
from typing import Final

from bigben_protocol import Announcement
from bigben_server.accounts.bans import Bans, network_named, too_wide
from bigben_server.accounts.names import plain_line
from bigben_server.accounts.tokens import GUEST
from bigben_server.ops.command import AdminCommand, Argument, Outcome, now_ms, whole
from bigben_server.ops.status import moment, until
from bigben_server.storage.admin.directives import Ban, DirectiveStore
from bigben_server.storage.admin.maintenance import NotDone
from bigben_server.storage.admin.processes import Process, Processes
from bigben_server.storage.race_log import Store

LONGEST: Final = 300
"""The most letters of an announcement."""
LONGEST_REASON: Final = 60
"""The most letters of the reason of a ban: it must fit into the close of a connection."""
_MINUTE_MS: Final = 60_000
_DAY_MS: Final = 86_400_000
_ADDRESS_DAYS: Final = 7
"""How long a network is banned unless the operator says otherwise."""
_ALL: Final = "all"


async def _announce(store: Store, options: argparse.Namespace) -> Outcome:
    book, now, text = DirectiveStore(store), now_ms(), plain_line(options.text)
    if options.withdraw or not text:
        if not await book.withdraw():
            raise NotDone("nothing is announced")
        return Outcome("The announcement is withdrawn.", {"announcement": None})
    if len(text) > LONGEST:
        raise NotDone(f"an announcement has at most {LONGEST} letters, and this one {len(text)}")
    announced = Announcement(text, now, now + options.minutes * _MINUTE_MS)
    await book.announce(announced)
    said = f"Announced until {moment(announced.until)}: {text}"
    return Outcome(said, {"announcement": {"text": text, "at": now, "until": announced.until}})


async def _drain(store: Store, options: argparse.Namespace) -> Outcome:
    book, living = DirectiveStore(store), await Processes(store).living()
    if not living:
        raise NotDone("no server process runs on this data")
    ids = [one.id for one in _meant(living, options.process)]
    drained = (await book.read(now_ms())).draining
    gone = drained - {one.id for one in living}
    facts = {"processes": ids, "draining": not options.off}
    if options.off:
        await book.end_drain([*ids, *gone])
        return Outcome(f"No longer draining: {', '.join(ids)}.", facts)
    if gone:
        await book.end_drain(gone)
    await book.drain(ids, now_ms())
    said = (
        f"Draining: {', '.join(ids)}. No game begins there, and games in progress continue. "
        "`bigben admin status` says when nobody plays there any more."
    )
    if not {one.id for one in living} - drained - {*ids}:
        said += " No other process takes players, so those who lose their connection may return."
    return Outcome(said, facts)


def _meant(living: list[Process], name: str) -> list[Process]:
    """The processes that an operator has named. Raises NotDone unless it is clear which."""
    if meant := [one for one in living if name in (_ALL, one.host)]:
        return meant
    meant = [one for one in living if one.id.startswith(name)]
    if len(meant) != 1:
        known = ", ".join(f"{one.id} on {one.host}" for one in living)
        which = "several processes begin with" if meant else "no process or machine is called"
        raise NotDone(f"{which} {name!r}; there are {known}")
    return meant


async def _ban(store: Store, options: argparse.Namespace) -> Outcome:
    who, now = _named(options.who), now_ms()
    net = network_named(who)
    ms = (options.days or 0) * _DAY_MS + (options.minutes or 0) * _MINUTE_MS
    if net and not ms:
        ms = _ADDRESS_DAYS * _DAY_MS
    reason = plain_line(options.reason).rstrip(".")
    audit = _kept(options) if net else None
    if len(reason) > LONGEST_REASON:
        said = f"a reason has at most {LONGEST_REASON} letters, and this one {len(reason)}"
        return Outcome(said, done=False, audit=audit)
    if net and (why := too_wide(net, meant=options.yes)):
        return Outcome(why, done=False, audit=audit)
    ban = Ban(net or who, now, now + ms if ms else 0, reason)
    await DirectiveStore(store).ban(ban)
    said = f"{ban.who} may not play {until(ban.until)}. Open connections are being closed."
    if net and net.partition("/")[0] != who.partition("/")[0]:
        said += f" ({who} counts as {net}.)"
    if net and ip_network(net).is_private:
        said += (
            " That network is private. If it is your proxy's, you have banned everybody:"
            " set BIGBEN_BEHIND_PROXY, and unban it."
        )
    if who.startswith(f"{GUEST}:"):
        said += " A guest can return as a new guest; only a ban of the address prevents that."
    return Outcome(said, {"who": ban.who, "until": ban.until, "reason": reason}, audit=audit)


async def _unban(store: Store, options: argparse.Namespace) -> Outcome:
    who, book = _named(options.who), DirectiveStore(store)
    net = network_named(who)
    audit = _kept(options) if net else None
    if await book.unban(net or who):
        return Outcome(f"{net or who} may play again.", {"who": net or who}, audit=audit)
    said = f"{net or who} is not banned"
    if net:
        banned = Bans((), (await book.read(now_ms())).networks)
        wider = banned.of_address(str(ip_network(net).network_address), now_ms())
        said += f", but {wider.who} is" if wider else ""
    return Outcome(said, {"who": net or who}, done=False, audit=audit)


def _named(who: str) -> str:
    """Raises NotDone if it is neither a player's id nor an address."""
    if not network_named(who) and not (":" in who and who.isprintable()):
        raise NotDone(
            f"{who!r} is neither a player's id nor an address; "
            "an id is like guest:4f… or discord:8035…, and a network like 203.0.113.0/24"
        )
    return who


def _kept(options: argparse.Namespace) -> dict[str, str]:
    """What the audit log keeps of the ban of an address: everything else."""
    given = {name: vars(options).get(name) for name in ("minutes", "days", "reason")}
    return {"who": "an address"} | {f"--{n}": str(value) for n, value in given.items() if value}


def _at_most(most: int) -> dict[str, object]:
    """The options of an argument that is a number."""
    return {"type": partial(whole, "a number", 1, most), "metavar": "N"}


_WHO: Final = Argument("who", "a player's id, like discord:8035…, or an address or network")
COMMANDS: Final = (
    AdminCommand(
        "announce",
        "show a line to all players, in every front end",
        _announce,
        (
            Argument("text", "one line; an empty one withdraws", {"nargs": "?", "default": ""}),
            Argument(
                "--minutes",
                "how long it is shown (30)",
                _at_most(10_080) | {"default": 30},
            ),
            Argument("--withdraw", "end the announcement", {"action": "store_true"}),
        ),
    ),
    AdminCommand(
        "drain",
        "let games end and none begin, before an update",
        _drain,
        (
            Argument(
                "--process",
                "which: an id of `status`, a machine, or all (all that run now)",
                {"default": _ALL, "metavar": "ID"},
            ),
            Argument("--off", "let games begin there again", {"action": "store_true"}),
        ),
    ),
    AdminCommand(
        "ban",
        "close the connections of a player or an address, and refuse new ones",
        _ban,
        (
            _WHO,
            Argument(
                "--minutes",
                "how long it lasts",
                _at_most(1_440),
            ),
            Argument(
                "--days",
                f"how long it lasts (an address {_ADDRESS_DAYS}, a player for good)",
                _at_most(3_650),
            ),
            Argument("--reason", "a few words that the player reads", {"default": ""}),
        ),
    ),
    AdminCommand("unban", "let a player or an address play again", _unban, (_WHO,)),
)
