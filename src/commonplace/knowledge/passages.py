"""Turns an entry into chunks; a long body becomes several.

The first chunk has the exact words of the whole entry and the trigrams of its title (of a skill: of
its label), because exact matches concern the entry, wherever in it the words are.
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

# Leaves room for title and tags in a window of 512 tokens, the smallest in use.
MAX_PASSAGE_TOKENS = 400

# Attributes of an entry that are searched besides title, tags and body: by meaning and words, or by
# words only. Names outside a sentence would only blur the meaning.
SEARCHED_ATTRIBUTES: Mapping[EntryKind, tuple[str, ...]] = {
    EntryKind.ITEM: ("decision_rationale", "alternatives_considered"),
    EntryKind.SKILL: ("description",),
}
NAMED_ATTRIBUTES: Mapping[EntryKind, tuple[str, ...]] = {
    EntryKind.ITEM: ("file_context", "related_issues"),
}


@dataclass(frozen=True, slots=True)
class EntryText:
    """What is searched of an entry: `searched` by meaning and words, `names` by words only.

    `found_by_part` is also found by parts of words.
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
        names=(*content.tags, *_words_of(content, NAMED_ATTRIBUTES.get(kind, ()))),
        found_by_part=content.label if kind is EntryKind.SKILL else content.title,
        searched="\n\n".join(
            [content.body, *_words_of(content, SEARCHED_ATTRIBUTES.get(kind, ()))]
        ),
    )


def cut(text: EntryText, urgency: Urgency) -> list[ChunkDraft]:
    """Cut into chunks. Slow for long text, which is therefore cut in a child process
    (`offloading.py`)."""
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


def _words_of(content: EntryContent, names: Sequence[str]) -> list[str]:
    given = (content.attributes.get(name) for name in names)
    return [text if isinstance(text, str) else "\n".join(text) for text in given if text]


def text_hash(context: str, text: str) -> str:
    """Equal for chunks that have the same embedding."""
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
