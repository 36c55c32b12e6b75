"""The `help` action: what the tool can do, and how questions are best put."""

from __future__ import annotations

from typing import Any

from commonplace.application import Application
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.workspace.action import Action, ActionArguments, Shown

DOCS_PATH = "docs/explain/workspace.md"
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
_WHEN_TO_USE = {
    "search": "Keyword or prose retrieval with filters, over docs, records, notes and code chunks.",
    "code_map": "Questions about a symbol, answered in groups: definitions, references, callers, "
    "imports, tests, docs and related code.",
}
_EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "search": [
        {
            "action": "search",
            "params": {
                "query": "how are failed payments retried",
                "pathPrefixes": ["docs"],
                "retrievalMode": "hybrid",
                "topK": 10,
            },
        }
    ],
    "code_map": [
        {
            "action": "code_map",
            "params": {"scope": "all", "query": "definition of RetryPolicy", "topK": 10},
        }
    ],
    "update_sources": [
        {
            "action": "update_sources",
            "params": {
                "scope": "global",
                "operations": [
                    {
                        "op": "add",
                        "knowledgeType": "docs",
                        "resourceKind": "folder",
                        "locator": "file:///path/to/handbook",
                    }
                ],
            },
        }
    ],
}
_CAUTIONS = (
    "search is compact by default; ask for responseProfile debug or full only to diagnose.",
    (
        "code_map does not accept search-only controls: retrievalMode, exactToken, offset, "
        "trustTiers, attachmentIds, includeScoreBreakdown."
    ),
    "A source is found by search once it has been ingested; get and status say how far that is.",
)


class HelpArguments(ActionArguments):
    """None."""


class HelpAnswer(Shown):
    actions: tuple[str, ...]
    when_to_use: dict[str, str]
    query_patterns: tuple[str, ...]
    examples: dict[str, list[dict[str, Any]]]
    cautions: tuple[str, ...]
    docs_path: str


def help_with(
    _application: Application, _actor: Actor, _given: HelpArguments, _call: Call
) -> HelpAnswer:
    return HelpAnswer(
        actions=ACTION_NAMES,
        when_to_use=_WHEN_TO_USE,
        query_patterns=QUERY_PATTERNS,
        examples=_EXAMPLES,
        cautions=_CAUTIONS,
        docs_path=DOCS_PATH,
    )


HELP = Action("help", Scope.READ, HelpArguments, help_with)
