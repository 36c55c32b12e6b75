"""The interface of code maps to the code graph. Without an answer, retrieval is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.codegraph.answering.answer import GraphAnswer, GraphCoverage
from commonplace.codegraph.answering.question import Question
from commonplace.codegraph.answering.trace import TraceRequest
from commonplace.model.actor import Actor


class SymbolGraph(Protocol):
    """The code graph. `resources` has all code in scope, regardless of filters."""

    def answer(
        self, actor: Actor, question: Question, resources: Sequence[int]
    ) -> GraphAnswer | None:
        """The answer; None if the question names no known symbol."""
        ...

    def follow(
        self, actor: Actor, request: TraceRequest, resources: Sequence[int]
    ) -> GraphAnswer | None:
        """The answer to a trace of several steps, or to a question about files."""
        ...

    def similar_names(self, actor: Actor, name: str, resources: Sequence[int]) -> list[str]:
        """Paths of symbols with a similar name."""
        ...

    def coverage(self, actor: Actor, resources: Sequence[int]) -> GraphCoverage: ...
