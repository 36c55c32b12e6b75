"""What rustdoc says of the names in a crate, in the lines that typescript.mjs writes.

Usage: python -m benchmarks.codegraph.rust_truth <project> <root file of a crate> [edition]
"""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

# Its source pages link paths and calls of methods to the lines of what they mean, as the compiler
# resolved them; fields are not among them. A call of a trait's method leads to the trait there, and
# to the implementation that runs in an editor: both count as right, and a method of a trait from
# outside is not judged. Crates that depend on others cannot be read here.
_CODE = re.compile(r"<code>(.*)</code>", re.DOTALL)
_PIECE = re.compile(r"<a href=#\d+ id=\d+ data-nosnippet>\d+</a>|<[^>]*>|[^<]+")
_LINK = re.compile(r'<a href="([^"]*)"')
_ITEM = r"\b(?:fn|struct|enum|trait|type|const|static|mod|union|macro_rules!)\s+{0}\b"
_HEAD = re.compile(r"(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:impl|trait)\b")
_TRAIT = re.compile(r"\btrait\s+(\w+)")
_VARIANT = r"^\s*{0}\s*(?:[,({{=]|$)"


class _Named(NamedTuple):
    offset: int
    text: str
    href: str


def truth(project: Path, root: str, edition: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as out:
        command = [
            "rustdoc", "-Z", "unstable-options", "--generate-link-to-definition", "--edition",
            edition, "--document-private-items", "--cap-lints", "allow", "--crate-name", "it",
            str(project / root), "-o", out,
        ]  # fmt: skip
        subprocess.run(command, check=True, env=os.environ | {"RUSTC_BOOTSTRAP": "1"})
        pages, folder = Path(out) / "src" / "it", (project / root).parent
        for page in sorted(pages.rglob("*.rs.html")):
            path = folder / str(page.relative_to(pages)).removesuffix(".html")
            if path.exists():
                yield json.dumps([str(path.relative_to(project))])
                yield from _told(project, page, path, pages, folder)


def _told(project: Path, page: Path, path: Path, pages: Path, folder: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for name in _links(page.read_text(encoding="utf-8")):
        if not name.text.isidentifier() or not text.startswith(name.text, name.offset):
            continue
        target = _target(name, page, path, pages, folder)
        if target is None:
            continue
        before = text[: name.offset]
        line, column = before.count("\n"), name.offset - (before.rfind("\n") + 1)
        places = [target, *_implementing(target, name.text, folder)] if target[0] else []
        shown = [[str(place.relative_to(project)), *rest] for place, *rest in places if place]
        yield json.dumps([str(path.relative_to(project)), line, column, bool(shown), shown])


def _links(page: str) -> Iterator[_Named]:
    """Linked names with where they stand in the source."""
    found = _CODE.search(page)
    offset, href = 0, ""
    for piece in _PIECE.finditer(found[1] if found else ""):
        token = piece[0]
        if token.startswith("<"):
            link = _LINK.match(token)
            href = link[1] if link else "" if token == "</a>" else href
            continue
        text = html.unescape(token)
        if href:
            yield _Named(offset, text, href)
        offset += len(text)


def _target(
    name: _Named, page: Path, path: Path, pages: Path, folder: Path
) -> tuple[Path | None, int, int] | None:
    """Where it leads, without a path where that is outside; None where nothing can be said."""
    address, mark, lines = name.href.partition("#")
    if address.startswith("http"):
        return None if "/trait." in address else (None, 0, 0)
    if not mark or (address and not address.endswith(".rs.html")):
        return None
    place = path
    if address:
        there = (page.parent / address).resolve()
        if not there.is_relative_to(pages.resolve()):
            return None
        place = folder / str(there.relative_to(pages.resolve())).removesuffix(".html")
    first, _, last = lines.partition("-")
    source = place.read_text(encoding="utf-8").split("\n")
    for line in range(int(first) - 1, int(last or first)):
        for form in (_ITEM, _VARIANT):
            found = re.search(form.format(re.escape(name.text)), source[line])
            if found:
                return place, line, source[line].index(name.text, found.start())
    return None


@cache
def _blocks(place: Path) -> list[tuple[str, int, int]]:
    """Traits and their implementations: the head, and the lines."""
    found, head, first = list[tuple[str, int, int]](), "", 0
    for number, line in enumerate(place.read_text(encoding="utf-8").split("\n")):
        if _HEAD.match(line):
            head, first = line, number
        elif head and line.startswith("}"):
            found.append((head, first, number))
            head = ""
        elif head and first == number - 1 and "{" not in head:
            head, first = f"{head} {line}", number
    return found


def _implementing(
    target: tuple[Path | None, int, int], name: str, folder: Path
) -> Iterator[tuple[Path, int, int]]:
    """The methods that implement a trait's, wherever they are."""
    place, line, _ = target
    assert place, "only places of the project are asked for"
    around = (head for head, first, last in _blocks(place) if first <= line <= last)
    trait = next((found[1] for head in around if (found := _TRAIT.search(head))), "")
    for path in sorted(folder.rglob("*.rs")) if trait else ():
        source = path.read_text(encoding="utf-8").split("\n")
        for head, first, last in _blocks(path):
            if not re.search(rf"\b{trait}\b.*\bfor\b", head):
                continue
            for number in range(first, last):
                if found := re.search(rf"\bfn\s+{re.escape(name)}\b", source[number]):
                    yield path, number, found.end() - len(name)


if __name__ == "__main__":
    given = sys.argv[3] if len(sys.argv) > 3 else "2021"
    for told in truth(Path(sys.argv[1]).resolve(), sys.argv[2], given):
        print(told)
