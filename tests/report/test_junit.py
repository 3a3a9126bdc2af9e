"""The verdict for CI: every mutant and every correct implementation is a case, and the XML can be read."""

import xml.etree.ElementTree as ET

from mutakata.report.junit import matrix_junit
from tests.report.matrices import EVERY_KIND, matrix, row


def read(text: str) -> ET.Element:
    suite = ET.fromstring(text.encode()).find("testsuite")
    assert suite is not None
    return suite


def test_the_counts_are_those_of_the_cases() -> None:
    suite = read(matrix_junit(EVERY_KIND))
    cases = suite.findall("testcase")
    assert int(suite.get("tests", "")) == len(cases) == 8
    assert int(suite.get("failures", "")) == sum(case.find("failure") is not None for case in cases) == 4
    assert int(suite.get("skipped", "")) == sum(case.find("skipped") is not None for case in cases) == 1


def test_what_failed_says_how() -> None:
    suite = read(matrix_junit(EVERY_KIND))
    failures = {case.get("name"): case.find("failure") for case in suite.findall("testcase")}
    said = {name: one.get("message") for name, one in failures.items() if one is not None}
    assert said == {
        "alive": "survived",
        "slow": "timeout",
        "fallen": "crash",
        "einsum": "false kill: AssertionError",
    }
    assert failures["einsum"] is not None and failures["einsum"].text == "assert [1] == [2]"


def test_no_text_of_a_test_breaks_the_xml() -> None:
    text = "a\x00b\x1b[31m<&]]>\ufffe\ud800 ü"
    suite = read(matrix_junit(matrix(row("einsum", "faithful", "error", "pass", text=text, exception="E"))))
    failure = suite.find("testcase/failure")
    assert failure is not None and failure.text == "a?b?[31m<&]]>?? ü"
