"""The layout of charts over time: bars for counts, curves for durations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 480
HEIGHT = 170
_LEFT = 54
_RIGHT = 4
_TOP = 8
_BOTTOM = 20
_MOST_LABELS = 6
_GAP = 0.22


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of one period; `part` is the height of the failed calls, `title` the tooltip."""

    x: float
    y: float
    width: float
    height: float
    part: float
    title: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A line with gaps where nothing was measured; `dots` are its points."""

    name: str
    path: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    width: int
    height: int
    bars: tuple[Bar, ...]
    curves: tuple[Curve, ...]
    across: tuple[Label, ...]
    upwards: tuple[Label, ...]

    @property
    def floor(self) -> int:
        return self.height - _BOTTOM

    @property
    def left(self) -> int:
        return _LEFT

    @property
    def right(self) -> int:
        return self.width - _RIGHT


def bars(
    counts: Sequence[int], parts: Sequence[int], names: Sequence[str], titles: Sequence[str]
) -> Plot:
    top = _ceiling(max(counts, default=0))
    step = _step(len(counts))
    shapes = []
    for number, (count, part) in enumerate(zip(counts, parts, strict=True)):
        height = _height(count, top)
        shapes.append(
            Bar(
                round(_LEFT + (number + _GAP / 2) * step, 1),
                round(HEIGHT - _BOTTOM - height, 1),
                round(step * (1 - _GAP), 1),
                round(height, 1),
                round(_height(part, top), 1),
                titles[number],
            )
        )
    upwards = [_upwards(value, top, f"{value:,}") for value in {0, top // 2, top} if top]
    return Plot(WIDTH, HEIGHT, tuple(shapes), (), _across(names), tuple(upwards))


def curves(series: Sequence[tuple[str, Sequence[float | None]]], names: Sequence[str]) -> Plot:
    """Milliseconds on a logarithmic scale, as they range from one to thousands."""
    known = [value for _, values in series for value in values if value is not None]
    if not known:
        return Plot(WIDTH, HEIGHT, (), (), _across(names), ())
    low = math.floor(math.log10(max(0.1, min(known))))
    high = max(low + 1, math.ceil(math.log10(max(known))))
    step = _step(len(names))

    def place(number: int, value: float) -> tuple[float, float]:
        share = (math.log10(max(0.1, value)) - low) / (high - low)
        return round(_LEFT + (number + 0.5) * step, 1), round(_y(share), 1)

    shapes = []
    for name, values in series:
        at = [None if v is None else place(number, v) for number, v in enumerate(values)]
        shapes.append(Curve(name, _path(at), tuple(filter(None, at))))
    upwards = [
        Label(_LEFT - 6, round(_y((power - low) / (high - low)), 1), _duration(10**power))
        for power in range(low, high + 1)
    ]
    return Plot(WIDTH, HEIGHT, (), tuple(shapes), _across(names), tuple(upwards))


def _path(places: Sequence[tuple[float, float] | None]) -> str:
    shapes, lifted = [], True
    for place in places:
        if place is None:
            lifted = True
            continue
        shapes.append(f"{'M' if lifted else 'L'}{place[0]} {place[1]}")
        lifted = False
    return "".join(shapes)


def _step(count: int) -> float:
    return (WIDTH - _LEFT - _RIGHT) / max(1, count)


def _height(count: int, top: int) -> float:
    return (HEIGHT - _TOP - _BOTTOM) * count / top if top else 0.0


def _y(share: float) -> float:
    return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * share


def _ceiling(top: int) -> int:
    """The next round even number."""
    if top <= 2:
        return 2 if top else 0
    power: int = 10 ** int(math.log10(top))
    return next(step * power for step in (1, 2, 4, 6, 10, 20) if step * power >= top)


def _upwards(value: int, top: int, text: str) -> Label:
    return Label(_LEFT - 6, round(_y(value / top), 1), text)


def _across(names: Sequence[str]) -> tuple[Label, ...]:
    every = max(1, math.ceil(len(names) / _MOST_LABELS))
    step = _step(len(names))
    return tuple(
        Label(round(_LEFT + (number + 0.5) * step, 1), HEIGHT - 5, name)
        for number, name in enumerate(names)
        if number % every == 0
    )


def _duration(ms: float) -> str:
    return f"{ms / 1000:g} s" if ms >= 1000 else f"{ms:g} ms"
