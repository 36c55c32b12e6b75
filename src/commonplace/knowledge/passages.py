"""An entry as the chunks that search finds; long bodies become several.

The first chunk carries the whole entry's exact words and the grams of its title, because an exact
match is one of the entry, wherever in it the words stand.
"""

from __future__ import annotations

import hashlib

from commonplace.model.chunk import ChunkDraft, Indexed, Position, Standing, TrustTier, Urgency
from commonplace.model.entry import Entry
from commonplace.text.analyse import analyse, exact_words, title_grams
from commonplace.text.count import estimate_tokens
from commonplace.text.split import split_passages

# Leaves room for title and tags in a 512-token window, the smallest in use.
MAX_PASSAGE_TOKENS = 400


def chunks_of(entry: Entry, urgency: Urgency) -> list[ChunkDraft]:
    content = entry.content
    context = "\n".join(filter(None, [content.title, " ".join(content.tags)]))
    context_terms = " ".join(analyse(context))
    passages = split_passages(content.body, max_tokens=MAX_PASSAGE_TOKENS)
    return [
        ChunkDraft(
            ordinal=ordinal,
            text=passage.text,
            context=context,
            position=Position(char_start=passage.start, char_end=passage.end),
            token_count=estimate_tokens(context) + estimate_tokens(passage.text),
            text_hash=text_hash(context, passage.text),
            indexed=Indexed(
                terms=" ".join(analyse(passage.text)),
                context_terms=context_terms,
                words=" ".join(exact_words(content.body)) if ordinal == 0 else "",
                title_grams=" ".join(title_grams(content.title)) if ordinal == 0 else "",
            ),
            urgency=urgency,
        )
        for ordinal, passage in enumerate(passages)
    ]


def text_hash(context: str, text: str) -> str:
    """Equal for chunks that embed alike."""
    return hashlib.sha256(f"{context}\0{text}".encode()).hexdigest()[:32]


def standing_of(entry: Entry) -> Standing:
    content = entry.content
    return Standing(
        kind=entry.kind.value,
        agent=entry.agent,
        visibility=content.visibility,
        place=content.place,
        tags=content.tags,
        superseded=entry.head is not None,
        expires_at=content.expires_at,
        trust=TrustTier.OPERATIONAL,
        category=content.category,
    )
