"""Stores thoughts as notes, unless they are known already or contradict what is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from commonplace.capture.service.ids import new_item_id
from commonplace.errors import InvalidArgument
from commonplace.knowledge.rules import permit_adding, permitted, present
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.writes import insert_prepared, replace_by
from commonplace.knowledge.usage.service import QuotaService
from commonplace.memory.comparing import contradiction, says_the_same
from commonplace.memory.opened import reference_of
from commonplace.memory.service.finding import entry_named, filed_names
from commonplace.memory.thoughts import Known, Remembered, Thought, content_of, without_secrets
from commonplace.memory.times import time_ahead
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.entry import Entry, EntryContent, EntryKind
from commonplace.model.query import Filter, SearchRequest
from commonplace.model.rights import Verb
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store, Transaction

_REPEATED = timedelta(seconds=60)
_COMPARED = 8
_COMPARED_CHARS = 2_000
_OPERATION = "remember"
_KINDS = (EntryKind.NOTE, EntryKind.ITEM)


class RememberService:
    """Writes notes; with `refuse_secrets` it refuses texts with secrets instead of masking."""

    def __init__(
        self,
        store: Store,
        retrieval: RetrievalService,
        knowledge: KnowledgeService,
        quotas: QuotaService,
        *,
        refuse_secrets: bool = False,
    ) -> None:
        self._store = store
        self._retrieval = retrieval
        self._knowledge = knowledge
        self._quotas = quotas
        self._refuse_secrets = refuse_secrets

    def remember(self, actor: Actor, thought: Thought, call: Call = PLAIN_CALL) -> Remembered:
        """Store a thought; if a known entry says the same or the contrary, return that instead."""
        permit_adding(actor, EntryKind.NOTE)
        thought, secrets = without_secrets(thought, refuse=self._refuse_secrets)
        with self._store.read(actor) as tx:
            old = self._replaced(tx, thought)
            now = tx.now
            names = filed_names(tx.projects.all(), thought.project)
        content = _checked(thought, old, call)
        if not thought.anyway and old is None:
            known = self._known(actor, content, names, call)
            again = next((one.entry for one in known if _is_repeat(one, actor, content)), None)
            if again is not None and now - again.created_at <= _REPEATED:
                return Remembered(again, (), secrets)
            if known:
                return Remembered(None, known, secrets)
        entry = self._stored(actor, thought, content, old, call)
        replaced = reference_of(old, actor.org) if old else None
        return Remembered(entry, (), secrets, replaced)

    def _replaced(self, tx: Transaction, thought: Thought) -> Entry | None:
        if thought.replaces is None:
            return None
        old = present(entry_named(tx, thought.replaces))
        if old.kind not in _KINDS:
            raise InvalidArgument(
                f"{thought.replaces} is no note or item; revise corrects it instead.",
                field="replaces",
            )
        return old

    def _known(
        self, actor: Actor, content: EntryContent, names: frozenset[str], call: Call
    ) -> tuple[Known, ...]:
        """Entries of the same project, or without one, that say the same or seem to contradict."""
        request = SearchRequest(
            query=f"{content.title}\n{content.body}"[:_COMPARED_CHARS],
            filter=Filter(kinds=tuple(kind.value for kind in _KINDS)),
            limit=_COMPARED,
        )
        hits = self._retrieval.search(actor, request, call).hits
        near = [
            hit.entry
            for hit in hits
            if hit.entry and (not content.place.project or _filed_under(hit.entry) in {"", *names})
        ]
        same = [Known(e) for e in near if says_the_same(content.body, _text_of(e))]
        if same:
            return tuple(same)
        differences = ((e, contradiction(content.body, e.content.body)) for e in near)
        return tuple(Known(entry, found) for entry, found in differences if found)

    def _stored(
        self, actor: Actor, thought: Thought, content: EntryContent, old: Entry | None, call: Call
    ) -> Entry:
        kind = old.kind if old else EntryKind.NOTE
        # Embedded at once, as an agent may ask for it in its next call.
        prepared = self._knowledge.prepare(actor, kind, content, call)
        with self._store.write(actor) as tx:
            if old is not None:
                tx.entries.lock_chains()
            while first := tx.replays.claim(_OPERATION, thought.token, tx.now + _REPEATED):
                stored = tx.entries.get(first["id"])
                if stored is not None and stored.revision == 1:
                    return stored
                # It was changed, replaced or forgotten since.
                tx.replays.drop(_OPERATION, thought.token)
            self._quotas.spend_last(tx)
            if thought.expires:
                expiring = replace(prepared.content, expires_at=_expiry(thought.expires, tx.now))
                prepared = replace(prepared, content=expiring)
            id = new_item_id(tx.now) if kind is EntryKind.ITEM else str(uuid4())
            entry = insert_prepared(tx, prepared, id)
            if old is not None:
                _supersede(tx, old, entry)
            tx.replays.settle(_OPERATION, thought.token, {"id": entry.id})
            call.check()
        return entry


def _expiry(text: str, now: datetime) -> datetime:
    at = time_ahead(text, now)
    if at <= now:
        raise InvalidArgument("expires must be in the future.", field="expires")
    return at


def _supersede(tx: Transaction, old: Entry, new: Entry) -> None:
    """Replace an entry, also another agent's: writing a better one is enough to do so."""
    for held in tx.entries.lock([old.key]):
        permitted(new, tx.actor, Verb.SUPERSEDE)
        replace_by(tx, present(held), new)


def _checked(thought: Thought, old: Entry | None, call: Call) -> EntryContent:
    """The content to store. What is replaced keeps its kind, project and tags unless others are
    given, and an item its type and file."""
    call.check()
    content = content_of(thought)
    if old is None:
        return content
    content = replace(
        content,
        tags=content.tags or old.content.tags,
        place=content.place if thought.project else old.content.place,
        category=content.category if thought.stated_kind else old.content.category,
    )
    if old.kind is EntryKind.NOTE:
        return content
    return replace(
        old.content,
        title=content.title,
        body=content.body,
        tags=content.tags,
        place=content.place,
        attributes={**old.content.attributes, **content.attributes},
    )


def _filed_under(entry: Entry) -> str:
    return (entry.content.place.project or "").casefold()


def _text_of(entry: Entry) -> str:
    return f"{entry.content.title}\n{entry.content.body}"


def _is_repeat(known: Known, actor: Actor, content: EntryContent) -> bool:
    """Whether the same agent stored exactly this before, as if a call was sent twice."""
    entry = known.entry
    same = (entry.content.title, entry.content.body) == (content.title, content.body)
    return known.difference is None and same and entry.agent == actor.agent
