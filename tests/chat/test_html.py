"""How a text is written as lines and as HTML: its tags, its times, and what others wrote."""

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discord.test_recorded_messages import messages

from bigben_chat.html import Writer
from bigben_chat.store import ChatId
from bigben_chat.texts import languages, say_in
from bigben_chat.tree import (
    Block,
    Code,
    Command,
    Emphasis,
    Heading,
    Item,
    Link,
    Listed,
    Name,
    Option,
    Person,
    Quoted,
    Rest,
    Role,
    Small,
    Strong,
    Time,
    Written,
    lines,
    text,
)

NOW: Final = datetime(2026, 11, 29, 8, 0, tzinfo=UTC)
LONGEST: Final = 4000
TAGS: Final = {"a", "br", "code", "em", "h3", "h4", "h5", "li", "pre", "strong", "sub", "ul"}
ANY: Final = st.text(st.characters(exclude_categories=()), max_size=60)
"""Whatever somebody may write, half letters and signs that turn the direction included."""
HIDDEN: Final = re.compile("[\u200b\u2066-\u2069]")


def address(id: ChatId) -> str:
    return f"https://people.example/{id}"


def writer(zone: str = "UTC") -> Writer:
    return Writer("!bigben", address, LONGEST, ZoneInfo(zone), NOW)


