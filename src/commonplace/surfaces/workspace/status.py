"""The action `status`: counts and health of a scope."""

from __future__ import annotations

from typing import Literal

from commonplace.application import Application
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.answers import OPTIONAL, CamelAnswerPart
from commonplace.surfaces.workspace.action import Action, ReadArguments
from commonplace.surfaces.workspace.shown import ProblemShown, problems_shown
from commonplace.workspace.projects.health import IndexHealth


class StatusArguments(ReadArguments):
    """The profile `summary` omits the counts by kind."""

    profile: Literal["summary", "full"] = "full"


class GraphShown(CamelAnswerPart):
    """Whether the scope has symbols and references that `code_map` can answer from."""

    symbols: bool
    references: bool


class StatusAnswer(CamelAnswerPart):
    profile: str
    scope: str
    resource_count: int
    attachment_count: int
    entry_count: int
    chunk_count: int
    code_chunk_count: int
    docs_chunk_count: int
    embeddings_pending: int
    embeddings_previewed: int
    embeddings_left_out: int
    code_resource_count: int
    docs_resource_count: int
    graph: GraphShown
    symbol_count: int
    reference_count: int
    resolved_reference_count: int
    unresolved_reference_count: int
    cross_resource_reference_count: int
    symbol_kind_counts: dict[str, int] | None = OPTIONAL
    reference_kind_counts: dict[str, int] | None = OPTIONAL
    commit_count: int
    commit_limit: int
    problem_count: int
    problems: list[ProblemShown] | None = OPTIONAL
    stale_count: int
    failed_count: int
    watching_count: int
    sweep_only_count: int
    active_embedding_model: str
    indexed_languages: list[str]


def status(
    application: Application, actor: Actor, given: StatusArguments, _call: Call
) -> StatusAnswer:
    health = application.workspace.health(actor, given.workspace_scope())
    return _answer(health, given.profile, application.settings.history_commits)


def _answer(health: IndexHealth, profile: str, most_commits: int) -> StatusAnswer:
    graph, full = health.graph, profile == "full"
    return StatusAnswer(
        profile=profile,
        scope=health.view.scope.name.value,
        resource_count=health.resources,
        attachment_count=health.attachments,
        entry_count=health.entries,
        chunk_count=health.chunks,
        code_chunk_count=health.code_chunks,
        docs_chunk_count=health.docs_chunks,
        embeddings_pending=health.pending,
        embeddings_previewed=health.previewed,
        embeddings_left_out=health.left_out,
        code_resource_count=health.code_resources,
        docs_resource_count=health.docs_resources,
        graph=GraphShown(symbols=graph.symbols > 0, references=graph.references > 0),
        symbol_count=graph.symbols,
        reference_count=graph.references,
        resolved_reference_count=graph.resolved,
        unresolved_reference_count=graph.references - graph.resolved,
        cross_resource_reference_count=graph.across_resources,
        symbol_kind_counts=dict(graph.symbol_kinds) if full else None,
        reference_kind_counts=dict(graph.reference_kinds) if full else None,
        commit_count=sum(health.view.commits.values()),
        commit_limit=most_commits,
        problem_count=len(health.view.problems),
        problems=problems_shown(health.view.problems) if full else None,
        stale_count=health.stale,
        failed_count=health.failed,
        watching_count=health.watching,
        sweep_only_count=health.sweep_only,
        active_embedding_model=health.model,
        indexed_languages=list(health.languages),
    )


STATUS = Action("status", Scope.READ, StatusArguments, status)
