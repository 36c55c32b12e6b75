"""The Markdown pages of the repository, their links, headings and console examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#+\s+(.+?)\s*#*$", re.MULTILINE)


def pages() -> list[Path]:
    nested = (
        file
        for folder in ("docs", "benchmarks", "tools")
        for file in (REPOSITORY / folder).rglob("*.md")
    )
    return sorted((*REPOSITORY.glob("*.md"), *nested))


def links(text: str) -> Iterator[str]:
    """Targets inside this repository; examples in code are not links."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    for target in LINK.findall(prose):
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(text: str) -> set[str]:
    """What a heading is called in a link: lower case, no punctuation, hyphens for spaces."""
    headings = HEADING.findall(FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path, text: str) -> list[str]:
    problems = []
    for link in links(text):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            problems.append(f"{page.name}: {link} leads nowhere")
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            problems.append(f"{page.name}: {link} has no such heading")
    return problems


def console_lines(text: str) -> Iterator[str]:
    """What a reader is told to type in a console block, continued lines joined."""
    for language, body in FENCE.findall(text):
        if language == "console":
            joined = re.sub(r"\\\n\s*>?\s*", "", body)
            yield from (line[2:].strip() for line in joined.splitlines() if line.startswith("$ "))
