"""`python -m bigben_terminal` is the `bigben` command. Nothing else."""

import sys

from bigben_terminal.cli import main

sys.exit(main())