class Read(HTMLParser):
    """Reads HTML: its tags, which have to be closed in order, and its words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.links: list[str | None] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert dict(attrs).keys() <= ({"href"} if tag == "a" else set())
        self.tags.append(tag)
        self.links += [value for _, value in attrs]
        if tag == "br":
            self.words += "\n"
        else:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_lines_headings_lists_and_blocks_are_html_and_plain_lines() -> None:
    said = lines(
        Heading(3, ("Race",)),
        Small(("by the clock",)),
        "",
        text("Press ", Emphasis(("Ready",)), ", ", Name("Ada"), "."),
        Item((Strong(("one",)),)),
        Item(("two  spaces",)),
        Block("a <b>\nc"),
        text(Command("settings", (Option("zone", "UTC"),)), " ", Code("3 fdn")),
        Link("https://x.example/?a=1&b"),
    )
    form = writer().form(said)
    assert form.plain == (
        "Race\nby the clock\n\nPress Ready, Ada.\n• one\n• two  spaces\na <b>\nc\n"
        "!bigben settings zone:UTC 3 fdn\nhttps://x.example/?a=1&b"
    )
    assert form.html == (
        "<h5>Race</h5><sub>by the clock</sub><br><br>Press <em>Ready</em>, Ada."
        "<ul><li><strong>one</strong></li><li>two\u00a0 spaces</li></ul>"
        "<pre><code>a &lt;b&gt;\nc</code></pre>"
        "<code>!bigben settings zone:UTC</code> <code>3 fdn</code><br>"
        '<a href="https://x.example/?a=1&amp;b">https://x.example/?a=1&amp;b</a>'
    )


def test_times_are_said_in_utc_and_in_the_zone_of_the_readers() -> None:
    def said(after: timedelta, style: str, zone: str = "UTC") -> str:
        time = msgspec.convert({"at_ms": _ms(NOW + after), "style": style}, Time)
        return writer(zone).form((time,)).plain

    soon, later = timedelta(minutes=15), timedelta(days=3)
    assert said(soon, "distance") == "08:15 UTC"
    assert said(soon, "clock", "Europe/Berlin") == "09:15 CET (08:15 UTC)"
    assert said(later, "distance") == said(later, "date") == "2026-12-02 08:00 UTC"
    assert said(soon, "date", "America/New_York") == "2026-11-29 03:15 EST (08:15 UTC)"


def test_a_day_and_hour_is_not_said_twice() -> None:
    end, later = _ms(NOW + timedelta(days=3)), _ms(NOW + timedelta(minutes=5))
    at, left = Time(end, "date"), Time(end)
    for said in (
        text("until ", at, " (", left, ")."),
        text("until ", left, ", ", at, "."),
    ):
        assert writer().form(said).plain == "until 2026-12-02 08:00 UTC."
    other = text("until ", at, " (", Time(later), ")")
    assert writer().form(other).plain == "until 2026-12-02 08:00 UTC (08:05 UTC)"
    for say in languages().values():
        for key in ("public.deadline", "season.reminder"):
            told = say(key, name=Name("Cup"), week="3", at=at, left=left)
            assert writer().form(told).plain.count("08:00 UTC") == 1


def test_what_was_written_and_stored_stands_as_it_is_in_another_text() -> None:
    said = lines(Heading(2, ("Yesterday",)), text("1. ", Strong((Name("<Ada>"),))))
    stored = writer().stored(said)
    again = writer().form(lines(Written(stored), "today"))
    assert again == writer().form(lines(said, "today"))


def test_a_person_is_a_link_and_a_role_is_nothing() -> None:
    form = writer().form((Person("@ada:x.example"), Role("r"), "!"))
    assert form.plain == "@ada:x.example!"
    assert form.html == '<a href="https://people.example/@ada:x.example">@ada:x.example</a>!'


def test_the_columns_of_a_block_stay_where_they_are() -> None:
    assert writer().form((Block(" h  fan\n12  K♠"),)).plain == " h  fan\n12  K♠"


def test_a_list_is_cut_to_what_an_event_has_room_for_and_says_how_much_is_left_out() -> None:
    rows = tuple(text(f"{number} ", Name('"' * 150)) for number in range(20))
    form = writer().form(lines("above", Listed(rows, text("\n+", Rest())), "below"))
    assert len(form.html) <= LONGEST
    shown = re.findall(r"^(\d+) ", form.plain, re.MULTILINE)
    assert 0 < len(shown) < 20
    assert form.plain.endswith(f"\n+{20 - len(shown)}\nbelow")


@given(ANY, ANY)
def test_what_others_wrote_is_words_and_nothing_else(one: str, other: str) -> None:
    said = text("Name: ", Name(one), "\n", Strong((Quoted(other),)), Code(one), Block(other))
    form = writer().form(said)
    read = Read(form.html)
    assert [tag for tag in read.tags if tag != "br"] == ["strong", "code", "pre", "code"]
    assert read.links == []
    form.plain.encode()


@pytest.mark.parametrize(
    "wrote",
    [
        "@room",
        "@ada:x.example",
        "#talk:x.example",
        "!r:x.example",
        "https://x.example",
        "x.example",
    ],
)
def test_what_others_wrote_is_no_mention_and_no_address(wrote: str) -> None:
    for part in (Name(f"a {wrote}"), Quoted(f"a {wrote}")):
        form = writer().form((part,))
        assert wrote not in form.plain
        assert wrote not in form.html
        assert HIDDEN.sub("", form.plain) == f"a {wrote}"


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=60))
def test_names_are_shown_with_every_letter(name: str) -> None:
    form = writer().form(("x", Name(name), "x"))
    assert HIDDEN.sub("", form.plain) == f"x{HIDDEN.sub('', name)}x"
    assert Read(form.html).words == form.plain


def test_a_name_from_the_right_turns_nothing_around_it() -> None:
    assert writer().form((Name("שלום\u2069\u202e"),)).plain == "\u2068שלום\u2069"


@given(st.lists(ANY, max_size=30).map("".join), st.integers(1, 200))
def test_no_text_is_longer_than_an_event_takes(words: str, times: int) -> None:
    for part in (Name(words * times), Quoted(words * times), Code(words * times)):
        form = writer().form((Strong((part,)),))
        assert len(msgspec.json.encode(form.plain)) <= LONGEST
        Read(form.html)


@pytest.mark.parametrize("language", languages())
def test_every_message_is_html_that_says_the_same_as_its_lines(language: str) -> None:
    for name, content in messages(say_in(language)):
        form = writer().form(content.text)
        said = _words(Read(form.html).words)
        assert said == _words(form.plain), name


def _words(said: str) -> str:
    """Without what differs: bullets and breaks."""
    return "".join(said.replace("• ", "").split())


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)
