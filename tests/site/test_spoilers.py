"""Nothing that is protected reaches a candidate: every field carries a marker, everything built is searched."""

import gzip
import re
import shutil
import subprocess
from dataclasses import fields, replace
from pathlib import Path

import jinja2
import pytest

from mutakata.bank import load_bank
from mutakata.site import audience as gate
from mutakata.site.build import Place, checkout, listed, make_site, navigation, read_config, write_tree
from mutakata.site.pages import environment, render, site
from tests.site.bank import PROTECTED, PUBLIC, make_bank
from tests.site.conftest import pages_of

EMPTY = gate.Answers("", "", "", "", (), (), "", ())


def text_of(path: Path) -> str:
    """A file as text in which a marker would stand, whatever the file is."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = gzip.decompress(content)
    return f"{path.name} {content.decode('utf-8', 'ignore')}".lower()


def found_in(folder: Path, words: dict[str, str]) -> dict[str, set[str]]:
    """Field to the kinds of file below `folder` that hold its marker, or have it in their path."""
    found: dict[str, set[str]] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            text = f"{path.relative_to(folder).as_posix()} {text_of(path)}"
            for name, word in words.items():
                if word in text:
                    found.setdefault(name, set()).add("".join(path.suffixes[-2:]))
    return found


def test_every_marker_stands_in_the_bank(tmp_path):
    make_bank(tmp_path, questions=1)
    assert found_in(tmp_path, PROTECTED | PUBLIC).keys() == (PROTECTED | PUBLIC).keys()


def test_the_candidates_build_holds_no_marker(made):
    for folder in (made.place.output("candidate"), made.place.pages("candidate")):
        assert found_in(folder, PROTECTED) == {}
        assert found_in(folder, PUBLIC).keys() == PUBLIC.keys()


def test_every_kind_of_file_is_searched(made):
    kinds = {
        "".join(path.suffixes[-2:]) for path in made.place.output("candidate").rglob("*") if path.is_file()
    }
    assert {".html", ".json", ".xml", ".xml.gz", ".js.map", ".css.map", ".min.js", ".css", ".svg"} <= {
        kind if kind in (".xml.gz", ".js.map", ".css.map", ".min.js") else f".{kind.rsplit('.', 1)[-1]}"
        for kind in kinds
    } | kinds
    where = found_in(made.place.output("candidate"), PUBLIC)
    assert {".html", ".json"} <= where["title"]


def test_the_interviewers_build_holds_every_answer(made):
    shown = PROTECTED.keys() - {"reference of the kata"}
    assert shown <= found_in(made.place.output("interviewer"), PROTECTED).keys()


def printed(page, folder: Path) -> str:
    """The text of a page's PDF, without the spaces and hyphens at which a line may have been broken."""
    path = folder / "page.pdf"
    page.pdf(path=path)
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    return re.sub(r"[\s\u00ad-]+", "", text.lower())


@pytest.fixture
def printer():
    if shutil.which("pdftotext") is None:
        pytest.skip("no pdftotext: apt-get install -y poppler-utils")


def test_no_printed_page_of_a_candidate_holds_a_marker(made, visit, printer, tmp_path):
    everything = ""
    page = visit("candidate", "").page
    home = page.url
    for path in pages_of(made.place.output("candidate")):
        if path.startswith("questions/number-") and not path.startswith("questions/number-0/"):
            continue  # the same text in each
        page.goto(home + path)
        text = printed(page, tmp_path)
        assert [name for name, word in PROTECTED.items() if word in text] == [], path
        everything += text
    assert all(word in everything for word in PUBLIC.values())


def test_printing_opens_answers_only_when_asked(visit, printer, tmp_path):
    page = visit("interviewer", "questions/number-0/").page
    answers = [
        PROTECTED[name]
        for name in ("short answer", "reference code", "expected answer", "wrong answer", "rubric")
    ]
    closed = printed(page, tmp_path)
    assert "zqquestion" in closed
    assert [word for word in answers if word in closed] == []
    page.click("button.fold-all")
    opened = printed(page, tmp_path)
    assert [word for word in answers if word not in opened] == []


LEAKS = {
    "short": "short answer",
    "full": "full answer",
    "reference": "reference prose",
    "code": "reference code",
    "follow_ups": "expected answer",
    "wrong_answers": "why it fails",
    "rubric": "rubric",
}


@pytest.mark.parametrize("field", LEAKS)
def test_one_field_let_through_is_found(made, monkeypatch, field, tmp_path):
    real = gate.answers

    def leaky(question, audience):
        return replace(EMPTY, **{field: getattr(real(question, "interviewer"), field)})

    monkeypatch.setattr(gate, "answers", leaky)
    write_candidate(made, Place(checkout().root, tmp_path))
    assert LEAKS[field] in found_in(tmp_path, PROTECTED)


def test_every_field_of_the_answers_is_tried():
    assert {one.name for one in fields(gate.Answers)} - {"bugs"} == LEAKS.keys()


def test_the_keys_of_a_kata_let_through_are_found(made, monkeypatch, tmp_path):
    real = gate.keys
    monkeypatch.setattr(
        gate, "keys", lambda kata, mutants, evidence, audience: real(kata, mutants, evidence, "interviewer")
    )
    write_candidate(made, Place(checkout().root, tmp_path))
    found = found_in(tmp_path, PROTECTED)
    assert {
        "bugs and mutant slug",
        "solution",
        "solution test",
        "faithful code",
        "input reason",
        "mutant diff",
    } <= found.keys()


def test_a_leak_is_found_in_the_site_and_in_its_search_index(made, monkeypatch, tmp_path):
    real = gate.answers
    monkeypatch.setattr(
        gate, "answers", lambda question, audience: replace(EMPTY, short=real(question, "interviewer").short)
    )
    place = Place(checkout().root, tmp_path)
    write_candidate(made, place)
    make_site(place, "candidate")
    found = found_in(place.output("candidate"), PROTECTED)
    assert found["short answer"] == {".html", ".json"}
    assert "short answer" in found_in(place.output("candidate") / "search", PROTECTED)


def test_a_template_that_asks_for_an_answer_gets_none(made):
    whole = whole_site(made)
    leaky = environment(whole).from_string("{{ questions[0].answers.short }}")
    with pytest.raises(jinja2.UndefinedError):
        leaky.render()
    reached = (
        environment(whole).from_string("{{ questions }} {{ katas }} {{ question_of }} {{ kata_of }}").render()
    )
    assert [name for name, word in PROTECTED.items() if word in reached] == []


def whole_site(made):
    shown = listed(navigation(read_config(made.place), "candidate"))
    return site("candidate", made.place.site, load_bank(made.where), made.evidence, shown)


def write_candidate(made, place: Place) -> None:
    write_tree(place.pages("candidate"), place, render(whole_site(made)), "candidate")
