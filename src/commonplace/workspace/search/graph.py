"""What a code map asks of the symbol graph. A graph that knows no answer leaves it to retrieval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.codegraph.answering.answer import GraphAnswer, GraphCoverage
from commonplace.codegraph.answering.question import Question
from commonplace.codegraph.answering.traced import TraceRequest
from commonplace.model.actor import Actor


class SymbolGraph(Protocol):
    """Resources are keys: those of all code in scope, never narrowed by a filter of hits."""

    def answer(
        self, actor: Actor, question: Question, resources: Sequence[int]
    ) -> GraphAnswer | None:
        """None where the question names no symbol that is known."""
        ...

    def follow(
        self, actor: Actor, asked: TraceRequest, resources: Sequence[int]
    ) -> GraphAnswer | None:
        """The same for what is followed step by step, or asked of files."""
        ...

    def alike(self, actor: Actor, name: str, resources: Sequence[int]) -> list[str]:
        """Paths of symbols whose names are written almost like this one."""
        ...

    def coverage(self, actor: Actor, resources: Sequence[int]) -> GraphCoverage: ...
