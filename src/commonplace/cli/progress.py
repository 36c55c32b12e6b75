"""A progress bar on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from commonplace.model.call import Call

Tell = Callable[[float, float, str], None]


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Tell]:
    """A bar that is told what is done, of how much, and a message; none if quiet or not on a
    terminal, where rich would print an empty line."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total, _message: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading", total=None)

        def tell(done: float, total: float, message: str) -> None:
            bar.update(task, completed=done, total=total, description=message)

        yield tell


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Call]:
    """A call whose progress is shown in a bar."""
    with progress_bar(quiet=quiet) as tell:
        yield Call(progress=tell)
