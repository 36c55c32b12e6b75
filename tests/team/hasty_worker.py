"""`commonplace worker` with leases so short that a test can wait for those of a dead one."""

from __future__ import annotations

import threading

from commonplace.bootstrap import build
from commonplace.settings import load_settings
from commonplace.worker.leases import Leases
from commonplace.worker.reembedding import service as reembedding

HASTY = Leases(claim=2.0, worker=2.0, renew=0.5)


def main() -> None:
    application = build(load_settings())
    worker = application.new_worker()
    worker._leases = HASTY
    reembedding._LEASE_SECONDS = HASTY.worker
    worker.run(threading.Event())


if __name__ == "__main__":
    main()
