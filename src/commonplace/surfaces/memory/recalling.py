"""The `recall` tool: answers one question from all knowledge, within a token budget."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.memory.times import time_of
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.recall.values import (
    LEAST_BUDGET,
    MOST_BUDGET,
    MOST_HITS,
    USUAL_BUDGET,
    USUAL_LIMIT,
    RecallRequest,
)
from commonplace.recall.wording import recalled_text
from commonplace.surfaces.arguments import NORMAL, NOT_BLANK, WHOLE
from commonplace.surfaces.deliveries import recall_delivery
from commonplace.surfaces.memory.arguments import LISTED, MemoryArguments, Time
from commonplace.surfaces.tool import Markdown, Tool

_MOST_NAMED = 20

Name = Annotated[str, Field(max_length=200), NOT_BLANK, NORMAL]


class RecallArguments(MemoryArguments):
    question: Annotated[str, Field(max_length=10_000), NOT_BLANK]
    project: Name | None = None
    kinds: Annotated[list[Name], Field(max_length=_MOST_NAMED), LISTED] | None = Field(
        None,
        description="any of: note, item, skill, unit, document, code, docs, commit, decision…",
    )
    tags: Annotated[list[Name], Field(max_length=_MOST_NAMED), LISTED] | None = Field(
        None, description="all of them"
    )
    path: Annotated[str, Field(max_length=2000), NOT_BLANK] | None = Field(
        None, description="file or folder"
    )
    since: Time | None = Field(None, description="changed since: 2026-01-31 or 7d")
    until: Time | None = None
    author: Name | None = None
    budget: Annotated[int, Field(ge=LEAST_BUDGET, le=MOST_BUDGET), WHOLE] = Field(
        USUAL_BUDGET, description="most tokens of the answer"
    )
    limit: Annotated[int, Field(ge=1, le=MOST_HITS), WHOLE] = USUAL_LIMIT
    least: Annotated[float, Field(ge=0, le=1)] = Field(0.0, description="least probability")
    history: bool = Field(False, description="superseded and expired too")


def recall(application: Application, actor: Actor, given: RecallArguments, call: Call) -> Markdown:
    answer = application.recall.recall(actor, _request(given), call)
    call.record_delivery(recall_delivery(answer, answer.hits))
    return Markdown(recalled_text(answer))


def _request(given: RecallArguments) -> RecallRequest:
    return RecallRequest(
        question=given.question,
        budget=given.budget,
        kinds=tuple(given.kinds or ()),
        project=given.project,
        tags=tuple(given.tags or ()),
        path=given.path,
        since=time_of(given.since) if given.since else None,
        until=time_of(given.until) if given.until else None,
        author=given.author,
        limit=given.limit,
        least_probability=given.least,
        history=given.history,
    )


RECALL = Tool(
    name="recall",
    title="Recall",
    description="Ask one question of everything known: notes, documents, code, skills. Says if "
    "the hits answer (p: how likely), are related only, or nothing is relevant; open reads them.",
    scope=Scope.READ,
    arguments=RecallArguments,
    answer=None,
    run=recall,
    read_only=True,
    returns_knowledge=True,
)
