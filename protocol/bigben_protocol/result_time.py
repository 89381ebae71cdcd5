"""A result's time as every front end shows it: when the last card came home, which decides places.

``web/bigben_web/files/words.js`` says the same.
"""


def result_time(home_ms: int) -> str:
    """The ``home_ms`` of a Standing or View as text, to the tenth: it may decide a place.

    Empty if no card came home, and in a game in which nothing is decided.

    >>> result_time(187_449), result_time(3_900_000), result_time(0)
    ('3:07.4', '1:05:00.0', '')
    """
    if not home_ms:
        return ""
    minutes, ms = divmod(home_ms, 60_000)
    hours, minutes = divmod(minutes, 60)
    rest = f"{ms // 1000:02}.{ms % 1000 // 100}"
    return f"{hours}:{minutes:02}:{rest}" if hours else f"{minutes}:{rest}"
