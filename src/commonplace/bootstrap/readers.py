"""Settings to readers of files, folders and pages, each light until it is used."""

from __future__ import annotations

import os
from os.path import realpath
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from commonplace.settings import Settings, lowered_names_of, names_of
from commonplace.storage.port import Store

if TYPE_CHECKING:
    from commonplace.codegraph.service.graph import CodeGraph
    from commonplace.reading.port import (
        CommitMessages,
        Fetcher,
        Folders,
        ProcessPool,
        Reader,
        TextProcess,
    )
    from commonplace.workspace.projects.policy import HostPaths

CUTTING = "commonplace.workspace.indexing.drafts:chunks_of_text"
EXTRACTING = "commonplace.codegraph.keeping.offloading:extract_some"
CHUNKING = "commonplace.knowledge.offloading:cut_offloaded"
FINDING = "commonplace.capture.offloading:work_on"
_MOST_AT_ONCE = 4
_TEXT_SECONDS = 60.0


def build_reader(settings: Settings) -> Reader:
    """Light until it is used: parsers are loaded in a process of their own."""
    from commonplace.reading.extraction import ReadingLimits
    from commonplace.reading.sandbox import SandboxedReader

    limits = ReadingLimits(
        seconds=settings.source_seconds, memory_bytes=settings.source_memory_bytes
    )
    return SandboxedReader(limits)


def build_folders(settings: Settings, allowed: tuple[str, ...] | None = None) -> Folders:
    """Folders of this machine; only those below the allowed ones, if there are such."""
    from commonplace.reading.folders import DiskFolders, FolderLimits

    limits = FolderLimits(
        files=settings.max_source_files,
        document_bytes=settings.source_max_bytes,
        also_read=lowered_names_of(settings.also_read),
    )
    return DiskFolders(limits, allowed)


def build_pool(settings: Settings, function: str) -> ProcessPool:
    """A pool of as many reading processes as there are cores; each starts when first asked."""
    from commonplace.reading.child_process import PipedChildProcess, ProcessLimits
    from commonplace.reading.pool import PooledProcesses

    limits = ProcessLimits(settings.source_seconds, settings.source_memory_bytes)
    width = min(os.cpu_count() or 1, _MOST_AT_ONCE)
    return PooledProcesses([PipedChildProcess(function, limits) for _ in range(width)])


def build_text_process(function: str) -> TextProcess:
    """One process for the long texts of all callers; it starts with the first of them."""
    from commonplace.reading.child_process import PipedChildProcess, ProcessLimits
    from commonplace.reading.in_turn import TextProcessInTurn

    return TextProcessInTurn(PipedChildProcess(function, ProcessLimits(_TEXT_SECONDS)))


def build_graph(settings: Settings, store: Store) -> CodeGraph:
    from commonplace.codegraph.service.graph import CodeGraph

    return CodeGraph(store, build_pool(settings, EXTRACTING))


def build_commit_messages() -> CommitMessages:
    from commonplace.reading.git_log import GitLog

    return GitLog()


def build_fetcher(settings: Settings) -> Fetcher:
    from commonplace.reading.addresses import AddressGuard
    from commonplace.reading.fetching import FetchLimits, HttpFetcher

    limits = FetchLimits(settings.source_max_bytes, settings.fetch_seconds, settings.fetch_robots)
    return HttpFetcher(AddressGuard(names_of(settings.fetch_allow)), limits)


def surroundings(settings: Settings) -> HostPaths:
    from commonplace.workspace.projects.policy import HostPaths

    return HostPaths(
        home=_home_of_user(),
        temporary=(_real(gettempdir()),),
        own_data=_real(settings.home),
        allowed=allowed_roots(settings),
    )


def allowed_roots(settings: Settings) -> tuple[str, ...] | None:
    """One user's server may read what its user may; one for many only what it was given."""
    return tuple(map(_real, names_of(settings.roots))) if settings.database_url else None


def _home_of_user() -> str | None:
    try:
        return _real(Path.home())
    except RuntimeError:
        return None


def _real(path: str | Path) -> str:
    return realpath(path).replace("\\", "/")
