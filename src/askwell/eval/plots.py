"""Three charts of an evaluation as SVG text: recall by arm, evidence by kind of question, risk against coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from askwell.eval.svg import COLOURS, INK, dot, drawing, line, path, rect, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LEFT, _RIGHT, _TOP, _WIDTH, _HEIGHT = 60, 160, 48, 400, 240  # the plane that data is drawn on, and what is around it
_BINS = 24
_BAND = 80  # height of one distribution


def recall_by_arm(recalls: Mapping[str, Mapping[int, float]], *, name: str) -> str:
    """Return bars: a group a depth, a bar an arm.

    Args:
        recalls: By arm and depth, in [0, 1]; every arm has the same depths.
        name: Of the question set.
    """
    depths = list(next(iter(recalls.values()), {}))
    body = _share_axis("recall")
    group = _WIDTH / max(1, len(depths))
    bar = group * 0.8 / max(1, len(recalls))
    for at, depth in enumerate(depths):
        for order, (arm, by_depth) in enumerate(recalls.items()):
            value = by_depth[depth]
            x = _LEFT + at * group + group * 0.1 + order * bar
            tip = f"{arm}, recall@{depth}: {value:.3f}"
            body.append(rect(x, _y(value), bar - 2, value * _HEIGHT, fill=_colour(order), tip=tip))
            body.append(text(x + bar / 2 - 1, _y(value) - 4, f"{value:.2f}", anchor="middle", size=10))
        body.append(text(_LEFT + (at + 0.5) * group, _TOP + _HEIGHT + 18, f"@{depth}", anchor="middle"))
    body += _legend(list(recalls))
    told = "; ".join(f"{arm}: {', '.join(f'@{k} {v:.3f}' for k, v in by.items())}" for arm, by in recalls.items())
    return _drawn(f"Recall by arm: {name}", told, body)


def score_distributions(groups: Mapping[str, Sequence[float]], *, name: str) -> str:
    """Return a histogram a group, one below the other, over the same axis of evidence.

    Each has its own height: the share of its group's questions. Empty groups are left out.

    Args:
        groups: Kind of question → what the gate weighed, any range.
        name: Of the question set.
    """
    filled = {group: values for group, values in groups.items() if values}
    low = min((min(values) for values in filled.values()), default=0.0)
    high = max((max(values) for values in filled.values()), default=1.0)
    width = (high - low) or 1.0
    body: list[str] = []
    for order, (group, values) in enumerate(filled.items()):
        floor = _TOP + (order + 1) * _BAND
        counts = [0] * _BINS
        for value in values:
            counts[min(_BINS - 1, int((value - low) / width * _BINS))] += 1
        tallest = max(counts)
        for at, count in enumerate(counts):
            height = count / tallest * (_BAND - 22)
            start = low + at * width / _BINS
            tip = f"{group}: {count} of {len(values)} from {start:.2f} to {start + width / _BINS:.2f}"
            x = _LEFT + at * _WIDTH / _BINS
            if count:
                body.append(rect(x, floor - height, _WIDTH / _BINS - 1, height, fill=_colour(order), tip=tip))
        body.append(line(_LEFT, floor, _LEFT + _WIDTH, floor, stroke=INK))
        body.append(text(_LEFT + _WIDTH + 12, floor - 20, group))
        body.append(text(_LEFT + _WIDTH + 12, floor - 4, f"{len(values)} questions", size=10))
    bottom = _TOP + len(filled) * _BAND
    for at in range(5):
        x = _LEFT + at * _WIDTH / 4
        body.append(text(x, bottom + 18, f"{low + at * width / 4:.2f}", anchor="middle"))
    body.append(text(_LEFT + _WIDTH / 2, bottom + 38, "evidence that the gate weighs", anchor="middle"))
    told = "; ".join(
        f"{group}: {len(values)} questions from {min(values):.2f} to {max(values):.2f}"
        for group, values in filled.items()
    )
    return drawing(
        _LEFT + _WIDTH + _RIGHT,
        bottom + 52,
        title=f"Evidence by kind of question: {name}",
        description=told or "no question was judged",
        body=body,
    )


def risk_coverage_curve(points: Sequence[tuple[float, float]], *, gate: tuple[float, float] | None, name: str) -> str:
    """Return the curve of wrong answers among the answered, by the share answered, and where the gate stands.

    Args:
        points: (coverage, risk) by rising coverage, both in [0, 1].
        gate: Coverage and risk of the gate in force, None where it answers nothing.
        name: Of the question set.
    """
    body = _share_axis("answered wrongly, share of the answered")
    for at in range(5):
        x = _LEFT + at * _WIDTH / 4
        body.append(text(x, _TOP + _HEIGHT + 18, f"{at / 4:.2f}", anchor="middle"))
    body.append(text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 38, "questions answered, share of all", anchor="middle"))
    body.append(path([(_x(coverage), _y(risk)) for coverage, risk in points], stroke=COLOURS[0]))
    told = ""
    if gate is not None:
        told = f"the gate answers {gate[0]:.0%}, {gate[1]:.0%} of them wrongly"
        body.append(line(_x(gate[0]), _TOP, _x(gate[0]), _TOP + _HEIGHT, stroke=COLOURS[1], dashed=True))
        body.append(dot(_x(gate[0]), _y(gate[1]), fill=COLOURS[1], tip=told))
        body += _legend(["any threshold", f"gate: {gate[0]:.0%} / {gate[1]:.0%}"])
    return _drawn(f"Risk and coverage: {name}", told or "the gate answers nothing", body)


def _drawn(title: str, description: str, body: Sequence[str]) -> str:
    width, height = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + 52
    return drawing(width, height, title=title, description=description, body=body)


def _share_axis(label: str) -> list[str]:
    body = [text(18, _TOP + _HEIGHT / 2, label, anchor="middle", turn=True)]
    for at in range(5):
        y = _y(at / 4)
        body.append(line(_LEFT, y, _LEFT + _WIDTH, y))
        body.append(text(_LEFT - 8, y + 4, f"{at / 4:.2f}", anchor="end"))
    return body


def _legend(names: Sequence[str]) -> list[str]:
    body: list[str] = []
    for order, name in enumerate(names):
        y = _TOP + 8 + order * 20
        body.append(rect(_LEFT + _WIDTH + 14, y, 12, 12, fill=_colour(order)))
        body.append(text(_LEFT + _WIDTH + 32, y + 10, name))
    return body


def _x(share: float) -> float:
    return _LEFT + share * _WIDTH


def _y(share: float) -> float:
    return _TOP + (1 - share) * _HEIGHT


def _colour(order: int) -> str:
    return COLOURS[order % len(COLOURS)]
