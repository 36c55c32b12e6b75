"""The purpose of a file by its path alone: source, tests, docs, tools, history, or third-party."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from commonplace.text.filenames import is_made_by_tools, is_skipped_folder


class PathClass(StrEnum):
    SOURCE = "source"
    TEST = "test"
    DOCS = "docs"
    TOOLS = "tools"
    HISTORY = "history"
    FOREIGN = "foreign"


_TEST_FOLDERS = frozenset({
    "test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "test-data", "fixtures",
    "__fixtures__", "__mocks__", "e2e", "integration-tests",
})  # fmt: skip
_TEST_FOLDER = re.compile(r"tests?[-_].+|.+[-_]tests?")
_TEST_FILE = re.compile(
    r"(?:test|tests|spec|conftest)\.[^.]+|test_.+|.+_(?:test|spec)\.[^.]+"
    r"|.+\.(?:test|spec|test-d|e2e|stories)\.[^.]+"
)
# Upper case distinguishes `ParserTest` from `latest`.
_TEST_CLASS = re.compile(r".*[a-z0-9](?:Tests?|TestCase|IT|Spec)\.[A-Za-z]+")
# Folders of third-party or generated code, in case it is read at all.
_FOREIGN_FOLDERS = frozenset({
    "vendor", "vendored", "third_party", "third-party", "dist", "generated", "__generated__",
})  # fmt: skip
_TOOL_FOLDERS = frozenset({
    "tools", "tool", "scripts", "script", "bin", "ci", ".github", ".circleci", "benchmark",
    "benchmarks", "bench", "perf", "examples", "example", "demo", "demos", "samples", "sample",
    "playground",
})  # fmt: skip
_DOC_FOLDERS = frozenset({"doc", "docs", "documentation", "guides", "handbook", "wiki"})
_DOC_FILE = re.compile(
    r".+\.(?:md|mdx|markdown|rst|adoc|asciidoc|org|tex|textile|ipynb|txt|html?|pdf|docx)"
)
# Text files that programs read.
_PROGRAM_TEXT = re.compile(
    r"cmakelists\.txt|(?:.*[-_])?(?:requirements|constraints).*\.txt|robots\.txt"
)
# In capitals, as projects write them: `scripts/install` is a program.
_PROSE_NAME = re.compile(
    r"README|LICEN[SC]E|License|COPYING|NOTICE|AUTHORS|CONTRIBUTING|CHANGELOG|CHANGES|NEWS|INSTALL"
)
_HISTORY_FILE = re.compile(
    r"(?:changelog|changes|history|news|releases|release-notes)(?:\.(?:md|rst|txt|adoc))?"
)


@lru_cache(maxsize=20_000)
def path_class(path: str) -> PathClass:
    """The first class that fits; a folder counts anywhere in the path."""
    *folders, name = path.split("/")
    around = {folder.lower() for folder in folders}
    file = name.lower()
    if around & _FOREIGN_FOLDERS or any(map(is_skipped_folder, around)) or is_made_by_tools(name):
        return PathClass.FOREIGN
    if _holds_tests(around) or _TEST_FILE.fullmatch(file) or _TEST_CLASS.fullmatch(name):
        return PathClass.TEST
    if _HISTORY_FILE.fullmatch(file):
        return PathClass.HISTORY
    documented = around & _DOC_FOLDERS
    # A program next to documentation builds it or is an example in it.
    if around & _TOOL_FOLDERS or (documented and not _is_documentation(file)):
        return PathClass.TOOLS
    return PathClass.DOCS if documented or _DOC_FILE.fullmatch(file) else PathClass.SOURCE


def is_prose(path: str) -> bool:
    """Whether a file holds text for people, such as Markdown, HTML or PDF, by its name alone."""
    name = path.rpartition("/")[2]
    file = name.lower()
    if _PROGRAM_TEXT.fullmatch(file):
        return False
    return bool(_DOC_FILE.fullmatch(file) or _PROSE_NAME.fullmatch(name))


def _is_documentation(file: str) -> bool:
    """Whether a file in a folder of documentation is part of it."""
    return _DOC_FILE.fullmatch(file) is not None or "." not in file


def _holds_tests(folders: Iterable[str]) -> bool:
    return any(each in _TEST_FOLDERS or _TEST_FOLDER.fullmatch(each) for each in folders)
