"""What is rendered from the bank: matrices, coverage, navigation, links."""

import shutil
from dataclasses import replace

import pytest

from mutakata.bank import load_bank, sources
from mutakata.site import matrix
from mutakata.site.audience import KataView, kata_view
from mutakata.site.build import (
    Place,
    SiteError,
    checkout,
    listed,
    make_site,
    navigation,
    read_config,
    write_tree,
)
from mutakata.site.check import check_site
from mutakata.site.coverage import Defect, grid, matched, read_defects
from mutakata.site.evidence import Evidence, content_hash, gather
from mutakata.site.pages import render, site
from tests.site.bank import make_bank


@pytest.fixture
def kata(tmp_path, evidence) -> KataView:
    bank = load_bank(make_bank(tmp_path, questions=3))
    return kata_view(bank.kata("marked"), bank, evidence["marked"], "interviewer")


def test_evidence_holds_matrix_errors_and_the_starter(evidence):
    found = evidence["marked"]
    assert found.not_proved == ""
    assert found.killed == ("zqslug",)
    assert found.errors["zqslug"]["zqinput"]["ratio"] > 4
    assert found.errors["same"]["zqinput"]["ratio"] <= 1
    assert found.starter == {"test_zqstarter": []}


def test_evidence_is_kept_until_something_changes(tmp_path, monkeypatch):
    where = make_bank(tmp_path / "bank", questions=0)
    bank = load_bank(where)
    cache = tmp_path / "judged"
    key = content_hash(bank.exercise("marked"))
    cache.mkdir()
    (cache / f"marked-{key[:20]}.json").write_text('{"inputs": {"kept": "yes"}}', encoding="utf-8")
    assert gather(bank, where, cache)["marked"].inputs == {"kept": "yes"}
    solution = bank.kata("marked").solution
    solution.write_text(solution.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    assert content_hash(bank.exercise("marked")) != key
    stale = gather(bank, where, cache, judge=False)["marked"]
    assert (stale.inputs, stale.outdated) == ({"kept": "yes"}, True)
    assert gather(bank, where, tmp_path / "none", judge=False)["marked"].not_proved == "built without judging"


def test_a_kata_that_this_machine_cannot_run_is_not_proved(tmp_path, monkeypatch):
    where = make_bank(tmp_path / "bank", questions=0)
    bank = load_bank(where)
    monkeypatch.setattr("mutakata.site.evidence.missing", lambda needs: ["no compiler: install one"])
    found = gather(bank, where, tmp_path / "judged")
    assert found["marked"].not_proved == "no compiler: install one"
    whole = site("interviewer", checkout().site, bank, found, frozenset())
    assert "no compiler: install one" in render(whole)["katas/marked.md"]


def test_the_picture_marks_kills_dominators_and_difficulty(kata):
    svg = matrix.picture(kata)
    assert svg.count('class="kill"') == 1
    assert svg.count("◆ </tspan>zqslug") == 1
    (hard, easy) = matrix.rows(kata)
    assert (hard.id, hard.difficulty, easy.difficulty) == ("same", 1.0, 0.0)


def test_the_anonymous_table_names_no_mutant(kata):
    table = matrix.anonymous(kata)
    assert "zqslug" not in table
    assert 'aria-label="killed"' in table
    assert "test_zqstarter" in table


def test_defects_are_matched_by_the_report_they_cite(kata):
    rows = [
        Defect("A", "norm", "zqseen/zqseen#1 (fixes #2)", "", ""),
        Defect("B", "norm", "other/other#1; zqseen/zqseen#12", "", ""),
    ]
    first, second = matched(rows, kata.keys.mutants)
    assert [one.id for one in first.mutants] == ["zqslug"]
    assert second.mutants == ()


def test_the_table_of_public_defects_is_read_whole():
    rows = read_defects(checkout().site / "data" / "bugs.tsv")
    assert len(rows) == len({one.id for one in rows})
    assert all(one.reports and one.symptom for one in rows)


def test_what_is_thin_is_said(tmp_path, evidence):
    bank = load_bank(make_bank(tmp_path, questions=1))
    whole = site("interviewer", checkout().site, bank, evidence, frozenset())
    found = grid(whole.katas, whole.questions)
    assert "norm: 1 question" in found.thin
    assert "level L5: no question" in found.thin
    assert not any("level L1:" in line for line in found.thin)


def test_every_hand_written_page_is_in_a_navigation():
    place = checkout()
    nav = listed(navigation(read_config(place), "interviewer"))
    written = {
        path.relative_to(place.site / "pages").as_posix() for path in (place.site / "pages").rglob("*.md")
    }
    assert written <= nav


def test_a_candidates_navigation_lacks_what_is_added_for_interviewers():
    config = read_config(checkout())
    mine, theirs = (listed(navigation(config, who)) for who in ("candidate", "interviewer"))
    assert mine < theirs
    assert theirs - mine >= {
        "mutants/index.md",
        "coverage.md",
        "measured/epsilon.md",
        "measured/diagnosis.md",
    }


def test_a_missing_front_end_names_the_command(tmp_path):
    place = Place(tmp_path, tmp_path / "build")
    with pytest.raises(SiteError, match="npm ci --prefix site"):
        write_tree(place.pages("candidate"), place, {}, "candidate")


def test_pages_that_are_gone_are_removed(made, tmp_path):
    place = Place(checkout().root, tmp_path)
    target = place.pages("candidate")
    write_tree(target, place, {"a.md": "# A", "b.md": "# B"}, "candidate")
    write_tree(target, place, {"a.md": "# A"}, "candidate")
    assert [path.name for path in target.glob("*.md")] == ["a.md"]


def test_the_built_sites_have_no_broken_link(made):
    for audience in ("candidate", "interviewer"):
        assert check_site(made.place.output(audience), made.place.pages(audience)) == []


def test_a_missing_page_link_and_anchor_are_found(made, tmp_path):
    copy = tmp_path / "site"
    shutil.copytree(made.place.output("interviewer"), copy)
    (copy / "mutants" / "marked" / "zqslug" / "index.html").unlink()
    page = copy / "glossary" / "index.html"
    page.write_text(page.read_text(encoding="utf-8") + '<a href="../katas/#nowhere">x</a>', encoding="utf-8")
    found = check_site(copy, made.place.pages("interviewer"))
    assert {"the page was not built", "no such file", "no such anchor"} == {one.why for one in found}
    assert any(one.page == "mutants/marked/zqslug.md" for one in found)


def test_a_broken_link_in_a_page_fails_the_build(made, tmp_path):
    place = Place(checkout().root, tmp_path)
    shutil.copytree(made.place.pages("candidate"), place.pages("candidate"))
    page = place.pages("candidate") / "glossary.md"
    page.write_text("# Glossary\n\n[gone](nowhere.md)\n", encoding="utf-8")
    with pytest.raises(SiteError, match="candidate"):
        make_site(place, "candidate")


def test_the_bank_itself_renders_for_both(evidence):
    """Every page of the real bank, with nothing judged."""
    bank = load_bank(sources())
    empty = dict.fromkeys(bank.katas, replace(Evidence(), not_proved="not judged"))
    for audience in ("candidate", "interviewer"):
        shown = listed(navigation(read_config(checkout()), audience))
        pages = render(site(audience, checkout().site, bank, empty, shown))
        assert {f"questions/{slug}.md" for slug in bank.questions} <= pages.keys()
        assert ("coverage.md" in pages) == (audience == "interviewer")
        assert any(name.startswith("mutants/") for name in pages) == (audience == "interviewer")
