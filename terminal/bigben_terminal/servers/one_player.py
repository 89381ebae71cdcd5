"""A one-time link where somebody has played before: who plays now, and if both are one player."""

from bigben_client import Client, RefusedError
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import printable, safe
from bigben_terminal.language import say, told
from bigben_terminal.local_files import tokens
from bigben_terminal.servers.connecting import confirmed, connected, options


def asks(server: str, link: str) -> bool:
    """Whether somebody has played here who may be one player with that of the link."""
    here, there = tokens.holder(tokens.load(server)), tokens.holder(link)
    if here is None or there is None or here.player == there.player:
        return False
    return not (_is_guest(here) and _is_guest(there))


async def be(server: str, link: str) -> None:
    """Be the player of this link here from now on, perhaps together with who has played here.

    Raises Complaint.
    """
    before = tokens.load(server)
    here, there = tokens.holder(before), tokens.holder(link)
    if here and there and not _is_guest(here) and await _is_both(server, link, here, there):
        return
    async with connected(server, "", link=link) as client:
        print(say("login.done", name=safe(client.name), options=options(server)))
        if here is None or not _is_guest(here):
            return
        # Both may have the same name, by which the guest goes on to be found, whatever comes now.
        tokens.save(server, before, here.name)
        tokens.save(server, client.token)
        if await _tied(client, before, here):
            tokens.forget_player(server, here.player)
            tokens.save(server, client.token, client.name)
        else:
            who = options(server, here.name)
            print(say("login.kept", guest=safe(here.name), options=printable(who)))


async def _is_both(server: str, link: str, here: tokens.Holder, there: tokens.Holder) -> bool:
    """Whether the player of the link is one with who has played here, which the player decides."""
    if here.player == there.player:
        return False
    names = {"here": safe(here.name), "guest": safe(there.name), "player": safe(there.player)}
    print(say("login.meet", **names))
    if not confirmed(say("login.meet_sure", **names)):
        return False
    async with connected(server, "") as client:
        await _tie(client, link, there)
    return True


async def _tied(client: Client, token: str, guest: tokens.Holder) -> bool:
    """Whether the guest belongs to this account from now on, which the player decides."""
    names = {"guest": safe(guest.name), "end": guest.player[-4:], "name": safe(client.name)}
    print(say("login.tie", **names))
    if not confirmed(say("login.tie_sure")):
        return False
    await _tie(client, token, guest)
    return True


async def _tie(client: Client, token: str, other: tokens.Holder) -> None:
    try:
        await client.tie(token)
    except RefusedError as refused:
        raise Complaint(told(refused)) from None
    print(say("login.tied", guest=safe(other.name), name=safe(client.name)))


def _is_guest(one: tokens.Holder) -> bool:
    return one.player.startswith("guest:")
