"""`python -m bigben_terminal` runs the `bigben` command."""

import sys

from bigben_terminal.cli import main

sys.exit(main())
