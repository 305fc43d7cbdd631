from __future__ import annotations

from xml.etree import ElementTree

from askwell.eval.plots import recall_by_arm, risk_coverage_curve, score_distributions

SVG = "{http://www.w3.org/2000/svg}"
NAME = 'a <b> & "c"\x00'


def marks(svg: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{tag}"))


def tips(svg: str) -> list[str]:
    return [mark.text or "" for mark in marks(svg, "title")][1:]


def test_a_bar_is_as_high_as_its_recall() -> None:
    drawn = recall_by_arm({"lexical": {1: 0.25, 5: 0.5}, "search": {1: 0.5, 5: 1.0}}, name=NAME)
    bars = [bar for bar in marks(drawn, "rect") if len(bar)]
    heights = [float(bar.get("height", "")) for bar in bars]
    assert [height / heights[-1] for height in heights] == [0.25, 0.5, 0.5, 1.0]
    assert tips(drawn)[0] == "lexical, recall@1: 0.250"
    assert marks(drawn, "title")[0].text == 'Recall by arm: a <b> & "c" '


def test_every_question_is_in_a_distribution_once() -> None:
    drawn = score_distributions({"answerable": [0.9, 0.9, 0.1], "off topic": [0.0], "near miss": []}, name="n")
    assert sum(int(tip.split(": ")[1].split()[0]) for tip in tips(drawn)) == 4
    assert not any("near miss" in (mark.text or "") for mark in marks(drawn, "text"))


def test_one_value_alone_can_be_drawn() -> None:
    assert len(tips(score_distributions({"answerable": [0.5]}, name="n"))) == 1
    assert not tips(score_distributions({}, name="n"))


def test_the_curve_goes_through_its_points_and_the_gate_stands_on_it() -> None:
    drawn = risk_coverage_curve([(0.5, 0.0), (1.0, 0.5)], gate=(0.5, 0.0), name="n")
    (curve,) = marks(drawn, "polyline")
    first, last = [tuple(map(float, pair.split(","))) for pair in curve.get("points", "").split()]
    (gate,) = marks(drawn, "circle")
    assert (float(gate.get("cx", "")), float(gate.get("cy", ""))) == first
    assert last[0] > first[0]
    assert last[1] < first[1]  # up is more risk
    assert not marks(risk_coverage_curve([(1.0, 1.0)], gate=None, name="n"), "circle")
