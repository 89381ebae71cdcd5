"""Several requests about one race in the same batch: no broadcast is lost."""

from pathlib import Path

from tests.wire.in_process import server_here
from tests.wire.peer import peer

from bigben_protocol import Create, Diff, GetStandings, Move, Progress, Ready, Room, Snapshot


async def test_a_move_is_broadcast_even_if_a_request_is_answered_in_the_same_batch(
    tmp_path: Path,
) -> None:
    async with server_here(tmp_path / "data") as url, peer(url) as ada:
        room = await ada.ask(Create(practice=True, seed="5e" * 32, ref=1), Room)
        legal = (await ada.ask(Ready(room.race, ref=2), Snapshot)).legal
        for n in range(1, 21):
            # Sent without a pause between, so that the server reads both at once.
            await ada.say(Move(room.race, n, legal[-1]), GetStandings(room.race, ref=n))
            diff = await ada.until(Diff)
            assert diff.legal
            legal = diff.legal
            told = await ada.until(Progress, lambda told: told.seats[0].moves > 0)
            assert told.seats[0].moves == n
