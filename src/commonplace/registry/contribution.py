"""Prepares a skill or unit for storage: examines it, rates it, and converts it to an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonplace.errors import ContentRefused, InvalidArgument, Issue
from commonplace.model.entry import Entry, EntryContent, Visibility
from commonplace.registry.quality import skill_quality
from commonplace.registry.skill import FIELD, MAX_CHARS, Skill, parse_skill
from commonplace.registry.units import Document, domain_of, passages, text_of, title_of, type_of
from commonplace.safety.examine import ExaminedText, examined, findings, invisible_in
from commonplace.text.gate import clean
from commonplace.text.markdown import without_comments

MAX_UNIT_CHARS = 256_000
MAX_UNIT_DEPTH = 32
UNIT = "unit"
_EXAMINED_BYTES = 200_000
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class ReadySkill:
    skill: Skill
    quality: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkillFile:
    """A file of a skill, by its path inside the skill's folder."""

    path: str
    digest: str
    size: int


def ready_skill(text: str) -> ReadySkill:
    """The skill in the form to be stored; raises the reason if it cannot be."""
    text = clean(text, field=FIELD, max_chars=MAX_CHARS)
    if unseen := invisible_in([ExaminedText((), text)]):
        raise ContentRefused(f"The skill {unseen[0].message}", issues=unseen)
    stripped = without_comments(text)
    skill = parse_skill(stripped.text)
    parts = [ExaminedText(("front_matter",), skill.head), ExaminedText(("body",), skill.body)]
    hidden = [ExaminedText(("body",), comment, comment=True) for comment in stripped.comments]
    warnings = _with_issues(examined([*parts, *hidden]))
    if stripped.comments:
        warnings += (f"HTML comments were removed ({len(stripped.comments)}).",)
    return ReadySkill(skill, skill_quality(skill), warnings)


def skill_content(
    ready: ReadySkill, visibility: Visibility, files: Sequence[SkillFile] = ()
) -> EntryContent:
    skill = ready.skill
    shown = {
        "author": skill.author,
        "version": skill.version,
        "license": skill.license,
        "domain": skill.domain,
        "allowed_tools": list(skill.allowed_tools),
        "warnings": list(ready.warnings),
        "files": [{"path": f.path, "digest": f.digest, "size": f.size} for f in files],
    }
    return EntryContent(
        title=skill.name,
        body=skill.body,
        tags=tuple(folded(tag) for tag in skill.tags),
        visibility=visibility,
        confidence=ready.quality,
        domain=folded(skill.domain) if skill.domain else None,
        attributes={
            "description": skill.description,
            "head": skill.head,
            "tags": list(skill.tags),
            **{name: value for name, value in shown.items() if value},
        },
    )


def lineage(skill: Skill, agent: str) -> str:
    """Equal for versions of one skill: same name and author, contributed by the same agent."""
    return _SEPARATOR.join((folded(skill.name), folded(skill.author or ""), agent))


def wider(one: Visibility, other: Visibility) -> bool:
    order = (Visibility.PRIVATE, Visibility.ORG, Visibility.NETWORK)
    return order.index(one) > order.index(other)


def file_warnings(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Warnings about the files next to a SKILL.md; files with a NUL byte are binary and skipped."""
    starts = {path: data[:_EXAMINED_BYTES] for path, data in sorted(files.items())}
    texts = {
        path: start.decode(errors="replace") for path, start in starts.items() if b"\0" not in start
    }
    found = [findings([ExaminedText(("files", path), text)]) for path, text in texts.items()]
    return _with_issues([finding.issue for of_file in found for finding in of_file])


def skill_warnings_now(entry: Entry) -> list[str]:
    """The warnings from when it was contributed, plus those of the current rules."""
    content = entry.content
    head = ExaminedText(("front_matter",), content.attributes["head"])
    return _with_today(content, [head, ExaminedText(("body",), content.body)])


def unit_warnings_now(entry: Entry) -> list[str]:
    return _with_today(entry.content, list(passages(entry.content.attributes["unit"])))


def _with_today(content: EntryContent, parts: Sequence[ExaminedText]) -> list[str]:
    today = _with_issues([finding.issue for finding in findings(parts)])
    return list(dict.fromkeys((*content.attributes.get("warnings", []), *today)))


def unit_warnings(unit: Document) -> tuple[str, ...]:
    """Warnings about a unit; raises an error if it is invalid or too suspicious."""
    parts = list(passages(unit))
    if sum(len(part.text) for part in parts) > MAX_UNIT_CHARS:
        raise _invalid(f"A unit may have at most {MAX_UNIT_CHARS:,} characters of text.", ())
    for part in parts:
        try:
            clean(part.text, field=UNIT, max_chars=MAX_UNIT_CHARS)
        except InvalidArgument as error:
            raise _invalid(error.message, part.path) from None
    found = (*examined(parts), *invisible_in(parts)[:1])
    return _with_issues(found)


def check_depth(node: Any) -> None:
    """Refuse excessive nesting, before anything processes the unit recursively."""
    level: list[Any] = [node]
    for _ in range(MAX_UNIT_DEPTH):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return
    raise _invalid(f"A unit may be nested at most {MAX_UNIT_DEPTH} deep.", ())


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def unit_content(
    unit: Document, visibility: Visibility, computed: float, warnings: Sequence[str]
) -> EntryContent:
    return EntryContent(
        title=title_of(unit),
        body=text_of(unit),
        visibility=visibility,
        confidence=computed,
        category=type_of(unit).value,
        domain=folded(domain_of(unit)),
        attributes={
            "unit": dict(unit),
            "computed": computed,
            **({"warnings": list(warnings)} if warnings else {}),
        },
    )


def folded(text: str) -> str:
    return text.strip().casefold()


def _invalid(message: str, path: tuple[str | int, ...]) -> InvalidArgument:
    return InvalidArgument(message, field=UNIT, issues=(Issue(path, message),))


def _with_issues(issues: Sequence[Issue]) -> tuple[str, ...]:
    return tuple(f"{'.'.join(map(str, issue.path))}: {issue.message}" for issue in issues)
