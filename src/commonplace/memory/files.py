"""Files under /memories: valid paths, edits, and the wording of answers. Pure.

The wording follows the documentation of Anthropic's memory tool, as models are trained on it, and
otherwise the file store of the `anthropic` package.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from commonplace.errors import Conflict, InvalidArgument, NotFound
from commonplace.model.entry import Entry, EntryContent
from commonplace.text.normalise import nfc

ROOT = "/memories"
# The category of notes that are memory files; their domain is the path.
FILE = "memory file"
LONGEST_PATH = 500
LONGEST_TEXT = 100_000
MOST_LINES = 999_999
MOST_FILES = 1_000
_DEPTH = 2
_WIDTH = len(str(MOST_LINES))
_SNIPPET_MARGIN = 2
_MOST_PLACES = 20
_LONGEST_QUOTED = 500
# An entry must not be empty, so the text of a blank file is kept in this attribute.
_BLANK = "blank"
_EMPTY = "(an empty file)"
_ENCODED = re.compile(r"%(2e|2f|5c)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_UNITS = ("K", "M", "G")


def checked_path(path: str, field: str = "path") -> str:
    """The normalised path; InvalidArgument if it would leave the directory."""
    normal = nfc(path)
    if normal != ROOT and not normal.startswith(f"{ROOT}/"):
        raise InvalidArgument(f"Path must start with {ROOT}, got: {path}", field=field)
    if _CONTROL.search(normal) or len(normal) > LONGEST_PATH:
        raise InvalidArgument(
            f"A path has at most {LONGEST_PATH} characters and none that control a terminal.",
            field=field,
        )
    parts = [part for part in normal.split("/") if part]
    if {".", ".."} & {*parts} or "\\" in normal or _ENCODED.search(normal):
        raise InvalidArgument(f"Path {path} would escape {ROOT} directory", field=field)
    return "/" + "/".join(parts)


def missing(path: str, *, hint: bool = False, prefix: str = "Error: ") -> NotFound:
    """The error for a missing path, in the three spellings of the documentation."""
    return NotFound(
        f"{prefix}The path {path} does not exist"
        + (". Please provide a valid path." if hint else "")
    )


def already_exists(path: str) -> Conflict:
    return Conflict(f"Error: File {path} already exists")


def folders_above(path: str) -> list[str]:
    """All directories that contain the path, below the root."""
    parts = path.removeprefix(ROOT).split("/")[1:-1]
    return [f"{ROOT}/{'/'.join(parts[: n + 1])}" for n in range(len(parts))]


def below(paths: Iterable[str], folder: str) -> list[str]:
    return sorted(path for path in paths if path.startswith(f"{folder}/"))


def path_of(entry: Entry) -> str:
    return entry.content.domain or ""


def content_of_file(path: str, text: str) -> EntryContent:
    if len(text) > LONGEST_TEXT:
        raise InvalidArgument(
            f"Error: File {path} would have {len(text):,} characters; "
            f"at most {LONGEST_TEXT:,} are kept in one file.",
            field="file_text",
        )
    blank = {} if text.strip() else {_BLANK: text}
    return EntryContent(
        title=path, body=text if text.strip() else _EMPTY, attributes=blank,
        category=FILE, domain=path,
    )  # fmt: skip


def text_of_file(entry: Entry) -> str:
    return str(entry.content.attributes.get(_BLANK, entry.content.body))


def numbered(lines: Sequence[str], first: int = 1) -> str:
    return "\n".join(f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def shown_file(path: str, text: str, span: Sequence[int] | None) -> str:
    lines = text.split("\n")
    first, last = 1, len(lines)
    if span is not None:
        first, last = span[0], len(lines) if span[1] == -1 else min(span[1], len(lines))
        if not 1 <= first <= last:
            raise InvalidArgument(
                f"Error: Invalid `view_range` parameter: {list(span)}. It should be within the "
                f"range of lines of the file: [1, {len(lines)}]",
                field="view_range",
            )
    shown = numbered(lines[first - 1 : last], first)
    return f"Here's the content of {path} with line numbers:\n{shown}"


def shown_folder(path: str, sizes: Mapping[str, int]) -> str:
    """The files of a directory with their sizes in bytes, two levels deep."""
    shown: Counter[str] = Counter({path: 0})
    for name in below(sizes, path):
        parts = name.removeprefix(f"{path}/").split("/")
        if any(part.startswith(".") or part == "node_modules" for part in parts):
            continue
        shown[path] += sizes[name]
        for depth in range(1, min(len(parts), _DEPTH) + 1):
            folder = "/" if depth < len(parts) else ""
            shown[f"{path}/{'/'.join(parts[:depth])}{folder}"] += sizes[name]
    return (
        f"Here're the files and directories up to 2 levels deep in {path}, "
        "excluding hidden items and node_modules:\n"
        + "\n".join(f"{size_shown(shown[name])}\t{name}" for name in sorted(shown))
    )


def size_shown(size: int) -> str:
    power = min((size.bit_length() - 1) // 10, len(_UNITS)) if size else 0
    return f"{size / 1024**power:.1f}{_UNITS[power - 1]}" if power else f"{size}B"


def replaced(path: str, text: str, old: str, new: str) -> tuple[str, str]:
    """The text with the only occurrence of `old` replaced, and a snippet of the result."""
    old = nfc(old)
    if not old:
        raise InvalidArgument("Error: old_str must not be empty.", field="old_str")
    found = re.finditer(re.escape(old), text)
    places = [each.start() for each in islice(found, _MOST_PLACES + 1)]
    shown = old if len(old) <= _LONGEST_QUOTED else f"{old[:_LONGEST_QUOTED]}…"
    if not places:
        raise InvalidArgument(
            f"No replacement was performed, old_str `{shown}` did not appear verbatim in {path}.",
            field="old_str",
        )
    if len(places) > 1:
        lines = [str(text.count("\n", 0, place) + 1) for place in places[:_MOST_PLACES]]
        more = ["…"] if len(places) > _MOST_PLACES else []
        raise InvalidArgument(
            f"No replacement was performed. Multiple occurrences of old_str `{shown}` in lines: "
            f"{', '.join([*lines, *more])}. Please ensure it is unique",
            field="old_str",
        )
    after = text[: places[0]] + new + text[places[0] + len(old) :]
    at = text.count("\n", 0, places[0])
    return after, _snippet(after, at)


def _snippet(text: str, at: int) -> str:
    lines = text.split("\n")
    first = max(0, at - _SNIPPET_MARGIN)
    return numbered(lines[first : at + _SNIPPET_MARGIN + 1], first + 1)


def inserted(text: str, line: int, new: str) -> str:
    """The text with `new` inserted after a line; 0 inserts it at the beginning."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= line <= len(lines):
        raise InvalidArgument(
            f"Error: Invalid `insert_line` parameter: {line}. It should be within the range of "
            f"lines of the file: [0, {len(lines)}]",
            field="insert_line",
        )
    lines.insert(line, new.rstrip("\n"))
    after = "\n".join(lines)
    return after if after.endswith("\n") else f"{after}\n"
