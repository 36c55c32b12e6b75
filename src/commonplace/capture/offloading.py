"""The work of a child process on a long text, and how requests and answers are encoded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from commonplace.analysis.confidence import assess
from commonplace.analysis.detection import detect
from commonplace.capture.finding import draft, tone
from commonplace.capture.secrets import mask_secrets
from commonplace.model.plain import from_plain, to_plain, types_of

# Up to here a text is worked on where it is: it takes milliseconds, and asking somebody else too.
SHORT_ENOUGH = 20_000

Value = TypeVar("Value")


def work_on(question: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """The answer to a question of `question_of`, as `answer_of` reads it."""
    work = WORKS[question["work"]]
    given = {
        name: from_plain(types_of(work)[name], value) for name, value in question["given"].items()
    }
    return {"answer": to_plain(work(data.decode("utf-8", "surrogatepass"), **given))}


def question_of(work: str, given: Mapping[str, Any]) -> dict[str, Any]:
    return {"work": work, "given": {name: to_plain(value) for name, value in given.items()}}


def answer_of(kind: type[Value], answer: Mapping[str, Any]) -> Value:
    value: Value = from_plain(kind, answer["answer"])
    return value


WORKS: Mapping[str, Callable[..., Any]] = {
    one.__name__: one for one in (draft, detect, tone, assess, mask_secrets)
}
