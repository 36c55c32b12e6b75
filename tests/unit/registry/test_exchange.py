"""Folders of skills: their names, and paths that stay inside them."""

from __future__ import annotations

import pytest

from commonplace.errors import InvalidArgument
from commonplace.registry.exchange import (
    MAX_BYTES,
    MAX_FILES,
    checked_files,
    checked_path,
    folder_name,
)


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Code Review Checklist", "code-review-checklist"),
        ("  Café / Über ", "cafe-uber"),
        ("../../etc/passwd", "etc-passwd"),
        ("中文", "skill"),
        ("a" * 100, "a" * 64),
        (".", "skill"),
    ],
)
def test_a_name_becomes_a_folder(name: str, folder: str) -> None:
    assert folder_name(name, ()) == folder


def test_a_taken_name_gets_a_number() -> None:
    assert folder_name("Review", {"review", "review-2"}) == "review-3"


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "", "a\\b", "C:x"])
def test_a_path_stays_inside(path: str) -> None:
    with pytest.raises(InvalidArgument):
        checked_path(path)


def test_files_have_limits() -> None:
    checked_files({"scripts/run.sh": 10, "a.md": MAX_BYTES - 10})
    with pytest.raises(InvalidArgument, match="bytes"):
        checked_files({"a": MAX_BYTES, "b": 1})
    with pytest.raises(InvalidArgument, match="files"):
        checked_files({str(number): 0 for number in range(MAX_FILES + 1)})
    with pytest.raises(InvalidArgument, match="inside"):
        checked_files({"../a": 1})
