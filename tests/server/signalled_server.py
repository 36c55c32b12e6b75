"""`serve` that gets a signal as soon as it says that it serves."""

from __future__ import annotations

import logging
import signal

from commonplace.cli.main import main


class Signal(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "serving":
            signal.raise_signal(signal.SIGTERM)


if __name__ == "__main__":
    logging.getLogger("commonplace.server").addHandler(Signal())
    main(["serve", "--port", "0"])
