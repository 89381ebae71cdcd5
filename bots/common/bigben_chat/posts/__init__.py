"""The public messages of races, kept up to date, and the daily post."""
