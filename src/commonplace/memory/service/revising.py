"""Corrects remembered entries; every change is authorised and recorded in the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from commonplace.capture.report import Action as Verdict
from commonplace.capture.secrets import mask_secrets
from commonplace.capture.service.reviewing import ReviewService
from commonplace.documents.service.sources import DocumentService
from commonplace.errors import AccessDenied, InvalidArgument, NotFound
from commonplace.knowledge.rules import checked, permitted, present
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.writes import index
from commonplace.memory.opened import reference_of
from commonplace.memory.revisions import KEPT_APART, NEEDS, ReviseAction, Revised, RevisionRequest
from commonplace.memory.service.finding import entry_named, is_entry, not_forgotten, source_named
from commonplace.memory.thoughts import title_in
from commonplace.memory.times import time_ahead
from commonplace.memory.trust import with_voice
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.change import Operation
from commonplace.model.entry import Entry, EntryContent, EntryKind, plain_tag
from commonplace.model.references import ReferenceKind, ShortReference, of_document
from commonplace.model.rights import Verb
from commonplace.registry.service.verdicts import VerdictService
from commonplace.storage.port import Store

_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_WRITTEN_ELSEWHERE = {
    EntryKind.SKILL: "A skill is corrected by contributing its next version (kp_contribute_skill).",
    EntryKind.UNIT: "A unit is corrected by contributing another (kp_contribute_knowledge).",
}
# A limit, as each adds a line to the history of the entry's author.
_MOST_APART = 50
_LISTED = "recent lists what waits for review."
Alter = Callable[[Entry, datetime], EntryContent]


class ReviseService:
    """Corrects, retags, supersedes, expires, forgets, restores, and records feedback."""

    def __init__(
        self,
        store: Store,
        knowledge: KnowledgeService,
        documents: DocumentService,
        verdicts: VerdictService,
        reviewing: ReviewService,
    ) -> None:
        self._store = store
        self._knowledge = knowledge
        self._documents = documents
        self._verdicts = verdicts
        self._reviewing = reviewing
        self._actions: Mapping[
            ReviseAction, Callable[[Actor, Entry, RevisionRequest, Call], str]
        ] = {
            ReviseAction.CORRECT: self._correct,
            ReviseAction.RETAG: self._retag,
            ReviseAction.SUPERSEDE: self._supersede,
            ReviseAction.MERGE: self._merge,
            ReviseAction.EXPIRE: self._expire,
            ReviseAction.FORGET: self._forget,
            ReviseAction.RESTORE: self._restore,
            ReviseAction.HELPED: self._record_feedback,
            ReviseAction.MISLED: self._record_feedback,
            ReviseAction.KEEP: self._keep,
        }

    def revise(
        self,
        actor: Actor,
        reference: ShortReference,
        request: RevisionRequest,
        call: Call = PLAIN_CALL,
    ) -> Revised:
        """Apply an action to what the reference names; the result says how to revert it."""
        _check(request)
        if reference.kind is ReferenceKind.DOC:
            return self._document(actor, reference, request)
        if reference.kind is ReferenceKind.REVIEW:
            return self._moment(actor, reference, request, call)
        if not is_entry(reference):
            raise InvalidArgument(
                f"{reference} is read from a source: change the source, and it is read again; "
                "remember keeps a note about it.",
                field="action",
            )
        with self._store.read(actor) as tx:
            entry = entry_named(tx, reference)
        if request.action is not ReviseAction.RESTORE:
            not_forgotten(entry, actor.org)
        said = self._actions[request.action](actor, entry, request, call)
        named = reference_of(entry, actor.org)
        if request.action is ReviseAction.RESTORE or not self._has_changed(actor, entry):
            return Revised(named, said)
        return Revised(named, said, _undo(actor, entry, named))

    def _has_changed(self, actor: Actor, entry: Entry) -> bool:
        """Whether the action made a new revision that can be reverted."""
        with self._store.read(actor) as tx:
            after = tx.entries.get(entry.id)
        return after is not None and after.revision != entry.revision

    def _correct(self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call) -> str:
        if entry.kind in _WRITTEN_ELSEWHERE:
            raise InvalidArgument(_WRITTEN_ELSEWHERE[entry.kind], field="action")
        masked = [mask_secrets(text) for text in (request.title or "", request.text or "")]
        title, text = (each.text for each in masked)

        def corrected(held: Entry) -> EntryContent:
            content = held.content
            tags = content.tags if request.tags is None else _plain_tags(request.tags)
            body = text or content.body
            was_made = content.title == title_in(content.body)
            named = title or (title_in(body) if was_made else content.title)
            return replace(content, title=named, body=body, tags=tags)

        if corrected(entry) == entry.content:
            return "nothing to change: it already says this"
        after = self._knowledge.revise(actor, entry.kind, entry.id, corrected, call=call)
        hidden = "; secrets were removed" if any(each.found for each in masked) else ""
        stays = "; recall still shows what superseded it instead" if after.head else ""
        return f"corrected, now revision {after.revision}{hidden}{stays}"

    def _retag(self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call) -> str:
        tags = _plain_tags(request.tags or ())
        self._altered(actor, entry, Verb.CHANGE, lambda e, _: replace(e.content, tags=tags), call)
        return f"tags are {', '.join(tags)}" if tags else "it has no tags now"

    def _supersede(self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call) -> str:
        new = self._other(actor, entry, request)
        self._knowledge.supersede(actor, entry.kind, entry.id, new.id, call=call)
        return _superseded(new, actor.org)

    def _merge(self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call) -> str:
        """Supersede an entry by another, which also gets its tags."""
        new = self._other(actor, entry, request)
        self._knowledge.supersede(actor, entry.kind, entry.id, new.id, with_tags=True, call=call)
        named = reference_of(new, actor.org)
        tags = f", which now has its tags too (revise {named} restore removes them)"
        return _superseded(new, actor.org) + (tags if self._has_changed(actor, new) else "")

    def _expire(self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call) -> str:
        def expired(held: Entry, now: datetime) -> EntryContent:
            at = time_ahead(request.expires, now) if request.expires else now
            return replace(held.content, expires_at=at)

        after = self._altered(actor, entry, Verb.CHANGE, expired, call)
        return f"expires {after.content.expires_at:%Y-%m-%d %H:%M}Z"

    def _forget(self, actor: Actor, entry: Entry, _asked: RevisionRequest, call: Call) -> str:
        self._knowledge.delete(actor, entry.id, entry.kind, call=call)
        with self._store.read(actor) as tx:
            replaced = [e for e in tx.entries.chain(entry.kind, entry.id) if e.key != entry.key]
        said = "forgotten: searches no longer find it"
        if not replaced:
            return said
        old = reference_of(replaced[-1], actor.org)
        return f"{said}, nor {old}, which it had replaced (revise {old} restore brings that back)"

    def _restore(self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call) -> str:
        after = self._knowledge.restore(actor, entry.id, request.revision, call=call)
        return f"restored, now revision {after.revision}"

    def _record_feedback(
        self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call
    ) -> str:
        helped = request.action is ReviseAction.HELPED
        if entry.kind is EntryKind.UNIT:
            self._verdicts.validate(actor, entry.id, valid=helped, call=call)
            return f"your verdict is recorded: {'valid' if helped else 'not valid'}"
        before = entry.content.confidence
        after = self._altered(
            actor,
            entry,
            Verb.JUDGE,
            lambda e, _: with_voice(e.content, actor.agent, helped=helped),
            call,
        )
        if after.revision == entry.revision:
            return f"trust stays {before:.2f}: your vote was already counted"
        return f"trust {before:.2f} -> {after.content.confidence:.2f}"

    def _keep(self, actor: Actor, entry: Entry, request: RevisionRequest, call: Call) -> str:
        other = self._other(actor, entry, request)
        apart = sorted({*entry.content.attributes.get(KEPT_APART, []), other.id})
        if len(apart) > _MOST_APART:
            raise InvalidArgument(f"It is kept apart from {_MOST_APART} others.", field="by")
        self._altered(
            actor,
            entry,
            Verb.JUDGE,
            lambda e, _: replace(e.content, attributes={**e.content.attributes, KEPT_APART: apart}),
            call,
        )
        return f"kept apart from {reference_of(other, actor.org)}"

    def _altered(self, actor: Actor, entry: Entry, verb: Verb, alter: Alter, call: Call) -> Entry:
        """Change an entry in one transaction, as others may change it too; adds to its history."""
        with self._store.write(actor) as tx:
            held = present(permitted(tx.entries.get(entry.id, entry.kind), actor, verb))
            content = checked(alter(held, tx.now), _LONG_AGO)
            if content == held.content:
                return held
            after = tx.entries.update(replace(held, content=content), Operation.EDIT)
            index(tx, after)
            call.check()
        return after

    def _other(self, actor: Actor, entry: Entry, request: RevisionRequest) -> Entry:
        assert request.by is not None, "the request was checked"
        with self._store.read(actor) as tx:
            other = not_forgotten(entry_named(tx, request.by), actor.org)
        if other.kind is not entry.kind:
            raise InvalidArgument(
                f"{request.by} is of another kind: an entry is replaced by one of its own kind. "
                "remember with replaces writes one.",
                field="by",
            )
        return other

    def _document(
        self, actor: Actor, reference: ShortReference, request: RevisionRequest
    ) -> Revised:
        with self._store.read(actor) as tx:
            source = source_named(tx, reference)
        named = of_document(source.id)
        if request.action is ReviseAction.FORGET:
            self._documents.remove(actor, source.id)
            return Revised(named, "forgotten", f"revise {named} restore takes it back.")
        if request.action is ReviseAction.RESTORE:
            self._documents.restore(actor, source.id)
            return Revised(named, "restored; it is read again")
        raise InvalidArgument("A document can only be forgotten or restored.", field="action")

    def _moment(
        self, actor: Actor, reference: ShortReference, request: RevisionRequest, call: Call
    ) -> Revised:
        verdicts = {ReviseAction.HELPED: Verdict.CONFIRM, ReviseAction.MISLED: Verdict.REJECT}
        if request.action is ReviseAction.RESTORE:
            self._reviewing.reopen(actor, reference.name, call=call)
            return Revised(reference, "waits for review again")
        if request.action not in verdicts:
            raise InvalidArgument(
                "A moment that waits is kept by helped and rejected by misled; restore takes "
                "either back.",
                field="action",
            )
        try:
            done = self._reviewing.judge(actor, reference.name, verdicts[request.action], call=call)
        except NotFound as error:
            raise NotFound(f"{reference} does not wait for review.", hint=_LISTED) from error
        kept = request.action is ReviseAction.HELPED
        said = f"kept as item:{done.item_id}" if kept else "rejected"
        return Revised(reference, said, f"revise {reference} restore takes it back.")


def _check(request: RevisionRequest) -> None:
    for name in NEEDS.get(request.action, ()):
        if getattr(request, name) is None:
            raise InvalidArgument(f"{request.action.value} needs {name}.", field=name)
    if request.action is ReviseAction.CORRECT and not (request.text or request.title):
        raise InvalidArgument("correct needs text or title.", field="text")


def _undo(actor: Actor, entry: Entry, named: ShortReference) -> str:
    """How to take a change back. Only who may delete an entry may restore it."""
    try:
        permitted(entry, actor, Verb.REMOVE)
    except AccessDenied:
        return f"Its author {entry.agent} can take it back by restore."
    return f"revise {named} restore takes it back."


def _superseded(new: Entry, org: str) -> str:
    return f"superseded by {reference_of(new, org)} {new.content.title.rstrip('.')}"


def _plain_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(plain_tag, tags)))
