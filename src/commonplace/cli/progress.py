"""A progress bar on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from commonplace.model.call import Call


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Call]:
    """A call whose progress is shown on a terminal, unless quiet."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("Reading", total=None)

        def tell(done: int, total: int, message: str) -> None:
            bar.update(task, completed=done, total=total, description=message)

        yield Call(progress=tell)
