"""Lists the changes in an org, page by page."""

from __future__ import annotations

from collections.abc import Callable

from commonplace.model.actor import Actor
from commonplace.model.change import AuditQuery, AuditTrail, Change
from commonplace.model.rights import Thing, Verb, Whose, permit
from commonplace.operations.audit.cursors import Cursors
from commonplace.storage.port import Store


class AuditService:
    """The audit log, and the cursors of every list whose positions are row numbers."""

    def __init__(self, store: Store, key: Callable[[], bytes]) -> None:
        self._store = store
        self._key = key

    def cursors(self, actor: Actor) -> Cursors:
        return Cursors(self._key(), actor.org)

    def changes(self, actor: Actor, asked: AuditQuery) -> AuditTrail:
        """The changes in the actor's org, oldest first."""
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        after = self.cursors(actor).opened(asked.after)
        with self._store.read(actor) as tx:
            changes = tx.changes.audit(asked, after)
        return self._page(actor, changes, asked.after)

    def newest_changes(self, actor: Actor, before: str, limit: int) -> AuditTrail:
        """The changes in the actor's org, newest first, before a cursor."""
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        start = self.cursors(actor).opened(before) if before else None
        with self._store.read(actor) as tx:
            changes = tx.changes.latest(start, limit)
        return self._page(actor, changes, before)

    def _page(self, actor: Actor, changes: list[Change], start: str) -> AuditTrail:
        cursors = self.cursors(actor)
        places = tuple(cursors.sealed(change.sequence) for change in changes)
        return AuditTrail(tuple(changes), places, places[-1] if places else start)
