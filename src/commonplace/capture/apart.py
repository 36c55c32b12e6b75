"""What a process apart does with a long text, and how the question and its answer travel there.

Values of dataclasses travel as JSON and come back as what they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from commonplace.analysis.confidence import assess
from commonplace.analysis.detection import detect
from commonplace.analysis.sentiment import analyse_sentiment
from commonplace.capture.finding import find

# Up to here a text is worked on where it is: it takes milliseconds, and asking somebody else too.
SHORT_ENOUGH = 20_000

_PLAIN = (str, int, float)

Value = TypeVar("Value")


def work_on(question: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """The answer to a question of `question_of`, as `answer_of` reads it."""
    work = WORKS[question["work"]]
    given = {name: heard(_hints(work)[name], value) for name, value in question["given"].items()}
    return {"answer": told(work(data.decode("utf-8", "surrogatepass"), **given))}


def question_of(work: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"work": work, "given": {name: told(value) for name, value in given.items()}}


def answer_of(kind: type[Value], answer: Mapping[str, Any]) -> Value:
    value: Value = heard(kind, answer["answer"])
    return value


def told(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: told(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, frozenset):
        return list(value)
    if isinstance(value, tuple):
        return [told(one) for one in value]
    return value.value if isinstance(value, Enum) else value


def heard(kind: Any, said: Any) -> Any:
    """The value of that type; the opposite of `told`."""
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: heard(hints[name], value) for name, value in said.items()})
    origin = get_origin(kind)
    if origin in (tuple, frozenset):
        inner = get_args(kind)[0]
        return origin(said if inner in _PLAIN else (heard(inner, one) for one in said))
    return kind(said) if isinstance(kind, type) and issubclass(kind, Enum) else said


@cache
def _hints(of: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(of)


WORKS: Mapping[str, Callable[..., Any]] = {
    one.__name__: one for one in (find, detect, analyse_sentiment, assess)
}
