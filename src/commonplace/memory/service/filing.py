"""Stores an agent's files under /memories; each is a note with a history, found by `recall`.

Every agent has its own directory. Its org can read the files, as any note.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import uuid4

from commonplace.capture.secrets import mask_secrets
from commonplace.errors import Conflict, ContentRefused, InvalidArgument
from commonplace.knowledge.rules import permit_adding, permitted, present
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.writes import delete_in, index, insert_prepared
from commonplace.knowledge.usage.service import QuotaService
from commonplace.memory.files import (
    FILE,
    MOST_FILES,
    MOST_LINES,
    ROOT,
    already_exists,
    below,
    checked_path,
    content_of_file,
    folders_above,
    inserted,
    missing,
    path_of,
    replaced,
    shown_file,
    shown_folder,
    text_of_file,
)
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.change import Operation
from commonplace.model.entry import Entry, EntryContent, EntryKind
from commonplace.model.query import Filter
from commonplace.model.rights import Verb
from commonplace.storage.port import Store, Transaction

Edit = Callable[[str], str]


class FileService:
    """The six commands of the memory tool; each returns the text for the model."""

    def __init__(
        self,
        store: Store,
        knowledge: KnowledgeService,
        quotas: QuotaService,
        *,
        refuse_secrets: bool = False,
    ) -> None:
        self._store = store
        self._knowledge = knowledge
        self._quotas = quotas
        self._refuse_secrets = refuse_secrets

    def view(self, actor: Actor, path: str, span: Sequence[int] | None = None) -> str:
        """A file with numbered lines, or the listing of a directory."""
        place = checked_path(path)
        with self._store.read(actor) as tx:
            if file := _file(tx, place):
                return shown_file(path, text_of_file(file), span)
            files = _files(tx)
        if place != ROOT and not below(files, place):
            raise missing(path, hint=True, prefix="")
        return shown_folder(
            place, {name: len(text_of_file(entry).encode()) for name, entry in files.items()}
        )

    def create(self, actor: Actor, path: str, text: str, call: Call = PLAIN_CALL) -> str:
        place = checked_path(path)
        permit_adding(actor, EntryKind.NOTE)
        content, removed = self._content(place, text)
        prepared = self._knowledge.prepare(actor, EntryKind.NOTE, content, call)
        with self._store.write(actor) as tx:
            _refuse_taken(tx, place, path)
            self._quotas.spend(tx)
            insert_prepared(tx, prepared, str(uuid4()))
            call.check()
        return f"File created successfully at: {path}{removed}"

    def str_replace(
        self, actor: Actor, path: str, old: str, new: str, call: Call = PLAIN_CALL
    ) -> str:
        snippet = ""

        def edit(text: str) -> str:
            nonlocal snippet
            after, snippet = replaced(path, text, old, new)
            return after

        removed = self._edited(actor, path, edit, call, hint=True)
        heading = "Here is the snippet showing the change (with line numbers):"
        return f"The memory file has been edited. {heading}\n{snippet}{removed}"

    def insert(self, actor: Actor, path: str, line: int, text: str, call: Call = PLAIN_CALL) -> str:
        removed = self._edited(actor, path, lambda before: inserted(before, line, text), call)
        return f"The file {path} has been edited.{removed}"

    def delete(self, actor: Actor, path: str, call: Call = PLAIN_CALL) -> str:
        """Delete a file, or a directory with all its files; each can be restored."""
        place = checked_path(path)
        if place == ROOT:
            raise InvalidArgument(f"Cannot delete the {ROOT} directory itself", field="path")
        with self._store.write(actor) as tx:
            tx.entries.lock_chains()
            for entry in _at_or_below(tx, place, path):
                delete_in(tx, entry.id, EntryKind.NOTE)
            call.check()
        return f"Successfully deleted {path}"

    def rename(self, actor: Actor, old: str, new: str, call: Call = PLAIN_CALL) -> str:
        """Rename a file or a directory; the histories are kept."""
        before, after = checked_path(old, "old_path"), checked_path(new, "new_path")
        if ROOT in (before, after):
            raise InvalidArgument(f"Cannot rename the {ROOT} directory itself", field="old_path")
        with self._store.write(actor) as tx:
            tx.entries.lock_chains()
            moved = _at_or_below(tx, before, old)
            if after.startswith(f"{before}/"):
                raise InvalidArgument(f"Error: {old} cannot be moved into itself", field="new_path")
            _refuse_taken(tx, after, new, words=f"Error: The destination {new} already exists")
            for entry in moved:
                _move(tx, entry, after + path_of(entry).removeprefix(before))
            call.check()
        return f"Successfully renamed {old} to {new}"

    def _edited(
        self, actor: Actor, path: str, edit: Edit, call: Call, *, hint: bool = False
    ) -> str:
        """Apply an edit to a file; returns a line on removed secrets, or an empty text."""
        place = checked_path(path)
        with self._store.read(actor) as tx:
            file = _file(tx, place)
        if file is None:
            raise missing(path, hint=hint)
        removed = ""

        def revised(held: Entry) -> EntryContent:
            nonlocal removed
            content, removed = self._content(place, edit(text_of_file(held)))
            return replace(held.content, body=content.body, attributes=content.attributes)

        self._knowledge.revise(actor, EntryKind.NOTE, file.id, revised, call=call)
        return removed

    def _content(self, path: str, text: str) -> tuple[EntryContent, str]:
        """The content without secrets, and a line that names those removed."""
        if text.count("\n") >= MOST_LINES:
            raise InvalidArgument(
                f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.", field="path"
            )
        masked = mask_secrets(content_of_file(path, text).body)
        if not masked.found:
            return content_of_file(path, text), ""
        named = ", ".join(dict.fromkeys(secret.title for secret in masked.found))
        if self._refuse_secrets:
            raise ContentRefused(f"Error: The text holds what looks like a secret: {named}.")
        return content_of_file(
            path, masked.text
        ), f"\nWhat looks like a secret was removed: {named}"


def _wanted(tx: Transaction, path: str | None = None) -> Filter:
    return Filter(
        kinds=(EntryKind.NOTE.value,), categories=(FILE,), agent=tx.actor.agent, domain=path
    )


def _files(tx: Transaction) -> dict[str, Entry]:
    """All files of the actor by path; the newest counts if an old one was restored beside it."""
    found = tx.entries.page(_wanted(tx), 2 * MOST_FILES, 0)
    own = [entry for entry in found if entry.org == tx.actor.org]
    return {path_of(entry): entry for entry in sorted(own, key=lambda e: e.updated_at)}


def _file(tx: Transaction, path: str) -> Entry | None:
    own = [e for e in tx.entries.page(_wanted(tx, path), 10, 0) if e.org == tx.actor.org]
    return max(own, key=lambda entry: entry.updated_at, default=None)


def _at_or_below(tx: Transaction, place: str, path: str) -> list[Entry]:
    if file := _file(tx, place):
        return [file]
    files = _files(tx)
    if names := below(files, place):
        return [files[name] for name in names]
    raise missing(path)


def _refuse_taken(tx: Transaction, place: str, path: str, words: str = "") -> None:
    """Raise Conflict if the path is in use; holds a lock, so that nobody else can create it."""
    tx.entries.lock_chains()
    files = _files(tx)
    if place == ROOT or place in files or below(files, place):
        raise Conflict(words) if words else already_exists(path)
    if above := next((folder for folder in folders_above(place) if folder in files), None):
        raise Conflict(f"Error: {above} is a file, not a directory")
    if len(files) >= MOST_FILES:
        raise Conflict(f"Error: {ROOT} holds {MOST_FILES:,} files, which is the most; delete some")


def _move(tx: Transaction, entry: Entry, path: str) -> None:
    held = present(permitted(tx.entries.get(entry.id, entry.kind), tx.actor, Verb.CHANGE))
    content = replace(held.content, title=checked_path(path, "new_path"), domain=path)
    index(tx, tx.entries.update(replace(held, content=content), Operation.EDIT))
