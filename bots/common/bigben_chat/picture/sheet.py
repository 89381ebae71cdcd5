"""A sheet to draw a piece of a picture on, at several times its size; fonts; and the file."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from math import cos, radians, sin
from typing import Final

from PIL import Image, ImageDraw, ImageFont

OVERSAMPLED: Final = 3
"""Pieces are drawn this many times larger and then reduced, for smooth edges."""

Colour = tuple[int, int, int]

_CLEAR: Final = 127
"""Of the PNG's colours the clear one; those before it are enough for smooth edges and backs, and
need far fewer bytes than all would."""


@cache
def font(size: int, *, serif: bool = False) -> ImageFont.FreeTypeFont:
    """A font that comes with the package: with serifs for numbers that matter, else without."""
    name = f"DejaVu{'Serif' if serif else 'Sans'}Condensed-Bold.ttf"
    data = files("bigben_chat.picture").joinpath("fonts", name).read_bytes()
    return ImageFont.truetype(BytesIO(data), size)


class Sheet:
    """A drawing at several times its size; ``done`` brings it to its own."""

    def __init__(self, width: float, height: float) -> None:
        self.size = round(width), round(height)
        big = self.size[0] * OVERSAMPLED, self.size[1] * OVERSAMPLED
        self.image = Image.new("RGBA", big, (0, 0, 0, 0))
        self.draw = ImageDraw.Draw(self.image)

    def box(
        self,
        box: tuple[float, float, float, float],
        radius: float,
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 0,
    ) -> None:
        """A rectangle with round corners."""
        left, top, right, bottom = (value * OVERSAMPLED for value in box)
        self.draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1),
            radius * OVERSAMPLED,
            fill,
            outline,
            round(width * OVERSAMPLED),
        )

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """A circle."""
        k = OVERSAMPLED
        box = ((x - radius) * k, (y - radius) * k, (x + radius) * k - 1, (y + radius) * k - 1)
        self.draw.ellipse(box, fill)

    def hand(self, angle: float, length: float, width: float, fill: Colour) -> None:
        """A hand of a clock, from the middle; the angle from noon, clockwise, in degrees."""
        k = OVERSAMPLED
        x, y = self.size[0] * k / 2, self.size[1] * k / 2
        towards = sin(radians(angle)), -cos(radians(angle))

        def at(along: float, aside: float) -> tuple[float, float]:
            return (
                x + k * (along * towards[0] - aside * towards[1]),
                y + k * (along * towards[1] + aside * towards[0]),
            )

        half = width / 2
        outline = (at(-length / 6, half / 2), at(length * 0.7, half), at(length, 0),
                   at(length * 0.7, -half), at(-length / 6, -half / 2))  # fmt: skip
        self.draw.polygon(outline, fill)

    def write(
        self, x: float, y: float, text: str, size: float, fill: Colour, *, serif: bool = False
    ) -> None:
        """Text about a point."""
        place = (x * OVERSAMPLED, y * OVERSAMPLED)
        self.draw.text(place, text, fill, font(round(size * OVERSAMPLED), serif=serif), "mm")

    def done(self) -> Image.Image:
        """The drawing at its own size, with smooth edges."""
        return self.image.resize(self.size, Image.Resampling.LANCZOS)


def png(canvas: Image.Image, clear: Image.Image) -> bytes:
    """The picture as a small file, of which nothing is seen where ``clear``."""
    small = canvas.quantize(_CLEAR, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.putpalette([*(small.getpalette() or ()), *bytes(3 * _CLEAR)][: 3 * _CLEAR + 3])
    small.paste(_CLEAR, (0, 0), clear)
    file = BytesIO()
    small.save(file, "PNG", compress_level=6, transparency=_CLEAR)
    return file.getvalue()
