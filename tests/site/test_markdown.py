import markdown as python_markdown
import pytest

from mutakata.site.markdown import (
    beside,
    cell,
    changed_lines,
    fence,
    lower_headings,
    number,
    percent,
    reports,
    summary,
    web_fences,
)


def test_flags_of_a_fence_become_a_title_that_superfences_reads():
    text = web_fences("```python check\nassert 1\n```\n")
    assert text.startswith('```python title="')
    html = python_markdown.markdown(text, extensions=["pymdownx.superfences", "pymdownx.highlight"])
    assert "asserted: runs in kata check" in html
    assert "<pre>" in html


def test_a_fence_without_flags_stays_as_it_is():
    assert web_fences("```python\nx = 1\n```\n") == "```python\nx = 1\n```\n"


def test_mermaid_gets_a_class_that_the_theme_does_not_know():
    assert web_fences("```mermaid\na --> b\n```\n") == '<pre class="diagram">a --&gt; b\n</pre>\n'


def test_backticks_in_code_do_not_end_its_fence():
    assert fence("a\n```\nb", "python").splitlines()[0] == "````python"


def test_changed_lines_are_those_of_the_new_text():
    assert changed_lines("a\nb\nc", "a\nB\nc\nd") == "2 4"


def test_side_by_side_marks_what_differs_and_escapes_the_rest():
    html = beside("x < 1\nsame", "x < 2\nsame", ("left", "right"))
    assert "x &lt; <mark>1</mark>" in html
    assert "x &lt; <mark>2</mark>" in html
    assert html.count("same") == 2
    assert '<td class=""><code>same</code></td>' in html


def test_side_by_side_leaves_a_gap_for_an_added_line():
    html = beside("a", "a\nb", ("left", "right"))
    assert html.count('class="void"') == 1


def test_reports_link_to_their_issue():
    assert 'href="https://github.com/apache/tvm/issues/15856"' in reports("apache/tvm#15856; see <b>")
    assert "&lt;b&gt;" in reports("apache/tvm#15856; see <b>")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.25, "0.25"),
        (2972.4, "2972"),
        (70_000_000.0, "7.0·10⁷"),
        (6e-8, "6.0·10⁻⁸"),
        (float("inf"), "∞"),
        (float("nan"), "NaN"),
        (16777216, "16\u202f777\u202f216"),
        (None, "–"),
        ("right", "right"),
    ],
)
def test_numbers_are_written_for_readers(value, text):
    assert number(value) == text


def test_a_hundred_percent_means_all():
    assert [percent((one, 1000)) for one in (0, 1, 999, 1000)] == ["0 %", "1 %", "99 %", "100 %"]


def test_cells_stay_in_their_row():
    assert cell("a |\n b") == "a \\| b"


def test_headings_move_down_but_not_comments_in_code():
    assert lower_headings("## A\n```python\n# no\n```\n# B") == "### A\n```python\n# no\n```\n## B"


def test_a_summary_is_one_sentence_without_marks():
    assert summary("`f(x)` divides *each* row. More.\n\nAnd more.") == "f(x) divides each row."
