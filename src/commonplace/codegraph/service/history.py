"""Who changed a symbol or a file last, when and why, as the repository that it stands in tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import unquote, urlsplit

from commonplace.codegraph.answering.trace import TraceRequest, TraceResult, UseCount
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
from commonplace.storage.port import Store, Transaction

_AGO = re.compile(r"(\d{1,4})([hdw])")
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}
_MOST_SYMBOLS = 3
_MOST_SINCE = 1_000


class CodeHistory:
    """Asks the repositories of attached folders; folders that were sent have none."""

    def __init__(self, store: Store, log: CommitLog, mask: Callable[[str], str]) -> None:
        """`mask` takes secrets out of what somebody wrote."""
        self._store = store
        self._log = log
        self._mask = mask

    def trace(
        self,
        actor: Actor,
        asked: TraceRequest,
        resources: Mapping[int, Resource],
        call: Call = PLAIN_CALL,
    ) -> TraceResult:
        """Commits that wrote the lines of a symbol last; of a file or folder, that touched it.

        Only those since `to`: a time, how long ago (`7d`), a tag or a commit.
        """
        with self._store.read(actor) as tx:
            asked = replace(asked, to=_moment(asked.to, tx.now))
            told = self._told(tx, asked, resources, call)
        # Nothing is held in the store while git is asked.
        found = told()
        return replace(found, commits=tuple(map(self._masked, found.commits)))

    def _told(
        self, tx: Transaction, asked: TraceRequest, resources: Mapping[int, Resource], call: Call
    ) -> Callable[[], TraceResult]:
        """What asks git about what is meant."""
        keys = list(resources)
        symbols = asked_about(tx, asked.symbol, keys, asked.file)
        if symbols is not None:
            meant = tuple(UseCount(symbols.defined(each)) for each in symbols.meant)
            chosen = [(each, symbols.path_of(each.document_key)) for each in symbols.meant]
            return partial(self._of_symbols, asked, meant, chosen, resources, call)
        files = files_meant(tx, asked.symbol, keys)
        if not files and "/" not in asked.symbol and asked.symbol != ".":
            nothing = unknown(tx, asked.symbol, keys)
            return lambda: nothing
        named = modules_of(nothing_asked(tx, keys, files), files)
        return partial(self._of_files, asked, named, resources, call)

    def _masked(self, commit: Commit) -> Commit:
        author, subject = self._mask(commit.author), self._mask(commit.subject)
        return replace(commit, author=author, subject=subject)

    def _of_symbols(
        self,
        asked: TraceRequest,
        meant: tuple[UseCount, ...],
        chosen: Sequence[tuple[Symbol, str]],
        resources: Mapping[int, Resource],
        call: Call,
    ) -> TraceResult:
        commits: dict[str, Commit] = {}
        around: set[str] = set()
        for symbol, path in chosen[:_MOST_SYMBOLS]:
            call.check()
            folder = _folder(resources[symbol.resource_key])
            recent = None
            if asked.to:
                told = self._log.changes(folder, path, asked.to, _MOST_SINCE)
                recent = {"", *(one.id for one in told)}
                around |= recent
            for one in self._log.last_changes(folder, path, symbol.first_line, symbol.last_line):
                if recent is None or one.id in recent:
                    known = commits.get(one.id, replace(one, lines=0))
                    commits[one.id] = replace(one, lines=one.lines + known.lines)
        others = len(around - commits.keys() - {""})
        found = _told(asked, meant, list(commits.values()))
        return replace(found, summary=_in_its_file(others)) if others else found

    def _of_files(
        self,
        asked: TraceRequest,
        named: tuple[UseCount, ...],
        resources: Mapping[int, Resource],
        call: Call,
    ) -> TraceResult:
        # A path that no folder has now is asked of all of them.
        aims = [(resources[one.place.resource], one.place.path) for one in named]
        told = self._touched(asked, aims or [(r, asked.symbol) for r in resources.values()], call)
        commits: dict[str, Commit] = {}
        for one in told:
            commits.setdefault(one.id, one)
        return _told(asked, named, list(commits.values()))

    def _touched(
        self, asked: TraceRequest, aims: Sequence[tuple[Resource, str]], call: Call
    ) -> list[Commit]:
        """Commits on some paths; one without a history, or that version, silences no other."""
        most = asked.offset + asked.limit + 1
        told: list[Commit] = []
        silent: list[CommonplaceError] = []
        for resource, path in aims:
            call.check()
            try:
                told += self._log.changes(_folder(resource), path, asked.to, most)
            except (SourceUnreadable, InvalidArgument) as reason:
                silent.append(reason)
        if aims and len(silent) == len(aims):
            raise silent[-1]
        return told


def _told(
    asked: TraceRequest, meant: tuple[UseCount, ...], commits: Sequence[Commit]
) -> TraceResult:
    shown = tuple(commits[asked.offset :][: asked.limit])
    return TraceResult(meant=meant, commits=shown, total=len(commits))


def _in_its_file(count: int) -> str:
    """What the lines that are there now do not tell: others went, or stand beside the symbol."""
    return f"{count} other commits touched its file since then"


def _moment(asked: str, now: datetime) -> str:
    """A time for how long ago something was; everything else as it is."""
    if not (ago := _AGO.fullmatch(asked)):
        return asked
    since = now - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
    return f"{since:%Y-%m-%dT%H:%M:%SZ}"


def _folder(resource: Resource) -> str:
    if resource.kind is not ResourceKind.FOLDER:
        raise InvalidArgument("That folder was sent, not read here: its history stayed behind.")
    return unquote(urlsplit(resource.locator).path)
