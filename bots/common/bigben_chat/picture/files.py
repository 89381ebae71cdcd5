"""What all pictures have in common: their fonts, and how they become a file."""

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final

from PIL import Image, ImageFont

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


def png(canvas: Image.Image, clear: Image.Image) -> bytes:
    """The picture as a small file, of which nothing is seen where ``clear``."""
    small = canvas.quantize(_CLEAR, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.putpalette([*(small.getpalette() or ()), *bytes(3 * _CLEAR)][: 3 * _CLEAR + 3])
    small.paste(_CLEAR, (0, 0), clear)
    file = BytesIO()
    small.save(file, "PNG", compress_level=6, transparency=_CLEAR)
    return file.getvalue()
