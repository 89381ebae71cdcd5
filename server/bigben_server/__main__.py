"""``python -m bigben_server`` is ``bigben serve``."""

import sys

from bigben_server.cli import serve

if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))
