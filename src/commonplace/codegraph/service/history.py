"""Who last changed a symbol or a file, when and why, from the git history of its folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import unquote, urlsplit

from commonplace.codegraph.answering.trace import TraceRequest, TraceResult, UseCount
from commonplace.codegraph.service.modules import file_query, modules_of
from commonplace.codegraph.service.named_files import find_files, is_folder
from commonplace.codegraph.service.symbol_query import find_symbols
from commonplace.codegraph.service.tracing import unknown
from commonplace.errors import CommonplaceError, InvalidArgument, SourceUnreadable
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.commits import Commit
from commonplace.model.graph import Symbol
from commonplace.model.workspace import Resource, ResourceKind
from commonplace.reading.port import CommitLog
from commonplace.storage.port import Store, Transaction

_AGO = re.compile(r"(\d{1,4})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_MAX_SYMBOLS = 3
_MAX_COMMITS_SINCE = 1_000


class CodeHistory:
    """Reads the repositories of attached folders; pushed folders have none.

    `mask` removes secrets from authors and subjects.
    """

    def __init__(self, store: Store, log: CommitLog, mask: Callable[[str], str]) -> None:
        self._store = store
        self._log = log
        self._mask = mask

    def trace(
        self,
        actor: Actor,
        request: TraceRequest,
        resources: Mapping[int, Resource],
        call: Call = PLAIN_CALL,
    ) -> TraceResult:
        """The commits that last changed the lines of a symbol, or that touched a file or folder.

        `to` limits them to those since a time, an age (`7d`), a tag or a commit.
        """
        with self._store.read(actor) as tx:
            request = replace(request, to=_moment(request.to, tx.now))
            read_history = self._prepared(tx, request, resources, call)
        # git runs outside the transaction.
        found = read_history()
        return replace(found, commits=tuple(map(self._masked, found.commits)))

    def _prepared(
        self, tx: Transaction, request: TraceRequest, resources: Mapping[int, Resource], call: Call
    ) -> Callable[[], TraceResult]:
        """Find the symbols or files in question; the result reads their history from git."""
        keys = list(resources)
        folder = is_folder(tx, request.symbol, keys)
        wanted = not (folder and "/" in request.symbol)
        symbols = find_symbols(tx, request.symbol, keys, request.file) if wanted else None
        if symbols is not None:
            definitions = tuple(UseCount(symbols.defined(each)) for each in symbols.matches)
            chosen = [(each, symbols.path_of(each.document_key)) for each in symbols.matches]
            return partial(self._of_symbols, request, definitions, chosen, resources, call)
        files = find_files(tx, request.symbol, keys)
        if not (files or folder or "/" in request.symbol or request.symbol == "."):
            nothing = unknown(tx, request.symbol, keys)
            return lambda: nothing
        named = modules_of(file_query(tx, keys, files), files)
        return partial(self._of_files, request, named, resources, call)

    def _masked(self, commit: Commit) -> Commit:
        author, subject = self._mask(commit.author), self._mask(commit.subject)
        return replace(commit, author=author, subject=subject)

    def _of_symbols(
        self,
        request: TraceRequest,
        definitions: tuple[UseCount, ...],
        chosen: Sequence[tuple[Symbol, str]],
        resources: Mapping[int, Resource],
        call: Call,
    ) -> TraceResult:
        commits: dict[str, Commit] = {}
        around: set[str] = set()
        for symbol, path in chosen[:_MAX_SYMBOLS]:
            call.check()
            folder = _folder(resources[symbol.resource_key])
            recent = None
            if request.to:
                commits_since = self._log.changes(folder, path, request.to, _MAX_COMMITS_SINCE)
                recent = {"", *(one.id for one in commits_since)}
                around |= recent
            for one in self._log.last_changes(folder, path, symbol.first_line, symbol.last_line):
                if recent is None or one.id in recent:
                    known = commits.get(one.id, replace(one, lines=0))
                    commits[one.id] = replace(one, lines=one.lines + known.lines)
        others = len(around - commits.keys() - {""})
        found = _page(request, definitions, list(commits.values()))
        return replace(found, summary=_other_commits(others)) if others else found

    def _of_files(
        self,
        request: TraceRequest,
        named: tuple[UseCount, ...],
        resources: Mapping[int, Resource],
        call: Call,
    ) -> TraceResult:
        # A path that is in no folder now may be in the history of any.
        aims = [(resources[one.place.resource], one.place.path) for one in named]
        aims = aims or [(each, request.symbol) for each in resources.values()]
        commits: dict[str, Commit] = {}
        for one in self._touched(request, aims, call):
            commits.setdefault(one.id, one)
        return _page(request, named, list(commits.values()))

    def _touched(
        self, request: TraceRequest, aims: Sequence[tuple[Resource, str]], call: Call
    ) -> list[Commit]:
        """Commits on some paths; a path without history or that version fails only if all do."""
        most = request.offset + request.limit + 1
        commits: list[Commit] = []
        errors: list[CommonplaceError] = []
        for resource, path in aims:
            call.check()
            try:
                commits += self._log.changes(_folder(resource), path, request.to, most)
            except (SourceUnreadable, InvalidArgument) as reason:
                errors.append(reason)
        if aims and len(errors) == len(aims):
            raise errors[-1]
        return commits


def _page(
    request: TraceRequest, definitions: tuple[UseCount, ...], commits: Sequence[Commit]
) -> TraceResult:
    shown = tuple(commits[request.offset :][: request.limit])
    return TraceResult(definitions=definitions, commits=shown, total=len(commits))


def _other_commits(count: int) -> str:
    """A note on commits that the current lines do not show: on deleted or neighbouring lines."""
    return f"{count} other commits touched its file since then"


def _moment(request: str, now: datetime) -> str:
    """Convert an age to a time; anything else stays unchanged."""
    if not (ago := _AGO.fullmatch(request)):
        return request
    since = now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    return f"{since:%Y-%m-%dT%H:%M:%SZ}"


def _folder(resource: Resource) -> str:
    if resource.kind is not ResourceKind.FOLDER:
        raise InvalidArgument("That folder was sent, not read here: its history stayed behind.")
    return unquote(urlsplit(resource.locator).path)
