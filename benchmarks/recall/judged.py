"""Questions with all that recall finds for each, and which of that is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from benchmarks.recall.home import ACME, CLONE, Home
from benchmarks.recall.plan import Asked
from commonplace.model.query import RetrievalMode
from commonplace.recall.evidence import Evidence
from commonplace.recall.values import MOST_HITS, RecallHit, RecallRequest


@dataclass(frozen=True, slots=True)
class JudgedHit:
    evidence: Evidence
    kind: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    asked: Asked
    hits: tuple[JudgedHit, ...]


def judged(
    home: Home, questions: Iterable[Asked], mode: RetrievalMode = RetrievalMode.AUTO
) -> Iterator[JudgedQuestion]:
    for asked in questions:
        request = RecallRequest(asked.text, limit=MOST_HITS)
        hits = home.application.recall.everything(ACME, request, mode)
        yield JudgedQuestion(
            asked,
            tuple(
                JudgedHit(hit.evidence, hit.kind.value, is_right(home, asked, hit)) for hit in hits
            ),
        )


def is_right(home: Home, asked: Asked, hit: RecallHit) -> bool:
    return named(home, hit) in asked.right


def named(home: Home, hit: RecallHit) -> str:
    """As the plan calls it; a file of the clone is the same file."""
    if hit.place.path is not None:
        project = "click" if hit.place.project == CLONE else hit.place.project
        return f"{project}:{hit.place.path}"
    name = unquote(hit.reference.partition(":")[2].partition("#")[0])
    sources = {id.removeprefix("ks_")[: len(name)]: own for id, own in home.names.items()}
    return sources.get(name, name)
