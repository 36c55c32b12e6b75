"""Contributes skills and knowledge units, and finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import uuid4

from commonplace.errors import Conflict, NotFound
from commonplace.knowledge.rules import checked, permit_adding, present
from commonplace.knowledge.service.writes import index, replace_by
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.entry import Entry, EntryContent, EntryDraft, EntryKind, Visibility
from commonplace.model.query import Filter, LexicalLeg, RetrievalMode, SearchRequest
from commonplace.registry.contribution import (
    SkillFile,
    file_warnings,
    folded,
    lineage,
    ready_skill,
    skill_content,
    unit_content,
    unit_warnings,
    wider,
)
from commonplace.registry.novelty import novelty
from commonplace.registry.quality import unit_quality
from commonplace.registry.ranking import by_quality, ordered
from commonplace.registry.service.verdicts import TrustedPeers
from commonplace.registry.units import (
    PREFIXES,
    Document,
    Filled,
    UnitType,
    credited_agent,
    filled,
    is_current_version,
    text_of,
    type_of,
)
from commonplace.registry.values import MAX_LABEL, Contributed, RegistryQuery
from commonplace.registry.verdicts import as_read, member_of
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store, Transaction
from commonplace.text.gate import clean

SKILL_PREFIX = "kp:skill:"
# The least similarity of a hit without a word of the query: with the bundled model, paraphrases are
# above it and unrelated queries below.
LEAST_SIMILARITY = 0.35
_POOL = 60
_MOST_BROWSED = 500
_RESEMBLING = 20
_COMPARED_CHARS = 2_000


class RegistryService:
    """Stores contributions and searches them; `VerdictService` judges them."""

    def __init__(
        self,
        store: Store,
        retrieval: RetrievalService,
        quotas: QuotaService,
        peers: TrustedPeers,
        *,
        network: bool = False,
    ) -> None:
        self._store = store
        self._retrieval = retrieval
        self._quotas = quotas
        self._peers = peers
        self._network = network

    def contribute_skill(
        self,
        actor: Actor,
        text: str,
        visibility: Visibility | None = None,
        files: Mapping[str, bytes] | None = None,
        *,
        keep_same: bool = False,
        call: Call = PLAIN_CALL,
    ) -> Contributed:
        """Store a skill; it supersedes the same agent's earlier skill of that name.

        With `keep_same`, a skill equal to its newest version is not stored again.
        """
        permit_adding(actor, EntryKind.SKILL)
        ready = ready_skill(text)
        ready = replace(ready, warnings=(*ready.warnings, *file_warnings(files or {})))
        chosen = visibility or ready.skill.visibility or Visibility.NETWORK
        family = lineage(ready.skill, actor.agent)
        with self._store.write(actor) as tx:
            tx.entries.lock_chains()
            self._quotas.spend_blobs(tx, (files or {}).values())
            given = skill_content(ready, chosen, _kept(tx, files or {}))
            content = checked(given, tx.now)
            earlier = tx.entries.lock(tx.contributions.versions(family))
            same = [old for old in earlier if keep_same and old.content == content]
            if not same:
                self._quotas.spend(tx)
            entry = same[0] if same else _new_skill(tx, content, family)
            replaced = () if same else _replaced(tx, entry, earlier)
            call.check()
        reach = self._reach(chosen)
        return Contributed(entry.id, ready.quality, ready.warnings, reach, replaced)

    def contribute_unit(
        self, actor: Actor, unit: Document, visibility: Visibility, *, call: Call = PLAIN_CALL
    ) -> Contributed:
        """Store a unit that follows its schema, with its computed quality."""
        permit_adding(actor, EntryKind.UNIT)
        warnings = unit_warnings(unit)
        quality = unit_quality(unit, self._novelty(actor, unit, visibility, call))
        id = unit.get("id") or f"{PREFIXES[type_of(unit)]}{uuid4()}"
        agent = credited_agent(unit, actor.agent)
        with self._store.write(actor) as tx:
            self._quotas.spend(tx)
            if tx.entries.get(id, EntryKind.UNIT) is not None:
                raise Conflict("A unit with that id already exists; omit the id to get a new one.")
            whole = filled(unit, Filled(id, tx.now, visibility, quality, agent))
            content = unit_content(whole, visibility, quality, warnings)
            entry = tx.entries.insert(EntryDraft(id, EntryKind.UNIT, checked(content, tx.now)))
            tx.contributions.add(entry, agent)
            index(tx, entry)
            call.check()
        return Contributed(entry.id, quality, warnings, self._reach(visibility))

    def _reach(self, visibility: Visibility) -> Visibility:
        """Who can read it: without a network, only the org itself."""
        alone = visibility is Visibility.NETWORK and not self._network
        return Visibility.ORG if alone else visibility

    def search_skills(
        self, actor: Actor, wanted: RegistryQuery, *, call: Call = PLAIN_CALL
    ) -> list[Entry]:
        return self._search(actor, EntryKind.SKILL, wanted, call)

    def search_units(
        self, actor: Actor, wanted: RegistryQuery, *, call: Call = PLAIN_CALL
    ) -> list[Entry]:
        if wanted.schema_version is not None and not is_current_version(wanted.schema_version):
            return []
        return self._search(actor, EntryKind.UNIT, wanted, call)

    def skill(self, actor: Actor, id: str) -> Entry:
        with self._store.read(actor) as tx:
            entry = tx.entries.get(id, EntryKind.SKILL)
            if entry is None:
                raise NotFound("No skill with that id.")
            return present(entry)

    def skills(self, actor: Actor, limit: int, offset: int = 0) -> list[Entry]:
        """The newest readable version of each skill, newest first."""
        with self._store.read(actor) as tx:
            return tx.entries.page(Filter(kinds=(EntryKind.SKILL.value,)), limit, offset)

    def files_of(self, actor: Actor, skill: Entry) -> dict[str, bytes]:
        """The files next to a skill's SKILL.md; files of other orgs' skills are not shared."""
        with self._store.read(actor) as tx:
            found = {
                file["path"]: tx.blobs.get(file["digest"])
                for file in skill.content.attributes.get("files", [])
            }
        return {path: data for path, data in found.items() if data is not None}

    def _search(
        self, actor: Actor, kind: EntryKind, wanted: RegistryQuery, call: Call
    ) -> list[Entry]:
        passing = Filter(
            kinds=(kind.value,),
            categories=tuple(wanted.types),
            any_tags=tuple(filter(None, (_label(tag, "tags") for tag in wanted.tags))),
            domain=_label(wanted.domain or "", "domain") or None,
            min_confidence=wanted.min_quality,
        )
        if not wanted.query.strip():
            with self._store.read(actor) as tx:
                newest = [e for e in tx.entries.page(passing, _MOST_BROWSED, 0) if e.searchable]
                shown = self._as_read(tx, newest, wanted)
            return by_quality(list(shown.values()))[: wanted.limit]
        request = SearchRequest(
            query=wanted.query,
            filter=passing,
            lexical=LexicalLeg.ANY_TERM_OR_PART,
            limit=_POOL,
            least_similarity=LEAST_SIMILARITY,
        )
        hits = self._retrieval.search(actor, request, call).hits
        with self._store.read(actor) as tx:
            shown = self._as_read(tx, [hit.entry for hit in hits if hit.entry], wanted)
        found = [
            replace(h, entry=shown[h.entry.key]) for h in hits if h.entry and h.entry.key in shown
        ]
        return ordered(found)[: wanted.limit]

    def _as_read(
        self, tx: Transaction, entries: Sequence[Entry], wanted: RegistryQuery
    ) -> dict[int, Entry]:
        """Units as the reading org rates them, without those it has quarantined."""
        units = [entry for entry in entries if entry.kind is EntryKind.UNIT]
        verdicts = tx.verdicts.about([unit.key for unit in units])
        weight = self._peers.weight(tx, tx.actor.org) if any(verdicts.values()) else member_of("")
        shown = {entry.key: entry for entry in entries}
        for unit in units:
            seen = as_read(unit, verdicts[unit.key], tx.actor.org, weight)
            if seen is None or seen.content.confidence < wanted.min_quality:
                del shown[unit.key]
            else:
                shown[unit.key] = seen
        return shown

    def _novelty(self, actor: Actor, unit: Document, visibility: Visibility, call: Call) -> float:
        """The novelty among texts that every reader of the unit can read, so that it reveals no
        others."""
        if type_of(unit) is not UnitType.TRACE:
            return 1.0
        text = text_of(unit)
        request = SearchRequest(
            query=text[:_COMPARED_CHARS],
            filter=Filter(kinds=(EntryKind.UNIT.value,), categories=(UnitType.TRACE.value,)),
            mode=RetrievalMode.LEXICAL,
            limit=_POOL,
        )
        hits = self._retrieval.search(actor, request, call).hits
        known = [hit.entry.content for hit in hits if hit.entry]
        common = [one.body for one in known if not wider(visibility, one.visibility)]
        return novelty(text, common[:_RESEMBLING])


def skill_text(skill: Entry) -> str:
    """The SKILL.md as stored."""
    return str(skill.content.attributes["head"]) + skill.content.body


def _label(text: str, field: str) -> str:
    """A label in the form in which searches compare it."""
    return folded(clean(text, field=field, max_chars=MAX_LABEL))


def _new_skill(tx: Transaction, content: EntryContent, family: str) -> Entry:
    id = f"{SKILL_PREFIX}{uuid4()}"
    entry = tx.entries.insert(EntryDraft(id, EntryKind.SKILL, content))
    tx.contributions.add(entry, tx.actor.agent, family)
    index(tx, entry)
    return entry


def _replaced(tx: Transaction, entry: Entry, earlier: Sequence[Entry]) -> tuple[str, ...]:
    """Supersede earlier versions, except for those that have more readers than the new one."""
    reach = entry.content.visibility
    replaced = [old for old in earlier if not wider(old.content.visibility, reach)]
    for old in replaced:
        replace_by(tx, old, entry)
    return tuple(old.id for old in replaced)


def _kept(tx: Transaction, files: Mapping[str, bytes]) -> list[SkillFile]:
    return [
        SkillFile(path, tx.blobs.put(data, "application/octet-stream"), len(data))
        for path, data in sorted(files.items())
    ]
