"""`serve` whose interpreter is held for a very long time: as soon as it says that it serves, or by
a thread once a file is there."""

from __future__ import annotations

import logging
import re
import sys
import threading
from pathlib import Path

from commonplace.cli.main import main
from tests.waiting import eventually


def hold(folder: Path) -> None:
    (folder / "held").touch()
    re.match(r"(a+)+$", "a" * 60 + "b")


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
