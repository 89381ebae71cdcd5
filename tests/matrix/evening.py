"""An evening on Matrix: several people at once, in rooms and alone with the bot. No tests."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final, NamedTuple

from tests.matrix.people import People, Person
from tests.matrix.playing import Racer, begun, races, verbs
from tests.matrix.seen import Json, Message

from bigben_chat.texts import Say, say_in
from bigben_matrix.bot import BigBenMatrix
from bigben_matrix.events import ONLY_FOR

CARD: Final = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]|\b(?:10|[2-9AJQK])[SHDC]\b")
RACE_PICTURE: Final = "race.png"


class Company(NamedTuple):
    """Who plays what this evening, in a room of their own."""

    room: str
    language: str
    names: Sequence[str]
    games: Sequence[str]
    daily: str
    """A game of which the first of them plays today's race, alone with the bot."""


COMPANIES: Final = (
    Company("Friends", "en", ("Ada", "Ben"), ("bigben", "clock"), "watch"),
    Company("Freunde", "de", ("Dora", "Emil"), ("grandfathersclock", "germanclock"), "watch"),
    Company("Club", "en", ("Cy", "Fay"), ("hideandseek", "travellers"), "bigben"),
)


@dataclass
class Evening:
    """What happens in one evening, all companies side by side."""

    people: People
    bot: BigBenMatrix
    moves: int
    """Of each player in each race."""
    posts: list[tuple[Person, Message]] = field(default_factory=list)
    """The public messages as they were when their race was over, each with somebody who saw it."""

    async def happens(self, companies: Iterable[Company] = COMPANIES) -> None:
        """Play it to its end."""
        async with asyncio.TaskGroup() as tasks:
            for company in companies:
                tasks.create_task(self._meets(company))

    async def _meets(self, company: Company) -> None:
        say = say_in(company.language)
        racers = [
            Racer(await self.people.person(name), self.bot, company.language)
            for name in company.names
        ]
        host, *others = racers
        me = self.bot.homeserver.user
        room = await host.person.room(company.room, *(one.person for one in others), me)
        await host.person.sees_member(room, me)
        said = await host.person.says(room, f"!bigben settings language:{company.language}")
        await host.person.sees(room, lambda seen: seen.sender == me, after=said)
        for racer in racers:
            await racer.speaks(room)
        for game in company.games:
            await self._race(room, racers, f"!bigben race {game} undo", say)
        await self._daily(host, company.daily)
        said = await host.person.says(room, f" !BB leader {company.daily}")
        await others[0].person.sees(room, host.person.name, after=said)

    async def _race(self, room: str, racers: Sequence[Racer], line: str, say: Say) -> None:
        race, message = await begun(racers[0], room, line, *racers[1:])
        await asyncio.gather(*(racer.plays(race, self.moves) for racer in racers))
        await asyncio.gather(*(racer.gives_up(race) for racer in racers))
        over = say.label("race.closed")

        def final(seen: Message) -> bool:
            names = all(racer.person.name in seen.text for racer in racers)
            return seen.id == message.id and over in seen.text and "🥇" in seen.text and names

        for racer in racers:
            self.posts.append((racer.person, await racer.person.sees(room, final)))

    async def _daily(self, racer: Racer, game: str) -> None:
        direct = await racer.direct()
        said = await racer.person.says(direct, f"daily {game}")

        def intro(seen: Message) -> bool:
            return "begin" in verbs(seen)

        message = await racer.person.sees(direct, intro, after=said)
        (race,) = (race for race in races(message) if race.startswith("daily."))
        await racer.person.presses(message, "begin")
        await racer.sees_board(race, 0)
        await racer.plays(race, self.moves)
        await racer.gives_up(race)


@dataclass
class Figures:
    """What the bot has sent, as its own account finds it on the homeserver."""

    events: int = 0
    answers: int = 0
    """Requests of people that were answered."""
    edits: int = 0
    pictures: list[int] = field(default_factory=list)
    """How many ms after each request its picture was there."""
    doubles: list[str] = field(default_factory=list)
    """Transactions that are more than one event."""
    cards: list[str] = field(default_factory=list)
    """What only its player may see, in a room where others are too."""

    def lines(self, limited: int) -> list[str]:
        """As docs/performance.md has them; ``limited``: how often the bot sent too fast."""
        times = sorted(self.pictures)
        return [
            f"events of the bot              {self.events:>8}",
            f"of these edits                 {self.edits:>8}",
            f"requests answered              {self.answers:>8}",
            f"answered 429                   {limited:>8}",
            f"pictures in answers            {len(times):>8}",
            f"request to picture, median     {median(times):>5.0f} ms",
            f"request to picture, 95 of 100  {times[len(times) * 95 // 100]:>5} ms",
            f"sent twice                     {len(self.doubles):>8}",
            f"cards in public rooms          {len(self.cards):>8}",
        ]


async def figures_of(bot: Person) -> Figures:
    """Count what the bot's account has sent in all its rooms."""
    found = Figures()
    sent: Counter[str] = Counter()
    asked: dict[str, int] = {}
    answered: set[str] = set()
    for room in (await bot.request("GET", "joined_rooms"))["joined_rooms"]:
        events = await bot.history(room)
        alone = any("bigben.direct" in event["content"] for event in events[:1])
        asked |= {event["event_id"]: event["origin_server_ts"] for event in events}
        for event in (one for one in events if one["sender"] == bot.user and not _state(one)):
            transaction = event.get("unsigned", {}).get("transaction_id", "")
            sent[transaction] += 1
            found.events += 1
            content = event["content"].get("m.new_content", event["content"])
            found.edits += "m.new_content" in event["content"]
            request = transaction.rpartition("-")[0]
            if request in asked:
                answered.add(request)
                if content.get("filename") == "board.png":
                    found.pictures.append(event["origin_server_ts"] - asked[request])
            if not alone:
                found.cards += _private(event["content"]) + _private(content)
    found.answers = len(answered)
    found.doubles = [id for id, times in sent.items() if id and times > 1]
    return found


def _state(event: Json) -> bool:
    return "state_key" in event


def _private(content: Json) -> list[str]:
    """What this says that only one player may see."""
    said = f"{content.get('body')} {content.get('formatted_body')}"
    picture = content.get("msgtype") == "m.image" and content.get("filename") != RACE_PICTURE
    return CARD.findall(said) + [said] * (ONLY_FOR in content or picture)
