"""``python -m bigben_house``."""

import sys

from bigben_house.cli import house

if __name__ == "__main__":
    sys.exit(house(sys.argv[1:]))
