"""Builds the readers of files, folders and web pages; child processes start on first use."""

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

# The functions that child processes run.
CUTTING = "commonplace.workspace.indexing.drafts:chunks_of_text"
EXTRACTING = "commonplace.codegraph.keeping.offloading:extract_some"
CHUNKING = "commonplace.knowledge.offloading:cut_offloaded"
FINDING = "commonplace.capture.offloading:work_on"
_MAX_PROCESSES = 4
_TEXT_SECONDS = 60.0


def build_reader(settings: Settings) -> Reader:
    """The reader of documents; it loads parsers in a child process."""
    from commonplace.reading.extraction import ReadingLimits
    from commonplace.reading.sandbox import SandboxedReader

    limits = ReadingLimits(
        seconds=settings.source_seconds, memory_bytes=settings.source_memory_bytes
    )
    return SandboxedReader(limits)


def build_folders(settings: Settings, allowed: tuple[str, ...] | None = None) -> Folders:
    """The folders of this machine, restricted to the allowed ones if any are given."""
    from commonplace.reading.folders import DiskFolders, FolderLimits

    limits = FolderLimits(
        files=settings.max_source_files,
        document_bytes=settings.source_max_bytes,
        also_read=lowered_names_of(settings.also_read),
    )
    return DiskFolders(limits, allowed)


def build_pool(settings: Settings, function: str) -> ProcessPool:
    """A pool of child processes that run a function, one per core up to a limit."""
    from commonplace.reading.child_process import PipedChildProcess, ProcessLimits
    from commonplace.reading.pool import PooledProcesses

    limits = ProcessLimits(settings.source_seconds, settings.source_memory_bytes)
    width = min(os.cpu_count() or 1, _MAX_PROCESSES)
    return PooledProcesses([PipedChildProcess(function, limits) for _ in range(width)])


def build_text_process(function: str) -> TextProcess:
    """One child process that runs a function on long texts, for all callers in turn."""
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


def host_paths(settings: Settings) -> HostPaths:
    from commonplace.workspace.projects.policy import HostPaths

    return HostPaths(
        home=_home_of_user(),
        temporary=(_real(gettempdir()),),
        own_data=_real(settings.home),
        allowed=allowed_roots(settings),
    )


def allowed_roots(settings: Settings) -> tuple[str, ...] | None:
    """The folders that may be read. None, meaning any, if the server has a single user."""
    return tuple(map(_real, names_of(settings.roots))) if settings.database_url else None


def _home_of_user() -> str | None:
    try:
        return _real(Path.home())
    except RuntimeError:
        return None


def _real(path: str | Path) -> str:
    return realpath(path).replace("\\", "/")
