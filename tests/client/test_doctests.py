"""The examples in the docstrings of the client and the protocol."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "module",
    ["bigben_client.connection.address", "bigben_client.evidence.dealing", "bigben_protocol.view"],
)
def test_the_examples_are_true(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0
    assert results.failed == 0
