"""Verifying a race: what was promised, what was revealed, and the receipt.

Checks the promise. The command ``bigben verify`` replays all moves, from the receipt alone.
"""

import hashlib
from typing import Final

from bigben_chat.chat import Chat
from bigben_chat.connections.player import Player
from bigben_chat.evidence import missing_deals, verdict
from bigben_chat.messages import formatting
from bigben_chat.messages.content import Attachment, Content
from bigben_chat.platform import Answer
from bigben_chat.tree import Time, lines
from bigben_client import ask_receipt
from bigben_client.evidence.dealing import counted
from bigben_client.evidence.fairness import badly_chosen
from bigben_protocol import Reveal, Room

MOST_SEATS: Final = 200
"""Of a race whose receipt is made here, in time; ``bigben receipt`` makes those of larger races."""


async def verify(bot: Chat, answer: Answer, race: str) -> None:
    """Answer with the promise, whether what was revealed fits it, and the receipt."""
    say = answer.say
    async with bot.players.connected(answer.user) as player:
        room = await player.room(race)
        told = [
            say("public.title", race=formatting.race_name(room.race, say)),
            say("verify.commitment", hex=room.commitment),
        ]
        kept = player.client.kept.get(room.race)
        if kept and kept.nonce and kept.kind == "live":
            told.append(say("verify.nonce", hex=kept.nonce))
        attached = plain = None
        reveal = await _revealed(player, room)
        if reveal is None:
            told.append(say("verify.later"))
            if room.closes_at:
                told.append(say("verify.not_yet", at=Time(room.closes_at)))
        else:
            told.append(say("verify.seed", server=reveal.server_seed, seed=reveal.seed))
            # What was seen before the start proves more than what the server says now.
            fits = say("verify.fits") if proves(reveal, room) else say("verify.wrong")
            told.append(verdict(kept, await player.judge(room.race), say) or fits)
            told += filter(None, [missing_deals(player.client.kept.values(), room.race, say)])
            attached = await _receipt(player, room, reveal)
            by_command = say("verify.receipt", race=room.race, server=bot.page)
            plain = Content(lines(*told, by_command))
            told.append(say("verify.attached", file=attached.name) if attached else by_command)
    await answer.show(Content(lines(*told), attachment=attached, plain=plain))


def proves(reveal: Reveal, room: Room) -> bool:
    """Whether the seed was committed to, and the cards were dealt from it and all nonces.

    Another deal of the seed than the first counts only if the race's rules ask for one.
    """
    daily = room.kind == "daily"
    wanted = room.grade if daily else room.rules.grade
    if badly_chosen(room.kind, room.rules, reveal.chosen, wanted) or (room.counter and not daily):
        return False
    server_seed = bytes.fromhex(reveal.server_seed)
    bound = hashlib.sha256(b"bigben-commit-v1" + server_seed).hexdigest()
    nonces = bytes.fromhex("".join(reveal.nonces))
    mixed = hashlib.sha256(server_seed + nonces).digest() if reveal.nonces else server_seed
    dealt_from = counted(mixed, reveal.chosen.deal).hex()
    return bound == room.commitment == reveal.commitment and reveal.seed == dealt_from


async def _revealed(player: Player, room: Room) -> Reveal | None:
    """The deal; None before the race is closed: until then nobody may know it."""
    if room.phase != "closed":
        return None
    if room.race not in player.reveals:
        await player.client.watch(room.race)
        return await player.revealed(room.race)
    return player.reveals[room.race]


async def _receipt(player: Player, room: Room, reveal: Reveal) -> Attachment | None:
    """The receipt of a closed race; None where it can't be made here."""
    if room.phase != "closed" or room.players > MOST_SEATS:
        return None
    text = await ask_receipt(player.client, room, reveal)
    return Attachment(f"bigben-{room.race}.json", text.encode("ascii")) if text else None
