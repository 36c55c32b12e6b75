"""Knowledge units: their types, their searchable text, and the fields that the server fills in.

Units have already been validated against their schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from commonplace.model.entry import Visibility
from commonplace.safety.examine import ExaminedText

SCHEMA = "https://openknowledgepulse.org/schema/v1"
ANONYMOUS = "anonymous"
_SPELLINGS = frozenset({"1", "1.0", "v1", "v1.0"})
_MAX_TITLE = 200

Document = Mapping[str, Any]


class UnitType(StrEnum):
    TRACE = "ReasoningTrace"
    PATTERN = "ToolCallPattern"
    SOP = "ExpertSOP"


PREFIXES = {
    UnitType.TRACE: "kp:trace:",
    UnitType.PATTERN: "kp:pattern:",
    UnitType.SOP: "kp:sop:",
}


@dataclass(frozen=True, slots=True)
class Filled:
    """The fields that only the server knows."""

    id: str
    now: datetime
    visibility: Visibility
    quality: float
    agent: str


def is_current_version(given: str) -> bool:
    """Whether a schema version is the current one."""
    return given.strip().lower() in _SPELLINGS


def type_of(unit: Document) -> UnitType:
    return UnitType(unit["@type"])


def credited_agent(unit: Document, caller: str) -> str:
    """Who is credited: the agent that the unit names, else the contributor."""
    named = unit["metadata"].get("agent_id") or caller
    return str(named).strip() or ANONYMOUS


def domain_of(unit: Document) -> str:
    return str(unit["metadata"]["task_domain"])


def title_of(unit: Document) -> str:
    named = unit["task"]["objective"] if type_of(unit) is UnitType.TRACE else unit["name"]
    first = " ".join(str(named).split())
    return first if len(first) <= _MAX_TITLE else first[: _MAX_TITLE - 1] + "…"


def text_of(unit: Document) -> str:
    """The searchable text: what a person would describe the unit with."""
    parts = {
        UnitType.TRACE: _trace_text,
        UnitType.PATTERN: _pattern_text,
        UnitType.SOP: _sop_text,
    }[type_of(unit)](unit)
    return "\n".join(part for part in parts if part and part.strip())


def _trace_text(unit: Document) -> Iterator[str]:
    yield unit["task"]["objective"]
    for step in unit["steps"]:
        yield step.get("content") or ""
        yield step.get("output_summary") or ""
    yield unit["outcome"]["result_summary"]


def _pattern_text(unit: Document) -> Iterator[str]:
    yield unit["name"]
    yield unit["description"]
    yield from unit["trigger_conditions"]["task_types"]


def _sop_text(unit: Document) -> Iterator[str]:
    yield unit["name"]
    yield unit["domain"]
    for step in unit["decision_tree"]:
        yield step["instruction"]


def tools_of(trace: Document) -> list[str]:
    """The names of the tools that a trace used, one per use."""
    return [step["tool"]["name"] for step in trace["steps"] if step.get("tool")]


def filled(unit: Document, given: Filled) -> dict[str, Any]:
    """The unit as stored; server-side fields override declared ones."""
    metadata = {
        "created_at": instant(given.now),
        "privacy_level": "aggregated",
        **{key: value for key, value in unit["metadata"].items() if key != "validated_by"},
        "agent_id": given.agent,
        "visibility": given.visibility.value,
        "quality_score": given.quality,
    }
    return {"@context": SCHEMA, **unit, "id": given.id, "metadata": metadata}


def revalued(unit: Document, quality: float, validators: Sequence[str]) -> dict[str, Any]:
    """The stored unit after a verdict."""
    metadata = {k: v for k, v in unit["metadata"].items() if k != "validated_by"}
    metadata["quality_score"] = quality
    if validators:
        metadata["validated_by"] = [f"kp:validator:{agent}" for agent in validators]
    return {**unit, "metadata": metadata}


def instant(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def passages(node: object, path: tuple[str | int, ...] = ()) -> Iterator[ExaminedText]:
    """Every text of a unit with its path, including unknown keys."""
    if isinstance(node, str):
        yield ExaminedText(path, node)
    elif isinstance(node, Mapping):
        for key, value in node.items():
            yield ExaminedText((*path, key), str(key))
            yield from passages(value, (*path, key))
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from passages(value, (*path, place))
