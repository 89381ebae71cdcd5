"""Whether two pictures of a screen look alike to an eye that does not count pixels. No tests."""

from io import BytesIO
from typing import Final

from PIL import Image, ImageChops

SMALLER: Final = 2
"""How many times smaller than the screen the pictures are: references are small files."""
BLOCK: Final = 4
"""Pixels whose mean colour is compared. A letter that another machine draws a little thicker hardly
changes it; a box that has moved does, all along its edges."""
NOTICED: Final = 10
"""From so many of 255 levels on, a block differs."""
TOLERATED: Final = 0.004
"""The share of blocks that may differ."""


def small(png: bytes) -> Image.Image:
    """A screenshot as it is compared."""
    return Image.open(BytesIO(png)).convert("RGB").reduce(SMALLER)


def alike(one: Image.Image, other: Image.Image) -> bool:
    return apart(one, other) <= TOLERATED


def apart(one: Image.Image, other: Image.Image) -> float:
    """The share of blocks that differ; 1 if the sizes do."""
    if one.size != other.size:
        return 1.0
    marked = _differing(one, other)
    return marked.histogram()[255] / (marked.width * marked.height)


def _differing(one: Image.Image, other: Image.Image) -> Image.Image:
    """White where blocks differ, one pixel for each."""
    blocks = [picture.convert("RGB").reduce(BLOCK) for picture in (one, other)]
    red, green, blue = ImageChops.difference(*blocks).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point([255 * (level >= NOTICED) for level in range(256)])


def beside(before: Image.Image, now: Image.Image) -> Image.Image:
    """Both pictures in one, and a third one that is red where they differ."""
    marked = now.convert("RGB")
    if before.size == now.size:
        where = _differing(before, now).resize(now.size, Image.Resampling.NEAREST)
        marked.paste((220, 0, 0), mask=where.point([0] * 255 + [160]))
    pictures = [before.convert("RGB"), now.convert("RGB"), marked]
    sheet = Image.new("RGB", (sum(each.width for each in pictures), max(before.height, now.height)))
    left = 0
    for each in pictures:
        sheet.paste(each, (left, 0))
        left += each.width
    return sheet
