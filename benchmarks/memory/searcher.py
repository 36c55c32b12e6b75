"""The application in a process of its own, as a server holds it; searches once for each line."""

from __future__ import annotations

import sys

from commonplace.bootstrap import running_application
from commonplace.model.query import SearchRequest
from commonplace.settings import load_settings


def main() -> None:
    with running_application(load_settings()) as application:
        print("built", flush=True)
        for line in sys.stdin:
            found = application.retrieval.search(
                application.local_actor("bench"), SearchRequest(line)
            )
            print(len(found.hits), found.mode_used, flush=True)


if __name__ == "__main__":
    main()
