"""The verdict of a run as JUnit XML: a case for each mutant and each faithful implementation."""

import re
import xml.etree.ElementTree as ET

from mutakata.judge import Matrix, Row

NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def matrix_junit(matrix: Matrix) -> str:
    """One suite; a mutant that was not killed and a correct implementation that was are failures."""
    failures = sum(row.status != "killed" for row in matrix.mutants if row.status != "equivalent")
    root = ET.Element("testsuites")
    suite = ET.SubElement(
        root,
        "testsuite",
        name=f"kata {matrix.kata}",
        tests=str(len(matrix.mutants) + len(matrix.faithful)),
        failures=str(failures + sum(not row.accepted for row in matrix.faithful)),
        skipped=str(matrix.count("equivalent")),
        time=f"{matrix.seconds:.3f}",
    )
    for row in (*matrix.mutants, *matrix.faithful):
        _case(suite, matrix.kata, row)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, kata: str, row: Row) -> None:
    one = row.implementation
    seconds = sum(cell.seconds for cell in row.cells)
    case = ET.SubElement(
        suite, "testcase", classname=f"{kata}.{one.role}", name=one.id, time=f"{seconds:.3f}"
    )
    if one.role == "faithful":
        if not row.accepted:
            ET.SubElement(case, "failure", message=f"false kill: {row.how}").text = NOT_XML.sub("?", row.text)
    elif row.status == "equivalent":
        ET.SubElement(case, "skipped", message=one.note)
    elif row.status != "killed":
        ET.SubElement(case, "failure", message=row.status).text = row.how
