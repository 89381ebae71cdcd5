"""The subcommands of `bigben`, one module each."""
