"""The only wiring: settings to adapters to services. Adapters are imported on first use."""

from __future__ import annotations

from commonplace.bootstrap.access import build_key_fetch, build_redis
from commonplace.bootstrap.application import build, running_application
from commonplace.bootstrap.models import build_embedder
from commonplace.bootstrap.readers import build_commit_messages, build_folders, build_graph
from commonplace.bootstrap.stores import (
    build_backups,
    build_moves,
    build_store,
    transfer_of_file,
    utc_now,
)

__all__ = [
    "build",
    "build_backups",
    "build_commit_messages",
    "build_embedder",
    "build_folders",
    "build_graph",
    "build_key_fetch",
    "build_moves",
    "build_redis",
    "build_store",
    "running_application",
    "transfer_of_file",
    "utc_now",
]
