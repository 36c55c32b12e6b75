"""Generates the page of rooms: which may import which, from the table that the tests enforce."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tools.docs.markdown import code, document, table

RULES = Path(__file__).parents[2] / "tests" / "architecture" / "rules.toml"

INTRODUCTION = """\
What each room of `src/commonplace/` may import, and does. Every room may also import `errors`. Of
an I/O room (`embedding`, `storage`, `reading`, `cache`, `issuers`), others import only the port;
`bootstrap` imports the adapters too."""


def allowed() -> dict[str, list[str]]:
    rules: dict[str, list[str]] = tomllib.loads(RULES.read_text(encoding="utf-8"))["may_import"]
    return rules


def page() -> str:
    rows = [(code(room), ", ".join(map(code, others))) for room, others in allowed().items()]
    return document("Rooms", INTRODUCTION, table(("room", "may import"), rows))
