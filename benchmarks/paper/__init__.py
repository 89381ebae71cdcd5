"""The parts of ``benchmarks.winnability``: its results, its tables and its plot."""
