"""The faults that `make mutants` plants fit the code, and each breaks a promise of its own."""

from tools.mutants import PLANTED, planted

COUNT = 40


def test_each_fault_fits_the_code_and_names_its_tests_and_its_document() -> None:
    assert len({fault.name for fault in planted()}) == COUNT
    assert all(fault.tests for fault in planted())


def test_no_two_faults_break_the_same_promise() -> None:
    lines = PLANTED.read_text().splitlines()
    assert len({line for line in lines if line.startswith("promise = ")}) == COUNT
