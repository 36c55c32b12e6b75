"""Ways to ask a home: recall, and searches of dialects, each as an agent gets it.

Skills are stored without what their own dialect makes of them, so its search is not asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from benchmarks.recall.home import ACME, WORKSPACE, Home
from benchmarks.recall.judged import named
from benchmarks.recall.plan import Asked
from commonplace.model.call import PLAIN_CALL
from commonplace.recall.values import RecallRequest, Verdict
from commonplace.recall.wording import recalled_text
from commonplace.surfaces.catalog import DEFAULT_SURFACES
from commonplace.surfaces.tool import Tool

# How each dialect is asked for its usual answer.
SEARCHES: Mapping[str, Mapping[str, Any]] = {
    "search_knowledge": {},
    "semantic_search": {},
    "knowledge.search": {"workspaceId": WORKSPACE},
    "pm_knowledge": {"action": "search", "scope": "all"},
}


@dataclass(frozen=True, slots=True)
class Given:
    """What came back for a question: the names of the hits in order, and the size of it all."""

    names: tuple[frozenset[str], ...]
    characters: int
    verdict: Verdict = Verdict.RELATED
    probability: float = 0.0
    likely: tuple[float, ...] = ()

    def rank(self, asked: Asked) -> int:
        """From 1; 0 where nothing that was given is right."""
        found = (n for n, names in enumerate(self.names, start=1) if names & asked.right)
        return next(found, 0)


Ask = Callable[[Asked], Given]


def by_recall(home: Home) -> Ask:
    def ask(asked: Asked) -> Given:
        answer = home.application.recall.recall(ACME, RecallRequest(asked.text))
        return Given(
            tuple(frozenset({named(home, hit)}) for hit in answer.hits),
            len(recalled_text(answer)),
            answer.verdict,
            answer.probability,
            tuple(hit.probability for hit in answer.hits),
        )

    return ask


def by_dialect(home: Home, name: str) -> Ask:
    tool = next(tool for tool in _tools() if tool.name == name)
    back = {own: source for source, own in home.names.items()}

    def ask(asked: Asked) -> Given:
        wanted = {right: back.get(right, right.rpartition(":")[2]) for right in asked.right}
        given = tool.arguments.model_validate({"query": asked.text, **SEARCHES[name]})
        answer = tool.run(home.application, ACME, given, PLAIN_CALL)
        assert isinstance(answer, BaseModel), "searches answer with a document"
        text = answer.model_dump_json(by_alias=True)
        results = _results(json.loads(text))
        names = tuple(
            frozenset(right for right, own in wanted.items() if json.dumps(own) in json.dumps(one))
            for one in results
        )
        return Given(names, len(text))

    return ask


def by_all_dialects(ways: Sequence[Ask]) -> Ask:
    """Asked one after another: what the best of them has first, and the characters of all."""

    def ask(asked: Asked) -> Given:
        answers = [way(asked) for way in ways]
        ranked = sorted(answers, key=lambda one: one.rank(asked) or 1_000)
        return Given(ranked[0].names, sum(one.characters for one in answers))

    return ask


def _tools() -> Iterator[Tool]:
    for offered in DEFAULT_SURFACES:
        yield from offered.load().tools


def _results(document: Any) -> list[Any]:
    """The first list of objects in an answer, wherever it stands."""
    if isinstance(document, list):
        return document if all(isinstance(one, dict) for one in document) else []
    if isinstance(document, dict):
        return next((found for value in document.values() if (found := _results(value))), [])
    return []
