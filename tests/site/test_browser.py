"""The site in a real browser: filters, keyboard, answers, dark mode, narrow screens, accessibility, no outside."""

import json

import pytest

from mutakata.site.build import checkout
from tests.site.bank import question

AXE = checkout().root / "site" / "node_modules" / "axe-core" / "axe.min.js"
SCHEMES = {"light": "default", "dark": "slate"}
QUESTIONS = [question(index) for index in range(12)]
# One page of every kind; of the measured ones, those with the plots and the table that all of them share.
KINDS = {
    "interviewer": [
        "",
        "questions/",
        "questions/number-0/",
        "katas/",
        "katas/marked/",
        "mutants/",
        "mutants/marked/zqslug/",
        "numerics/",
        "measured/accumulation/",
        "measured/epsilon/",
        "measured/liger/",
        "measured/libraries/",
        "measured/diagnosis/",
        "coverage/",
        "glossary/",
        "contributing/",
    ],
    "candidate": ["", "questions/", "questions/number-0/", "katas/marked/"],
}


def fitting(**wanted) -> int:
    return sum(all(one[name] == value for name, value in wanted.items()) for one in QUESTIONS)


def shown(page) -> list[str]:
    return page.locator(".question-list li:visible").evaluate_all("all => all.map(one => one.dataset.slug)")


def test_filters_combine_count_and_stand_in_the_address(visit):
    page = visit("candidate", "questions/").page
    assert len(shown(page)) == 12
    page.check('input[name="topic"][value="norm"]', force=True)
    page.check('input[name="level"][value="L1"]', force=True)
    expected = fitting(topic="norm", level="L1")
    assert 0 < len(shown(page)) == expected < 12
    assert page.locator(".result-count").inner_text() == f"{expected} of 12"
    # The count of an option is what choosing it would give, the filters of other kinds in force.
    option = page.locator('.option:has(input[name="format"][value="code-reading"]) output')
    assert option.inner_text() == str(fitting(topic="norm", level="L1", format="code-reading"))
    assert "level=L1&topic=norm" in page.url
    page.reload()
    assert len(shown(page)) == expected
    page.check('input[name="level"][value="L3"]', force=True)
    assert len(shown(page)) == expected + fitting(topic="norm", level="L3")
    page.click(".filter-reset")
    page.wait_for_function("document.querySelectorAll('.question-list li:not([hidden])').length === 12")
    assert "?" not in page.url


def test_minutes_and_sorting(visit):
    page = visit("candidate", "questions/?minutes=15&sort=-level").page
    levels = page.locator(".question-list li:visible").evaluate_all(
        "all => all.map(one => one.dataset.level)"
    )
    assert len(levels) == sum(one["minutes"] <= 15 for one in QUESTIONS)
    assert levels == sorted(levels, reverse=True)


def test_search_finds_text_and_answers_only_where_they_are(visit):
    for audience, count in (("candidate", 0), ("interviewer", 12)):
        page = visit(audience, "questions/").page
        page.fill('input[name="q"]', "zqquest")
        page.wait_for_function("document.querySelector('.result-count').textContent === '12'")
        page.fill('input[name="q"]', "zqrubric")
        page.wait_for_timeout(100)
        assert len(shown(page)) == count
        page.fill('input[name="q"]', "number 7")
        assert shown(page) == ["number-7"]
        page.press('input[name="q"]', "Escape")
        assert len(shown(page)) == 12


def test_an_empty_result_says_what_to_relax(visit):
    page = visit("candidate", "questions/?topic=norm&level=L1&minutes=5").page
    assert shown(page) == []
    advice = page.locator(".advice")
    assert "the limit of minutes" in advice.inner_text()
    assert "level L1" not in advice.inner_text()  # without it the limit of minutes still leaves nothing
    advice.locator("button").first.click()
    assert len(shown(page)) == fitting(topic="norm", level="L1")
    assert advice.is_hidden()


def test_the_list_works_without_a_mouse(visit):
    page = visit("candidate", "questions/").page
    page.focus('select[name="sort"]')
    for _ in range(2):
        page.keyboard.press("Tab")  # the button, then the first box
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.value") == "L1"
    assert len(shown(page)) == fitting(level="L1")
    page.focus(".question-list li:not([hidden]) a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/questions/number-*/?level=L1")


