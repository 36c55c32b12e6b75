"""The tools for items: five for their life cycle, three for retrieval."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from commonplace.application import Application
from commonplace.capture.items import KIND, Item, content_of, item_of, tokens_of
from commonplace.capture.service.ids import new_item_id
from commonplace.errors import Conflict, EmbeddingsMissing, EmbeddingUnavailable, RevisionConflict
from commonplace.knowledge.rules import MAX_BODY, MAX_TAG, MAX_TITLE
from commonplace.model.activity import search_delivery
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.entry import Entry, EntryContent, Place, plain_tag
from commonplace.model.query import Filter, RetrievalMode, SearchRequest, SearchResult
from commonplace.retrieval.tiers import Diversify, TieredRequest
from commonplace.surfaces.answers import iso, references_of
from commonplace.surfaces.elsewhere import hint_if_elsewhere
from commonplace.surfaces.institutional import arguments, wire
from commonplace.text.gate import clean

LONGEST_NAME = 2000
LONGEST_REMARK = 100_000
_TAKEN = (
    "Something with that id exists already, or was deleted and keeps it; leave the id out to get "
    "a new one."
)


def capture_knowledge(
    application: Application, actor: Actor, given: arguments.CaptureArguments, call: Call
) -> wire.ItemAnswer:
    item = arguments.item_given(given)
    written = application.analysis.written(actor, (item.summary, item.content), call)
    summary, content = written.texts
    item = _clean(replace(item, summary=summary, content=content))
    prepared = application.knowledge.prepare(actor, KIND, content_of(item), call)
    try:
        entry = application.knowledge.add_prepared(
            actor, prepared, lambda now: given.id or new_item_id(now), call
        )
    except Conflict:
        raise Conflict(_TAKEN) from None
    shown = wire.item_written(entry, given.max_content_chars, written.warnings)
    return wire.ItemAnswer(data=shown)


def get_knowledge(
    application: Application, actor: Actor, given: arguments.GetArguments, _call: Call
) -> wire.UsedItemAnswer:
    with hint_if_elsewhere(application, actor, given.id):
        entry = application.knowledge.get(actor, given.id, KIND).entry
    access = application.usage.of(actor, [entry])[entry.key]
    answer = wire.UsedItemAnswer(data=wire.used_item(entry, access))
    application.usage.count(actor, [entry])
    return answer


def list_knowledge(
    application: Application, actor: Actor, given: arguments.ListArguments, _call: Call
) -> wire.ListAnswer:
    wanted = filter_of(given.type, given.project, given.tags)
    entries, total = application.knowledge.page(actor, wanted, given.limit, given.offset)
    return wire.ListAnswer(data=wire.listed(entries, total, given))


def update_knowledge(
    application: Application, actor: Actor, given: arguments.UpdateArguments, call: Call
) -> wire.ItemAnswer:
    changes: dict[str, Any] = arguments.changes_given(given)
    texts = {name: changes[name] for name in ("summary", "content") if name in changes}
    written = application.analysis.written(actor, tuple(texts.values()), call)
    changes |= dict(zip(texts, written.texts, strict=True))

    def revised(entry: Entry) -> EntryContent:
        if given.updated_at and given.updated_at != iso(entry.updated_at):
            raise RevisionConflict
        return content_of(_clean(replace(item_of(entry.content), **changes)))

    with hint_if_elsewhere(application, actor, given.id):
        entry = application.knowledge.revise(actor, KIND, given.id, revised, call=call)
    shown = wire.item_written(entry, given.max_content_chars, written.warnings)
    return wire.ItemAnswer(data=shown)


def delete_knowledge(
    application: Application, actor: Actor, given: arguments.GetArguments, call: Call
) -> wire.DeleteAnswer:
    with hint_if_elsewhere(application, actor, given.id):
        deleted = application.knowledge.delete(actor, given.id, KIND, call=call)
    return wire.DeleteAnswer(data=wire.Deleted(id=deleted.id))


def semantic_search(
    application: Application, actor: Actor, given: arguments.SearchArguments, call: Call
) -> wire.SearchAnswer:
    request = SearchRequest(
        query=given.query,
        filter=filter_of(given.type, given.project, given.tags),
        mode=RetrievalMode.SEMANTIC,
        limit=given.limit,
        min_score=given.threshold,
        keep_unrelated=True,
    )
    result = application.retrieval.search(actor, request, call)
    if result.mode_used is not RetrievalMode.SEMANTIC:
        raise EmbeddingUnavailable(" ".join(result.notices))
    max_chars = given.max_content_chars
    results = [wire.similar_item(entry, score, max_chars) for entry, score in entries_of(result)]
    found = wire.Similar(query=given.query, results=results, total_results=len(results))
    entries = [entry for entry, _ in entries_of(result)]
    application.usage.count(actor, entries)
    call.record_delivery(search_delivery(given.query, references_of(entries), counted=True))
    if result.pending or result.given_up:
        raise EmbeddingsMissing(found=found)
    return wire.SearchAnswer(data=found)


def tiered_retrieval(
    application: Application, actor: Actor, given: arguments.TieredArguments, call: Call
) -> wire.TieredAnswer:
    result = application.retrieval.tiered(actor, _tiered_request(given), call)
    wanted = filter_of(None, given.project, None)
    tally = application.knowledge.tally(actor, wanted) if given.tier1 else None
    answer = wire.TieredAnswer(data=wire.tiered(given, tally, result))
    application.usage.count(actor, [one.entry for one in result.found])
    if given.query:
        references = references_of(one.entry for one in result.found)
        call.record_delivery(search_delivery(given.query, references, counted=True))
    return answer


def _tiered_request(given: arguments.TieredArguments) -> TieredRequest:
    options = given.tier2_options

    def tokens(entry: Entry) -> int:
        return tokens_of(wire.cut(item_of(entry.content), given.max_content_chars))

    search = SearchRequest(
        query=given.query,
        filter=filter_of(None, given.project, options.tags),
        mode=RetrievalMode.SEMANTIC,
        limit=options.limit,
        min_score=options.threshold,
        keep_unrelated=True,
    )
    return TieredRequest(
        search=search if given.tier2 or given.tier3 else None,
        boost=given.tier3_options.boost_factor if given.tier3 else None,
        diversify=Diversify(given.diversify),
        budget=given.token_budget if given.tier4 else None,
        tokens_of=tokens,
    )


def generate_embeddings(
    application: Application, actor: Actor, given: arguments.EmbeddingArguments, call: Call
) -> wire.EmbeddingAnswer:
    started = time.monotonic()
    report = application.entry_embedding.embed(
        actor, KIND, force=given.force, batch_size=given.batch_size, call=call
    )
    return wire.EmbeddingAnswer(
        data=wire.EmbeddingCounts(
            generated=report.generated,
            skipped=report.skipped,
            failed=report.failed,
            total_processed=report.total,
            duration_ms=round((time.monotonic() - started) * 1000),
        )
    )


def filter_of(kind_of_item: str | None, project: str | None, tags: Sequence[str] | None) -> Filter:
    """A filter. Values that no item can have match nothing; unstorable ones are refused."""

    def cleaned(text: str, field: str) -> str:
        return clean(text, field=field, max_chars=LONGEST_NAME)

    return Filter(
        kinds=(KIND.value,),
        categories=(kind_of_item,) if kind_of_item else (),
        any_tags=tuple(plain_tag(cleaned(tag, "tags")) for tag in tags or ()),
        place=Place(project=cleaned(project, "project") if project else None),
    )


def entries_of(result: SearchResult) -> list[tuple[Entry, float]]:
    return [(hit.entry, hit.score) for hit in result.hits if hit.entry is not None]


def _clean(item: Item) -> Item:
    """The item with clean texts; InvalidArgument names the field as the dialect does."""

    def text(field: str, longest: int) -> str:
        return clean(getattr(item, field), field=field, max_chars=longest)

    def texts(field: str, longest: int = LONGEST_REMARK) -> tuple[str, ...]:
        given: tuple[str, ...] = getattr(item, field)
        return tuple(clean(one, field=field, max_chars=longest) for one in given)

    return replace(
        item,
        summary=text("summary", MAX_TITLE),
        content=text("content", MAX_BODY),
        project=text("project", LONGEST_NAME),
        file_context=text("file_context", LONGEST_NAME),
        tags=texts("tags", MAX_TAG),
        decision_rationale=item.decision_rationale and text("decision_rationale", LONGEST_REMARK),
        alternatives_considered=texts("alternatives_considered"),
        related_issues=texts("related_issues"),
    )
