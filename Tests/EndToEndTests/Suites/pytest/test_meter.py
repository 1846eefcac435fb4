"""Tests of the user, which run suites and check captures themselves."""

import pytest

from conform import Conform, ConformError


def test_run_and_check(conform: Conform) -> None:
    run = conform.run("suites", cases=["greets"], device="device.yaml")
    assert run.conformant and run.device == "Meter"
    case = run["meter/greets"]
    assert case.passed and case.checks == {"M-1": "pass"} and case.capture.is_file()
    check = conform.check("suites/meter.yaml", case.capture)
    assert [each.verdict for each in check.cases] == ["pass"]
    assert check["greets"].position.line == 11


def test_failure(conform: Conform) -> None:
    run = conform.run("suites", cases=["leaves"], device="device.yaml")
    assert run.exit_code == 1 and run.requirements["M-2"] == "fail"
    why = run["leaves"].explanation
    assert why and why.requirements[0].id == "M-2" and "goodbye" in why.expected


def test_unreadable_suite(conform: Conform) -> None:
    with pytest.raises(ConformError, match="nothing.yaml"):
        conform.run("nothing.yaml")
