"""``/bigben verify``: what was promised, what was revealed, and the receipt for all to check.

Checks the promise. Who plays all moves again is ``bigben verify``, from the receipt alone.
"""

import hashlib
from typing import Final

from bigben_chat.connections.player_pool import Player
from bigben_chat.evidence import verdict
from bigben_client import ask_receipt
from bigben_discord import telling
from bigben_discord.actions.races import visitor
from bigben_discord.controls import Attached, Content
from bigben_discord.interactions.answers import Answer
from bigben_protocol import Reveal, Room

MOST_SEATS: Final = 200
"""Of a race whose receipt is made here, in good time; ``bigben receipt`` makes those of others."""


async def verify(answer: Answer, race: str) -> None:
    """Answer with the promise, whether what was revealed fits it, and the receipt."""
    say = answer.say
    async with answer.interaction.client.players.at(visitor(answer.interaction)) as player:
        room = await player.room(race)
        lines = [
            say("public.title", race=telling.race_name(room.race, say)),
            say("verify.commitment", hex=room.commitment),
        ]
        kept = player.client.kept.get(room.race)
        if kept and kept.nonce and kept.kind == "live":
            lines.append(say("verify.nonce", hex=kept.nonce))
        attached = plain = None
        reveal = await _revealed(player, room)
        if reveal is None:
            lines.append(say("verify.later"))
            if room.closes_at:
                lines.append(say("verify.not_yet", at=telling.moment(room.closes_at)))
        else:
            lines.append(say("verify.seed", server=reveal.server_seed, seed=reveal.seed))
            # What was seen before the start says more than what the server says of itself now.
            fits = say("verify.fits") if proves(reveal, room.commitment) else say("verify.wrong")
            lines.append(verdict(kept, await player.judge(room.race), say) or fits)
            attached = await _receipt(player, room, reveal)
            page = answer.interaction.client.settings.page
            by_command = say("verify.receipt", race=room.race, server=page)
            plain = Content("\n".join([*lines, by_command]))
            lines.append(say("verify.attached", file=attached.name) if attached else by_command)
    await answer.show(Content("\n".join(lines), attached=attached, plain=plain))


def proves(reveal: Reveal, commitment: str) -> bool:
    """Whether the seed was committed to, and the cards were dealt from it and all nonces."""
    server_seed = bytes.fromhex(reveal.server_seed)
    bound = hashlib.sha256(b"bigben-commit-v1" + server_seed).hexdigest()
    nonces = bytes.fromhex("".join(reveal.nonces))
    mixed = hashlib.sha256(server_seed + nonces).hexdigest()
    dealt_from = mixed if reveal.nonces else reveal.server_seed
    return bound == commitment == reveal.commitment and reveal.seed == dealt_from


async def _revealed(player: Player, room: Room) -> Reveal | None:
    """The deal; None before the race is closed, when nobody is told it."""
    if room.phase != "closed":
        return None
    if room.race not in player.reveals:
        await player.client.watch(room.race)
        return await player.revealed(room.race)
    return player.reveals[room.race]


async def _receipt(player: Player, room: Room, reveal: Reveal) -> Attached | None:
    """The receipt of a closed race; None where there is none to be had here."""
    if room.phase != "closed" or room.players > MOST_SEATS:
        return None
    text = await ask_receipt(player.client, room, reveal)
    return Attached(f"bigben-{room.race}.json", text.encode("ascii")) if text else None
