"""The schema of knowledge units, version 1, and its validation: every problem with its path.

Fields that a caller cannot know (id, context, time, score) are optional; unknown keys are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from commonplace.errors import InvalidArgument, Issue
from commonplace.registry.contribution import UNIT, check_depth
from commonplace.registry.units import PREFIXES, SCHEMA, UnitType
from commonplace.surfaces.arguments import WHOLE
from commonplace.surfaces.call import problem_of

_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z")
_PRINTABLE_ID = re.compile(r"[\x21-\x7e]{1,200}")


def _utc(text: str) -> str:
    try:
        datetime.fromisoformat(text if _INSTANT.fullmatch(text) else "")
    except ValueError:
        raise ValueError("must be a time in UTC such as 2030-01-31T12:00:00Z") from None
    return text


def _known_schema(text: str) -> str:
    if text != SCHEMA:
        raise ValueError(f"must be {SCHEMA}")
    return text


Name = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0), WHOLE]
Instant = Annotated[str, AfterValidator(_utc), Field(json_schema_extra={"format": "date-time"})]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow", frozen=True, defer_build=True)


class Metadata(_Part):
    task_domain: Name = Field(description="what the unit is about; searches filter by it")
    success: bool
    created_at: Instant | None = Field(None, description="filled in when left out")
    agent_id: Annotated[str, Field(max_length=500)] | None = Field(
        None, description="who earns the credit; the caller when left out"
    )
    framework: str | None = None
    quality_score: Share | None = Field(None, description="always computed; what is given is not")
    visibility: Literal["private", "org", "network"] | None = Field(
        None, description="the tool's argument wins"
    )
    privacy_level: Literal["aggregated", "federated", "private"] | None = None
    validated_by: list[str] | None = Field(None, description="kept by the server")


class _Unit(_Part):
    context: Annotated[str, AfterValidator(_known_schema)] | None = Field(
        None, alias="@context", json_schema_extra={"const": SCHEMA}
    )
    id: str | None = Field(None, description="prefix of the type, then a uuid; filled in")
    metadata: Metadata

    @model_validator(mode="after")
    def _prefixed(self) -> _Unit:
        prefix = PREFIXES[UnitType(type(self).__name__)]
        if self.id is None:
            return self
        if not self.id.startswith(prefix) or not _PRINTABLE_ID.fullmatch(self.id):
            raise ValueError(f"id must start with {prefix} and have at most 200 characters")
        return self


class Task(_Part):
    objective: Name
    input_schema: Any = None


class ToolUsed(_Part):
    name: Name
    mcp_server: str | None = None


class TraceStep(_Part):
    step_id: Count
    type: Literal["thought", "tool_call", "observation", "error_recovery"]
    content: str | None = None
    tool: ToolUsed | None = None
    input: dict[str, Any] | None = None
    output_summary: str | None = None
    latency_ms: Annotated[float, Field(ge=0)] | None = None


class Outcome(_Part):
    result_summary: str
    confidence: Share


class GraphDelta(_Part):
    entities: list[dict[str, Any]] | None = None
    relationships: list[dict[str, Any]] | None = None


class ReasoningTrace(_Unit):
    """How an agent reasoned about a task, step by step, and the outcome."""

    type: Literal["ReasoningTrace"] = Field(alias="@type")
    task: Task
    steps: Annotated[list[TraceStep], Field(min_length=1)]
    outcome: Outcome
    source_skill: str | None = None
    knowledge_graph_delta: GraphDelta | None = None


class Trigger(_Part):
    task_types: Annotated[list[str], Field(min_length=1)]
    required_tools: list[str] | None = None


class ToolCall(_Part):
    name: Name
    query_template: Any = None
    input_template: Any = None


class SequenceStep(_Part):
    step: Any = None
    execution: Literal["parallel", "sequential"]
    tools: list[ToolCall]
    condition: str | None = None


class Performance(_Part):
    avg_ms: Annotated[float, Field(ge=0)]
    success_rate: Share
    uses: Count


class ToolCallPattern(_Unit):
    """Which tools, in which order, for which kind of task."""

    type: Literal["ToolCallPattern"] = Field(alias="@type")
    name: Name
    description: str
    trigger_conditions: Trigger
    tool_sequence: Annotated[list[SequenceStep], Field(min_length=1)]
    performance: Performance


class Expert(_Part):
    type: Literal["human_expert"]
    expert_id: str
    credentials: list[str]


class Condition(_Part):
    action: str
    sla_min: float | None = None


class Suggestion(_Part):
    name: Name
    when: str


class DecisionStep(_Part):
    step: Any
    instruction: Name
    criteria: dict[str, str] | None = None
    conditions: dict[str, Condition] | None = None
    tool_suggestions: list[Suggestion] | None = None


class TestCase(_Part):
    input: Any
    expected_output: Any


class Validation(_Part):
    test_cases: list[TestCase] | None = None


class ExpertSOP(_Unit):
    """How an expert proceeds, as a tree of decisions."""

    type: Literal["ExpertSOP"] = Field(alias="@type")
    name: Name
    domain: Name
    source: Expert
    decision_tree: Annotated[list[DecisionStep], Field(min_length=1)]
    validation: Validation | None = None


SCHEMAS: Mapping[UnitType, type[_Unit]] = {
    UnitType.TRACE: ReasoningTrace,
    UnitType.PATTERN: ToolCallPattern,
    UnitType.SOP: ExpertSOP,
}


def checked_unit(unit: dict[str, Any]) -> dict[str, Any]:
    """The unit unchanged if it is valid; InvalidArgument otherwise."""
    check_depth(unit)
    type_name = unit.get("@type")
    if type_name not in tuple(UnitType):
        raise _invalid([Issue(("@type",), f"must be one of {', '.join(UnitType)}.")])
    try:
        SCHEMAS[UnitType(type_name)].model_validate(unit)
    except ValidationError as error:
        raise _invalid([_issue(problem) for problem in error.errors()]) from None
    return unit


def _issue(problem: Any) -> Issue:
    """One problem. Without a path it is about the id, the only check across fields."""
    path = problem["loc"] or ("id",)
    return Issue(path, problem_of(problem["msg"]))


def _invalid(issues: list[Issue]) -> InvalidArgument:
    problems = " ".join(f"{'.'.join(map(str, issue.path))}: {issue.message}" for issue in issues)
    return InvalidArgument(f"The unit is not valid. {problems}", field=UNIT, issues=tuple(issues))
