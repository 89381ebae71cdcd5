"""What years of games cost: a store is filled with them, and then everything is measured in it.

    python -m benchmarks.years --games 100000

See ``__main__.py``.
"""
