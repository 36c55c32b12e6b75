"""`commonplace worker` with leases so short that a test can wait for those of a dead one."""

from __future__ import annotations

import threading
from functools import partial

from commonplace.bootstrap import build, workers
from commonplace.settings import load_settings
from commonplace.worker.leases import Leases
from commonplace.worker.reembedding import service as reembedding
from commonplace.worker.service.loop import Worker

HASTY = Leases(claim=2.0, worker=2.0, renew=0.5)


def main() -> None:
    workers.Worker = partial(Worker, leases=HASTY)  # type: ignore[attr-defined,assignment]
    reembedding._LEASE_SECONDS = HASTY.worker
    build(load_settings()).new_worker().run(threading.Event())


if __name__ == "__main__":
    main()
