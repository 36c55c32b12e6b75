"""Watches folders through the operating system's change notifications.

Decides which events are relevant; whether anything really changed is checked elsewhere.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from commonplace.text.filenames import is_skipped_folder

# Editors and checkouts write many files at once, so changes in quick succession are grouped.
_TOGETHER_MS = 1_000
_STEP_MS = 100
_TICK_MS = 2_000
# Git appends to it on every commit and checkout.
_MOVED = (".git", "logs", "HEAD")


class FolderWatcher:
    """Implements port.Watcher."""

    def changed(self, roots: Sequence[str], stop: threading.Event) -> Iterator[set[str]]:
        from watchfiles import watch

        # A missing folder would prevent the others from being watched.
        present = [root for root in roots if Path(root).is_dir()]
        if not present:
            while not stop.wait(_TICK_MS / 1000):
                yield set()
            return
        events = watch(
            *present,
            watch_filter=lambda _change, path: worth_a_look(path, roots),
            debounce=_TOGETHER_MS,
            step=_STEP_MS,
            stop_event=stop,
            rust_timeout=_TICK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        )
        for changes in events:
            paths = [path for _change, path in changes]
            yield {root for root in roots if any(_is_within(path, root) for path in paths)}


def worth_a_look(path: str, roots: Sequence[str]) -> bool:
    """Whether the change is outside skipped folders, or indicates a new commit."""
    for root in roots:
        if _is_within(path, root):
            inner = PurePath(path).relative_to(root).parts
            if inner == _MOVED or not any(map(is_skipped_folder, inner)):
                return True
    return False


def _is_within(path: str, root: str) -> bool:
    return path == root or path.startswith(f"{root.rstrip('/')}/")
