"""The shapes of the `registry` dialect: snake_case, bare arrays and objects."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, RootModel

from commonplace.model.entry import Entry
from commonplace.registry.contribution import skill_warnings_now, unit_warnings_now
from commonplace.registry.service import skill_text
from commonplace.registry.values import Contributed, Reputation
from commonplace.surfaces.answers import AnswerPart
from commonplace.surfaces.arguments import OWN_LIMIT, WHOLE, Arguments

VisibilityName = Literal["private", "org", "network"]
TypeName = Literal["ReasoningTrace", "ToolCallPattern", "ExpertSOP"]


_READABLE_BY = "who can read it now; org also for network where orgs are no network"
_LEAST_SKILL, _LEAST_UNIT = 0.7, 0.75


def _nothing(value: object) -> bool:
    return not value


class SearchSkillArguments(Arguments):
    query: Annotated[str, Field(max_length=10_000), OWN_LIMIT]
    domain: str | None = None
    tags: list[str] | None = Field(None, description="any of them")
    min_quality: Annotated[float, Field(ge=0, le=1)] = _LEAST_SKILL
    limit: Annotated[int, Field(ge=1, le=20), WHOLE] = 5


class SearchKnowledgeArguments(Arguments):
    query: Annotated[str, Field(max_length=10_000), OWN_LIMIT]
    types: list[TypeName] | None = None
    domain: str | None = Field(None, description="task_domain")
    min_quality: Annotated[float, Field(ge=0, le=1)] = _LEAST_UNIT
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
    author: str | None = Field(None, exclude_if=_nothing)
    version: str | None = Field(None, exclude_if=_nothing)
    license: str | None = Field(None, exclude_if=_nothing)
    warnings: list[str] = Field([], exclude_if=_nothing)


class UnitShown(AnswerPart):
    id: str
    type: TypeName
    domain: str
    quality_score: float
    content: dict[str, Any] = Field(description="the whole unit")
    visibility: VisibilityName
    warnings: list[str] = Field([], exclude_if=_nothing)


class SkillsAnswer(RootModel[list[SkillShown]]):
    """What matches, best first."""

    model_config = ConfigDict(defer_build=True)


class UnitsAnswer(RootModel[list[UnitShown]]):
    """What matches, best first."""

    model_config = ConfigDict(defer_build=True)


class SkillAnswer(AnswerPart):
    id: str
    quality_score: float
    readable_by: VisibilityName = Field(description=_READABLE_BY)
    replaces: list[str] = Field(
        [],
        exclude_if=_nothing,
        description="your earlier ones of the name; search hides them now",
    )
    hint: str = Field("", exclude_if=_nothing)
    warnings: list[str] = Field([], exclude_if=_nothing)


class UnitAnswer(AnswerPart):
    id: str
    quality_score: float
    readable_by: VisibilityName = Field(description=_READABLE_BY)
    hint: str = Field("", exclude_if=_nothing)
    warnings: list[str] = Field([], exclude_if=_nothing)


class ValidateAnswer(AnswerPart):
    validated: Literal[True] = True


class ReputationAnswer(AnswerPart):
    score: float
    contributions: int


def skills_answer(entries: list[Entry]) -> SkillsAnswer:
    return SkillsAnswer([_skill(entry) for entry in entries])


def _skill(entry: Entry) -> SkillShown:
    content, told = entry.content, entry.content.attributes
    return SkillShown(
        id=entry.id,
        name=content.title,
        domain=told.get("domain"),
        tags=told["tags"],
        quality_score=content.confidence,
        content=skill_text(entry),
        description=told["description"],
        visibility=content.visibility.value,
        author=told.get("author"),
        version=told.get("version"),
        license=told.get("license"),
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
        hint=_hint(done.quality, _LEAST_SKILL),
        warnings=list(done.warnings),
    )


def unit_answer(done: Contributed) -> UnitAnswer:
    return UnitAnswer(
        id=done.id,
        quality_score=done.quality,
        readable_by=done.readable_by.value,
        hint=_hint(done.quality, _LEAST_UNIT),
        warnings=list(done.warnings),
    )


def _hint(quality: float, least: float) -> str:
    """Why a search may not show what was just contributed; nothing where it will."""
    if quality >= least:
        return ""
    return f"A search shows only {least} and better unless min_quality is lower."


def reputation_answer(found: Reputation) -> ReputationAnswer:
    return ReputationAnswer(score=found.score, contributions=found.contributions)
