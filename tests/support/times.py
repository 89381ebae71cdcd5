"""The day on which tests with their own clock play, in ms since 1970."""

from datetime import UTC, datetime
from typing import Final

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
MIDNIGHT: Final = int(datetime(2026, 11, 21, tzinfo=UTC).timestamp()) * 1000
NOON: Final = MIDNIGHT + DAY // 2
