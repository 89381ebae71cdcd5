"""The examples in the docstrings of the rules."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("module", ["bigben_rules.bigben.moves", "bigben_rules.variants"])
def test_the_examples_are_true(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0
    assert results.failed == 0
