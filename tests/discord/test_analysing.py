"""`/bigben analyse`: refused while a race is open, then the analysis of a real server."""

import pytest
from tests.discord.playing import sees_cards
from tests.discord.standin.people import Channel
from tests.discord.standin.server import Discord
from tests.discord.test_proofs import raced

from bigben_chat.messages import analysis
from bigben_chat.texts import say_in
from bigben_discord.bot import BigBen
from bigben_discord.interactions.markdown import LONGEST, markdown
from bigben_protocol import AnalysedSeat, Analysis, AnalysisPoint, CostlyMove, PlayerId, RaceId


async def test_a_race_is_analysed_once_it_is_closed(
    world: Discord, bot: BigBen, channel: Channel
) -> None:
    oda = world.person("Oda")
    await sees_cards(oda, channel)
    early = await (await oda.types(channel, "bigben analyse")).shown()
    assert early.content == "You can see the analysis when the race is over."
    ada = world.person("Ada *♣*")
    await raced(world, channel, ada, world.person("Bob"))
    asked = await ada.types(channel, "bigben analyse")
    shown = await asked.shown()
    await world.changes.until(lambda: "Best known win:" in shown.content, "the analysis is there")
    assert shown.only_for == ada.user
    assert "### Ada \\*♣\\*" in shown.content
    assert "Skill **" in shown.content


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_message_has_room_for_the_longest_analysis(language: str) -> None:
    points = tuple(AnalysisPoint(n, n % 10_000, n % 10_400, n % 105) for n in range(2_000))
    costly = tuple(CostlyMove(2_000 - n, "12 f12", "11 f11", 10_000, 9_200) for n in range(3))
    seat = AnalysedSeat(PlayerId("guest:a"), "*" * 32, points, costly, -20_000, 30_000, -9_999, 9)
    race = RaceId("daily.2026-11-21.grandfathersclock.standard")
    told = Analysis(race, 1, 1, (seat,) * 12, 117, "fiendish")
    content = analysis.analysis(told, 104, say_in(language))
    assert 500 < len(markdown(content.text)) <= LONGEST
    assert "▰" in markdown(analysis.progress(race, 30, 100, say_in(language)).text)
