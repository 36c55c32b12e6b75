"""Which events are worth a look, and that they come although a folder is missing."""

from __future__ import annotations

import threading
from itertools import islice
from pathlib import Path

import pytest

from commonplace.reading.watching import FolderWatcher, worth_a_look

ROOTS = ("/srv/shop", "/srv/.venv/odd")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/srv/shop/src/a.ts", True),
        ("/srv/shop/.git/index", False),
        ("/srv/shop/.git/logs/HEAD", True),
        ("/srv/shop/inner/.git/logs/HEAD", False),
        ("/srv/shop/node_modules/x/a.js", False),
        ("/srv/shopping/a.ts", False),
        ("/srv/.venv/odd/a.py", True),
    ],
)
def test_what_is_never_read_is_no_reason_to_look(path: str, expected: bool) -> None:
    assert worth_a_look(path, ROOTS) is expected


def test_a_change_is_noticed_although_another_folder_is_missing(tmp_path: Path) -> None:
    root, stop = tmp_path.resolve(), threading.Event()
    events = FolderWatcher().changed([str(root), str(root / "missing")], stop)
    assert next(events) == set()
    (root / "a.md").write_text("changed")
    # A tick may come before the event does.
    assert {str(root)} in islice(events, 5)
    stop.set()
    assert list(events) == []


def test_nothing_to_follow_ends_when_told_to(tmp_path: Path) -> None:
    stop = threading.Event()
    events = FolderWatcher().changed([str(tmp_path / "missing")], stop)
    assert next(events) == set()
    stop.set()
    assert list(events) == []
