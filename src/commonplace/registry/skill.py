"""A SKILL.md as a value, and the rules for its front matter.

`safety` decides whether its text is safe, `quality` how good it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from commonplace.errors import InvalidArgument, Issue
from commonplace.model.entry import Visibility
from commonplace.registry.front_matter import split

MAX_CHARS = 128_000
MAX_NAME = 200
MAX_DESCRIPTION = 4_000
MAX_FIELD = 200
MAX_LIST = 64
MAX_ITEM = 100
FIELD = "skill_md_content"

_LEVELS = ("aggregated", "federated", "private")
_FLAGS = ("true", "false")
_WITH_COMMAS = re.compile(r"[^,]+")
_TOOLS = re.compile(r"[^\s,(]++(?:\([^()]*+\))?")


@dataclass(frozen=True, slots=True)
class Skill:
    """A parsed skill; `head` (the front matter as written) and `body` are the whole file."""

    name: str
    description: str
    head: str
    body: str
    version: str | None = None
    author: str | None = None
    license: str | None = None
    tags: tuple[str, ...] = ()
    allowed_tools: tuple[str, ...] = ()
    domain: str | None = None
    visibility: Visibility | None = None

    @property
    def text(self) -> str:
        return self.head + self.body


def parse_skill(text: str) -> Skill:
    """Parse a skill; InvalidArgument lists every problem of the front matter."""
    if len(text) > MAX_CHARS:
        raise InvalidArgument(
            f"A skill may have at most {MAX_CHARS:,} characters; this one has {len(text):,}.",
            field=FIELD,
        )
    parts = split(text)
    fields = _Fields(parts.fields)
    block = fields.block("kp")
    skill = Skill(
        name=fields.text("name", MAX_NAME, required=True) or "",
        description=fields.text("description", MAX_DESCRIPTION, required=True) or "",
        head=parts.head,
        body=parts.body,
        version=fields.text("version", MAX_FIELD),
        author=fields.text("author", MAX_FIELD),
        license=fields.text("license", MAX_FIELD),
        tags=fields.items("tags", _WITH_COMMAS),
        allowed_tools=fields.items("allowed-tools", _TOOLS),
        domain=block.text("domain", MAX_FIELD),
        visibility=_visibility(block),
    )
    block.one_of("privacy_level", _LEVELS)
    block.one_of("knowledge_capture", _FLAGS)
    block.one_of("reward_eligible", _FLAGS)
    block.share("quality_threshold")
    if not parts.body.strip():
        fields.fault("The file has no instructions after its front matter.", "body")
    if fields.issues:
        raise InvalidArgument(_sentence(fields.issues), field=FIELD, issues=tuple(fields.issues))
    return skill


def _visibility(block: _Fields) -> Visibility | None:
    chosen = block.one_of("visibility", tuple(Visibility))
    return Visibility(chosen) if chosen else None


def _sentence(issues: list[Issue]) -> str:
    told = (f"{'.'.join(map(str, issue.path))}: {issue.message}" for issue in issues)
    return "The skill is not valid. " + " ".join(told)


class _Fields:
    """Reads values from a mapping, and collects all problems instead of stopping at the first."""

    def __init__(
        self,
        fields: Mapping[str, Any],
        path: tuple[str | int, ...] = (),
        issues: list[Issue] | None = None,
    ) -> None:
        self._fields = fields
        self._path = path
        self.issues: list[Issue] = [] if issues is None else issues

    def fault(self, message: str, *path: str | int) -> None:
        self.issues.append(Issue((*self._path, *path), message))

    def block(self, name: str) -> _Fields:
        value = self._fields.get(name)
        if value is not None and not isinstance(value, dict):
            self.fault("Must be a mapping of names to values.", name)
            value = None
        return _Fields(value or {}, (*self._path, name), self.issues)

    def text(self, name: str, longest: int, *, required: bool = False) -> str | None:
        value = self._fields.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            if required:
                self.fault("Required, and not empty.", name)
            return None
        if not isinstance(value, str):
            self.fault("Must be text.", name)
            return None
        if len(value) > longest:
            self.fault(f"At most {longest:,} characters are allowed.", name)
        return value.strip()

    def items(self, name: str, line: re.Pattern[str]) -> tuple[str, ...]:
        """A list, or a line of items, which other tools accept as well."""
        value = self._fields.get(name)
        if value is None:
            return ()
        if isinstance(value, str):
            value = line.findall(value)
        if not isinstance(value, list) or len(value) > MAX_LIST:
            self.fault(f"Must be a list of at most {MAX_LIST} texts.", name)
            return ()
        for place, item in enumerate(value):
            if not isinstance(item, str) or len(item) > MAX_ITEM:
                self.fault(f"Must be text of at most {MAX_ITEM} characters.", name, place)
        texts = (item.strip() for item in value if isinstance(item, str))
        return tuple(dict.fromkeys(filter(None, texts)))

    def one_of(self, name: str, allowed: tuple[str, ...]) -> str | None:
        def known(value: str) -> bool:
            return value in allowed

        return self._checked(name, known, f"Must be one of {', '.join(allowed)}.")

    def share(self, name: str) -> str | None:
        return self._checked(name, _is_share, "Must be a number from 0 to 1.")

    def _checked(self, name: str, holds: Callable[[str], bool], message: str) -> str | None:
        value = self._fields.get(name)
        if value is None:
            return None
        if not isinstance(value, str) or not holds(value):
            self.fault(message, name)
            return None
        return value


def _is_share(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False
