"""The action `help`: what the tool can do, with examples and query patterns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from commonplace.application import Application
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.workspace import Project
from commonplace.surfaces.answers import CamelAnswerPart
from commonplace.surfaces.workspace.action import Action, ActionArguments
from commonplace.workspace.projects.policy import url_of

GUIDE_URI = "commonplace://guide/{id}"
GUIDE = "workspace"
ACTION_NAMES = (
    "get",
    "update_sources",
    "record_entry",
    "ingest",
    "search",
    "code_map",
    "status",
    "help",
)
QUERY_PATTERNS = (
    "definition of <symbol|FQN>",
    "references to <symbol|FQN>",
    "callers of <symbol|FQN>",
    "imports of <symbol|FQN>",
    "tests for <symbol>",
    "docs for <symbol>",
)
WHEN_TO_USE = {
    "search": "Keyword or prose retrieval with filters, over docs, records, notes and code chunks.",
    "code_map": "Questions about a symbol, answered in groups: definitions, references, callers, "
    "imports, tests, docs and related code.",
}
CAUTIONS = (
    "search is compact by default; ask for responseProfile debug or full only to diagnose.",
    (
        "code_map does not accept search-only controls: retrievalMode, exactToken, offset, "
        "trustTiers, attachmentIds, includeScoreBreakdown."
    ),
    "A source is found by search once it has been ingested; get and status say how far that is.",
    "Arguments stand beside action, or in params as in the examples.",
)

Params = dict[str, Any]


def examples(projects: Iterable[Project]) -> dict[str, list[dict[str, Any]]]:
    """An example call of each action, using an existing project if one has a folder."""
    project = next((one for one in projects if one.roots), None)
    where: Params = {"scope": "global"}
    folder = "<file:// URL of a folder>"
    if project:
        where, folder = {"scope": "project", "projectId": project.id}, url_of(project.roots[0])
    params: dict[str, Params] = {
        "get": where,
        "update_sources": {**where, "operations": [_adding(folder)]},
        "record_entry": {
            **where,
            "mode": "append",
            "entryType": "agent_knowledge",
            "agentHandle": "reviewer",
            "body": "Refunds are tested against the mock gateway.",
        },
        "ingest": {**where, "execution": "background"},
        "search": {
            "query": "how are failed payments retried",
            "pathPrefixes": ["docs"],
            "retrievalMode": "hybrid",
            "topK": 10,
        },
        "code_map": {"scope": "all", "query": "definition of RetryPolicy", "topK": 10},
        "status": where,
        "help": {},
    }
    return {name: [{"action": name, "params": params[name]}] for name in ACTION_NAMES}


def _adding(folder: str) -> Params:
    return {
        "op": "add",
        "knowledgeType": "code_intelligence",
        "resourceKind": "folder",
        "locator": folder,
    }


class HelpArguments(ActionArguments):
    """The arguments of `help`: none."""


class HelpAnswer(CamelAnswerPart):
    actions: tuple[str, ...]
    when_to_use: dict[str, str]
    query_patterns: tuple[str, ...]
    examples: dict[str, list[dict[str, Any]]]
    cautions: tuple[str, ...]
    docs_path: str


def help_with(
    application: Application, actor: Actor, _given: HelpArguments, _call: Call
) -> HelpAnswer:
    return HelpAnswer(
        actions=ACTION_NAMES,
        when_to_use=WHEN_TO_USE,
        query_patterns=QUERY_PATTERNS,
        examples=examples(application.workspace.projects(actor)),
        cautions=CAUTIONS,
        docs_path=GUIDE_URI.format(id=GUIDE),
    )


HELP = Action("help", Scope.READ, HelpArguments, help_with)
