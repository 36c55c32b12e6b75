"""`serve` whose interpreter is held for a very long time: as soon as it says that it serves, or by
a thread once a file is there."""

from __future__ import annotations

import ctypes
import logging
import sys
import threading
from pathlib import Path

from commonplace.cli.main import main
from tests.waiting import eventually


def hold(folder: Path) -> None:
    """A call into C that never comes back, which no signal interrupts and which costs nothing."""
    (folder / "held").touch()
    library, lock = ctypes.PyDLL(None), ctypes.create_string_buffer(64)
    library.pthread_mutex_lock(lock)
    library.pthread_mutex_lock(lock)


def hold_later(folder: Path) -> None:
    eventually((folder / "hold").exists)
    hold(folder)


class HoldAtOnce(logging.Handler):
    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "serving":
            hold(self._folder)


if __name__ == "__main__":
    folder, when = Path(sys.argv[1]), sys.argv[2]
    if when == "at-once":
        logging.getLogger("commonplace.server").addHandler(HoldAtOnce(folder))
    else:
        threading.Thread(target=hold_later, args=(folder,), daemon=True).start()
    main(["serve", "--port", "0"])
