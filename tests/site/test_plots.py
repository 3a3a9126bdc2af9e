import math
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from mutakata.site import figures
from mutakata.site.plots import Axis, Line, chart, powers


def test_an_axis_places_its_ends_and_middle():
    axis = Axis("x", 1e-2, 1e2, powers(-2, 2))
    assert [axis.place(value) for value in (1e-2, 1, 1e2)] == [0, 0.5, 1]


def test_an_axis_may_fall():
    axis = Axis("x", 1e2, 1e-2, powers(-2, 2))
    assert [axis.place(value) for value in (1e2, 1, 1e-2)] == [0, 0.5, 1]
    assert axis.place(1e9) == 0


def test_labels_do_not_touch():
    lines = [Line(f"line {index}", ((1.0, 1.0), (10.0, 1.0 + index / 100)), "series-1") for index in range(5)]
    svg = chart(lines, Axis("x", 1, 10, ()), Axis("y", 0.1, 10, ()), "caption")
    root = ET.fromstring(svg)
    heights = sorted(
        float(one.get("y")) for one in root.iter("text") if one.get("class", "").startswith("name")
    )
    assert len(heights) == 5
    assert min(b - a for a, b in pairwise(heights)) >= 16


@pytest.mark.parametrize("draw", [figures.eps_placements, figures.denominators, figures.accumulation])
def test_every_figure_is_well_formed_and_alone(draw):
    """No blank line, which would end the block of HTML inside Markdown."""
    svg = draw()
    ET.fromstring(svg)
    assert "\n\n" not in svg


def test_the_ratio_of_denominators_is_what_the_numbers_say():
    assert figures.denominator_ratio(1.0) == pytest.approx(1.0000045, abs=5e-8)
    assert figures.denominator_ratio(1e-5) == pytest.approx(math.sqrt(20 / 11))
    assert figures.denominator_ratio(1e-15) == pytest.approx(math.sqrt(10), rel=1e-8)


def test_a_sum_in_bf16_stops_and_a_sum_in_fp32_does_not():
    wide, narrow = dict(figures._running("fp32")), dict(figures._running("bf16"))
    assert narrow[16384.0] > 0.5
    assert wide[16384.0] < 1e-4
    assert narrow[16384.0] > 10 * narrow[256.0]


def test_the_right_place_of_epsilon_stays_within_the_bound():
    root = ET.fromstring(figures.eps_placements())
    lines = {one.find("title").text: one.get("points") for one in root.iter("polyline")}
    level = min(
        float(one.get("d").split()[1].split("H")[0])
        for one in root.iter("path")
        if one.get("class") == "level"
    )

    def heights(name):
        return [float(point.split(",")[1]) for point in lines[name].split()]

    assert min(heights("√(ms + ε), right")) > level  # further down is smaller
    for name in lines:
        if "right" not in name:
            assert min(heights(name)) < level