def test_previous_and_next_stay_in_the_filter(visit):
    page = visit("candidate", "questions/?level=L1").page
    order = shown(page)
    page.click(".question-list li:not([hidden]) a")
    page.wait_for_function(
        f"document.querySelector('.walk-count').textContent.startsWith('1 of {len(order)}')"
    )
    assert page.locator(".walk-before").is_hidden()
    page.click(".walk-after")
    page.wait_for_url(f"**/{order[1]}/?level=L1")
    page.wait_for_function("document.querySelector('.walk-count').textContent.startsWith('2 of')")
    page.click(".walk-list")
    page.wait_for_url("**/questions/?level=L1")


def test_answers_open_by_keyboard_and_by_link(visit):
    page = visit("interviewer", "questions/number-0/").page
    answer = page.locator("#fold-short")
    assert answer.is_hidden()
    page.focus('[aria-controls="fold-short"]')
    page.keyboard.press("Enter")
    assert answer.is_visible()
    assert page.get_attribute('[aria-controls="fold-short"]', "aria-expanded") == "true"
    page.keyboard.press("Space")
    assert answer.is_hidden()
    page.goto(page.url.split("#")[0] + "#fold-follow-up-1")
    assert page.locator("#fold-follow-up-1").is_visible()


def test_code_is_copied(visit):
    page = visit("candidate", "questions/number-0/").page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".highlight").first.hover()
    page.locator(".md-clipboard, .md-code__button[data-md-type=copy]").first.click()
    page.wait_for_timeout(100)
    assert page.evaluate("navigator.clipboard.readText()").strip() == "zqcandidate = 1"


def test_dark_mode_is_kept(visit):
    page = visit("candidate", "").page
    scheme = "document.body.dataset.mdColorScheme"
    assert page.evaluate(scheme) == "default"
    page.click("label[title=Dark]:visible")
    assert page.evaluate(scheme) == "slate"
    page.goto(page.url + "katas/")
    assert page.evaluate(scheme) == "slate"


@pytest.mark.parametrize("audience", KINDS)
def test_pages_are_accessible_quiet_and_fit_a_phone(visit, audience):
    """axe-core on the page's own content, in both schemes; no word on the console; no request to others."""
    if not AXE.is_file():
        pytest.skip("axe-core is missing: npm ci --prefix site")
    axe = AXE.read_text(encoding="utf-8")
    found = []
    opened = visit(audience, "")
    page, home = opened.page, opened.page.url
    for path in KINDS[audience]:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(home + path)
        page.evaluate("document.querySelector('button.fold-all')?.click()")
        page.evaluate(axe)
        page.add_style_tag(content="*, *::before, *::after { transition: none !important }")
        found += violations(page, path, "light", "")
        # The dark scheme has the same structure, and colours of its own.
        found += violations(page, path, "dark", "runOnly: ['color-contrast'], ")
        page.set_viewport_size({"width": 360, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{path}: wider than a phone")
    assert found == []
    assert (opened.said, opened.outside) == ([], [])


def violations(page, path: str, scheme: str, only: str) -> list[str]:
    page.evaluate(f"document.body.dataset.mdColorScheme = '{SCHEMES[scheme]}'")
    result = page.evaluate(f"axe.run('.md-content', {{{only}resultTypes: ['violations']}})")
    return [f"{path} {scheme}: {one['id']}: {one['nodes'][0]['html'][:120]}" for one in result["violations"]]


def test_formulas_and_diagrams_are_drawn_from_our_own_copies(visit):
    opened = visit("candidate", "questions/number-0/")
    opened.page.wait_for_selector(".katex")
    opened.page.goto(opened.page.url.split("questions/")[0] + "contributing/")
    opened.page.wait_for_selector("pre.diagram svg")
    assert (opened.said, opened.outside) == ([], [])


def test_strykers_viewer_shows_the_mutants(visit):
    opened = visit("interviewer", "katas/marked/report.html")
    opened.page.wait_for_function(
        "document.querySelector('mutation-test-report-app').shadowRoot?.textContent.includes('All files')"
    )
    report = json.loads(opened.page.text_content("#report"))
    assert [one["status"] for file in report["files"].values() for one in file["mutants"]].count(
        "Killed"
    ) == 1
    assert (opened.said, opened.outside) == ([], [])
