"""An entry as the chunks that search finds; long bodies become several.

The first chunk carries the whole entry's exact words and the grams of its title (of a skill, of its
whole label), because an exact match is one of the entry, wherever in it the words stand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.model.chunk import ChunkDraft, ChunkMetadata, Indexed, Position, TrustTier, Urgency
from commonplace.model.entry import Entry, EntryContent, EntryKind
from commonplace.text.analyse import analyse, exact_words, title_grams
from commonplace.text.count import estimate_tokens
from commonplace.text.split import split_passages

# Leaves room for title and tags in a 512-token window, the smallest in use.
MAX_PASSAGE_TOKENS = 400

# What else of an entry is found beside its title, tags and body: by meaning and by words, or by
# words alone. Names without a sentence around them only blur a meaning.
SEARCHED_ATTRIBUTES: Mapping[EntryKind, tuple[str, ...]] = {
    EntryKind.ITEM: ("decision_rationale", "alternatives_considered"),
    EntryKind.SKILL: ("description",),
}
NAMED_ATTRIBUTES: Mapping[EntryKind, tuple[str, ...]] = {
    EntryKind.ITEM: ("file_context", "related_issues"),
}


@dataclass(frozen=True, slots=True)
class EntryText:
    """What of an entry is found: `searched` by meaning and by words, `names` by words alone.

    Parts of words are found in `found_by_part`.
    """

    title: str
    names: tuple[str, ...]
    found_by_part: str
    searched: str


def chunks_of(kind: EntryKind, content: EntryContent, urgency: Urgency) -> list[ChunkDraft]:
    return cut(text_of(kind, content), urgency)


def text_of(kind: EntryKind, content: EntryContent) -> EntryText:
    return EntryText(
        title=content.title,
        names=(*content.tags, *_said(content, NAMED_ATTRIBUTES.get(kind, ()))),
        found_by_part=content.label if kind is EntryKind.SKILL else content.title,
        searched="\n\n".join([content.body, *_said(content, SEARCHED_ATTRIBUTES.get(kind, ()))]),
    )


def cut(text: EntryText, urgency: Urgency) -> list[ChunkDraft]:
    """Dear where the text is long: then it is done in a child process (`offloading.py`)."""
    context = "\n".join(filter(None, [text.title, " ".join(text.names)]))
    context_terms = " ".join(analyse(context))
    passages = split_passages(text.searched, max_tokens=MAX_PASSAGE_TOKENS)
    return [
        ChunkDraft(
            ordinal=ordinal,
            text=passage.text,
            context=text.title,
            position=Position(char_start=passage.start, char_end=passage.end),
            token_count=estimate_tokens(context) + estimate_tokens(passage.text),
            text_hash=text_hash(context, passage.text),
            indexed=Indexed(
                terms=" ".join(analyse(passage.text)),
                context_terms=context_terms,
                words=" ".join(exact_words(text.searched)) if ordinal == 0 else "",
                title_grams=" ".join(title_grams(text.found_by_part)) if ordinal == 0 else "",
            ),
            urgency=urgency,
        )
        for ordinal, passage in enumerate(passages)
    ]


def _said(content: EntryContent, names: Sequence[str]) -> list[str]:
    given = (content.attributes.get(name) for name in names)
    return [text if isinstance(text, str) else "\n".join(text) for text in given if text]


def text_hash(context: str, text: str) -> str:
    """Equal for chunks that are found alike."""
    return hashlib.sha256(f"{context}\0{text}".encode()).hexdigest()[:32]


def metadata_of(entry: Entry) -> ChunkMetadata:
    content = entry.content
    return ChunkMetadata(
        kind=entry.kind.value,
        agent=entry.agent,
        visibility=content.visibility,
        place=content.place,
        tags=content.tags,
        superseded=entry.head is not None,
        expires_at=content.expires_at,
        trust=TrustTier.OPERATIONAL,
        category=content.category,
        domain=content.domain,
        confidence=content.confidence,
    )
