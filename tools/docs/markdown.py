"""Helpers for writing Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Made by `make docs` from the code; edit the code. -->"


def document(title: str, *blocks: str) -> str:
    return "\n\n".join((f"# {title}", NOTICE, *blocks)) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
