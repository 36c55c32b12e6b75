"""Writes everything that is generated from code: docs/reference, the table of rights, and the
prepared tool lists."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.docs import commands, errors, lists, rights, rooms, schemas, settings, tools

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
PAGES: dict[str, Callable[[], str]] = {
    "cli.md": commands.page,
    "errors.md": errors.page,
    "rooms.md": rooms.page,
    "settings.md": settings.page,
    "tools.md": tools.page,
    **schemas.PAGES,
}


def pages() -> Iterator[tuple[Path, str]]:
    for name, page in PAGES.items():
        yield REFERENCE / name, page()


def main() -> None:
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for file, text in pages():
        file.write_text(text, encoding="utf-8")
        sys.stderr.write(f"wrote docs/reference/{file.name}\n")
    for name, page in lists.PAGES.items():
        (lists.LISTS / name).write_text(page(), encoding="utf-8")
    rights.PAGE.write_text(rights.page(), encoding="utf-8")


if __name__ == "__main__":
    main()
