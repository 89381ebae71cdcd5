"""The seat of a house player. It sees what its client sees, and judges no move."""

import asyncio
from random import Random

from bigben_client import Client
from bigben_house.seen import position_of
from bigben_protocol import View
from bigben_solver.players import HousePlayer


async def play_out(
    client: Client, race: str, player: HousePlayer, rng: Random, *, pace: float = 0.0
) -> View:
    """Play a game whose cards are out to its end; resigns when the player has no plan left.

    ``pace`` is the least number of seconds between two moves. Returns the last view.
    """
    rules = client.rooms[race].rules
    while (view := client.views[race]).state == "playing":
        # In a thread: while one thinks, the others play.
        position = position_of(view, rules)
        plan = await asyncio.to_thread(player.plan, position, rng)
        for move in plan:
            if client.views[race].state == "playing":
                await client.move(race, position.format(move))
                await asyncio.sleep(pace)
        if not plan:
            await client.move(race, "resign")
    return view
