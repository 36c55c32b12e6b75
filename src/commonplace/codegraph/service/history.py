"""Who changed a symbol or a file last, when and why, as the repository that it stands in tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from commonplace.codegraph.answering.traced import Traced, TraceRequest, UseCount
from commonplace.codegraph.service.meaning import asked_about
from commonplace.codegraph.service.modules import files_meant, modules_of, nothing_asked
from commonplace.codegraph.service.tracing import unknown
from commonplace.errors import CommonplaceError, InvalidArgument, SourceUnreadable
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.commits import Commit
from commonplace.model.graph import Symbol
from commonplace.model.workspace import Resource, ResourceKind
from commonplace.reading.port import CommitLog
from commonplace.storage.port import Store

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_SYMBOLS = 3


class CodeHistory:
    """Asks the repositories of attached folders; folders that were sent have none."""

    def __init__(self, store: Store, log: CommitLog) -> None:
        self._store = store
        self._log = log

    def trace(
        self,
        actor: Actor,
        asked: TraceRequest,
        resources: Mapping[int, Resource],
        call: Call = PLAIN_CALL,
    ) -> Traced:
        """Commits that wrote the lines of a symbol last; of a file or folder, that touched it."""
        if asked.to and not _DAY.fullmatch(asked.to):
            raise InvalidArgument("to is the first day, as 2024-05-31.", field="to")
        with self._store.read(actor) as tx:
            symbols = asked_about(tx, asked.symbol, list(resources), asked.file)
            if symbols is not None:
                meant = tuple(UseCount(symbols.defined(each)) for each in symbols.meant)
                chosen = [(each, symbols.path_of(each.document_key)) for each in symbols.meant]
                return self._of_symbols(asked, meant, chosen, resources)
            files = files_meant(tx, asked.symbol, list(resources))
            if not files and "/" not in asked.symbol and asked.symbol != ".":
                return unknown(tx, asked.symbol, list(resources))
            around = nothing_asked(tx, list(resources), files)
            named = modules_of(around, files)
        return self._of_files(asked, named, resources, call)

    def _of_symbols(
        self,
        asked: TraceRequest,
        meant: tuple[UseCount, ...],
        chosen: Sequence[tuple[Symbol, str]],
        resources: Mapping[int, Resource],
    ) -> Traced:
        commits: dict[str, Commit] = {}
        for symbol, path in chosen[:_MOST_SYMBOLS]:
            folder = _folder(resources[symbol.resource_key])
            first, last = symbol.first_line, symbol.last_line
            for one in self._log.last_changes(folder, path, first, last):
                known = commits.get(one.id, replace(one, lines=0))
                commits[one.id] = replace(one, lines=one.lines + known.lines)
        since = [one for one in commits.values() if _is_since(one, asked.to)]
        return _told(replace(asked), meant, since)

    def _of_files(
        self,
        asked: TraceRequest,
        named: tuple[UseCount, ...],
        resources: Mapping[int, Resource],
        call: Call,
    ) -> Traced:
        aims = [(resources[one.place.resource], one.place.path) for one in named]
        told = self._touched(asked, aims, call) if aims else self._gone(asked, resources, call)
        commits: dict[str, Commit] = {}
        for one in told:
            commits.setdefault(one.id, one)
        return _told(asked, named, list(commits.values()))

    def _touched(
        self, asked: TraceRequest, aims: Sequence[tuple[Resource, str]], call: Call
    ) -> list[Commit]:
        most = asked.offset + asked.limit + 1
        told: list[Commit] = []
        for resource, path in aims:
            call.check()
            told += self._log.changes(_folder(resource), path, asked.to, most)
        return told

    def _gone(
        self, asked: TraceRequest, resources: Mapping[int, Resource], call: Call
    ) -> list[Commit]:
        """Commits on a path that no folder has now; one without a history silences no other."""
        told: list[Commit] = []
        silent: list[CommonplaceError] = []
        for resource in resources.values():
            try:
                told += self._touched(asked, [(resource, asked.symbol)], call)
            except (SourceUnreadable, InvalidArgument) as reason:
                silent.append(reason)
        if len(silent) == len(resources):
            raise silent[-1]
        return told


def _told(asked: TraceRequest, meant: tuple[UseCount, ...], commits: Sequence[Commit]) -> Traced:
    shown = tuple(commits[asked.offset :][: asked.limit])
    return Traced(meant=meant, commits=shown, total=len(commits))


def _is_since(commit: Commit, day: str) -> bool:
    return not day or commit.at is None or f"{commit.at:%Y-%m-%d}" >= day


def _folder(resource: Resource) -> str:
    if resource.kind is not ResourceKind.FOLDER:
        raise InvalidArgument("That folder was sent, not read here: its history stayed behind.")
    return unquote(urlsplit(resource.locator).path)
