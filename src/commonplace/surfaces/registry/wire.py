"""The wire format of the `registry` dialect: snake_case, bare arrays and objects."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

from commonplace.model.entry import Entry
from commonplace.registry.contribution import skill_warnings_now, unit_warnings_now
from commonplace.registry.service.contributions import skill_text
from commonplace.registry.values import Contributed, Reputation
from commonplace.surfaces.answers import WARNINGS, AnswerPart, empty
from commonplace.surfaces.arguments import OWN_LIMIT, WHOLE, Arguments

VisibilityName = Literal["private", "org", "network"]
TypeName = Literal["ReasoningTrace", "ToolCallPattern", "ExpertSOP"]


_READABLE_BY = "who can read it now; org also for network where orgs are no network"
_MIN_SKILL_QUALITY, _MIN_UNIT_QUALITY = 0.7, 0.75


class SearchSkillArguments(Arguments):
    query: Annotated[str, Field(max_length=10_000), OWN_LIMIT]
    domain: str | None = None
    tags: list[str] | None = Field(None, description="any of them")
    min_quality: Annotated[float, Field(ge=0, le=1)] = _MIN_SKILL_QUALITY
    limit: Annotated[int, Field(ge=1, le=20), WHOLE] = 5


class SearchKnowledgeArguments(Arguments):
    query: Annotated[str, Field(max_length=10_000), OWN_LIMIT]
    types: list[TypeName] | None = None
    domain: str | None = Field(None, description="task_domain")
    min_quality: Annotated[float, Field(ge=0, le=1)] = _MIN_UNIT_QUALITY
    limit: Annotated[int, Field(ge=1, le=10), WHOLE] = 5
    schema_version: str | None = None


class ContributeSkillArguments(Arguments):
    skill_md_content: str
    visibility: VisibilityName | None = Field(
        None, description="default: the front matter's, else network"
    )


class ContributeKnowledgeArguments(Arguments):
    unit: dict[str, Any] = Field(
        description="@type ReasoningTrace, ToolCallPattern or ExpertSOP; metadata needs "
        "task_domain and success; id, times and quality are filled in"
    )
    visibility: VisibilityName


class ValidateArguments(Arguments):
    unit_id: str
    valid: bool
    feedback: Annotated[str, Field(max_length=4_000), OWN_LIMIT] | None = None


class ReputationArguments(Arguments):
    agent_id: str


class SkillShown(AnswerPart):
    id: str
    name: str
    domain: str | None
    tags: list[str]
    quality_score: float
    content: str = Field(description="the whole SKILL.md")
    description: str
    visibility: VisibilityName
    author: str | None = Field(None, exclude_if=empty)
    version: str | None = Field(None, exclude_if=empty)
    license: str | None = Field(None, exclude_if=empty)
    warnings: list[str] = WARNINGS


class UnitShown(AnswerPart):
    id: str
    type: TypeName
    domain: str
    quality_score: float
    content: dict[str, Any] = Field(description="the whole unit")
    visibility: VisibilityName
    warnings: list[str] = WARNINGS


class SkillsAnswer(RootModel[list[SkillShown]]):
    """The matching skills, best first."""

    model_config = ConfigDict(defer_build=True)


class UnitsAnswer(RootModel[list[UnitShown]]):
    """The matching units, best first."""

    model_config = ConfigDict(defer_build=True)


class SkillAnswer(AnswerPart):
    id: str
    quality_score: float
    readable_by: VisibilityName = Field(description=_READABLE_BY)
    replaces: list[str] = Field(
        [],
        exclude_if=empty,
        description="your earlier ones of the name; search hides them now",
    )
    hint: str = Field("", exclude_if=empty)
    warnings: list[str] = Field([], exclude_if=empty)


class UnitAnswer(AnswerPart):
    id: str
    quality_score: float
    readable_by: VisibilityName = Field(description=_READABLE_BY)
    hint: str = Field("", exclude_if=empty)
    warnings: list[str] = Field([], exclude_if=empty)


class ValidateAnswer(AnswerPart):
    validated: Literal[True] = True


class ReputationAnswer(AnswerPart):
    score: float
    contributions: int


def skills_answer(entries: list[Entry]) -> SkillsAnswer:
    return SkillsAnswer([_skill(entry) for entry in entries])


def _skill(entry: Entry) -> SkillShown:
    content, attributes = entry.content, entry.content.attributes
    return SkillShown(
        id=entry.id,
        name=content.title,
        domain=attributes.get("domain"),
        tags=attributes["tags"],
        quality_score=content.confidence,
        content=skill_text(entry),
        description=attributes["description"],
        visibility=content.visibility.value,
        author=attributes.get("author"),
        version=attributes.get("version"),
        license=attributes.get("license"),
        warnings=skill_warnings_now(entry),
    )


def units_answer(entries: list[Entry]) -> UnitsAnswer:
    return UnitsAnswer([_unit(entry) for entry in entries])


def _unit(entry: Entry) -> UnitShown:
    unit = entry.content.attributes["unit"]
    return UnitShown(
        id=entry.id,
        type=unit["@type"],
        domain=unit["metadata"]["task_domain"],
        quality_score=entry.content.confidence,
        content=unit,
        visibility=entry.content.visibility.value,
        warnings=unit_warnings_now(entry),
    )


def skill_answer(done: Contributed) -> SkillAnswer:
    return SkillAnswer(
        id=done.id,
        quality_score=done.quality,
        readable_by=done.readable_by.value,
        replaces=list(done.replaces),
        hint=_hint(done.quality, _MIN_SKILL_QUALITY),
        warnings=list(done.warnings),
    )


def unit_answer(done: Contributed) -> UnitAnswer:
    return UnitAnswer(
        id=done.id,
        quality_score=done.quality,
        readable_by=done.readable_by.value,
        hint=_hint(done.quality, _MIN_UNIT_QUALITY),
        warnings=list(done.warnings),
    )


def _hint(quality: float, default_minimum: float) -> str:
    """A hint if searches do not show the contribution by default, else an empty text."""
    if quality >= default_minimum:
        return ""
    return f"Searches show only quality {default_minimum} and above, unless min_quality is lower."


def reputation_answer(found: Reputation) -> ReputationAnswer:
    return ReputationAnswer(score=found.score, contributions=found.contributions)
