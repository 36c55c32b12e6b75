"""How a commit is stored: as a document whose only chunk is the message. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from commonplace.model.chunk import ChunkDraft, ChunkMetadata, Indexed, Position, Urgency
from commonplace.model.commits import COMMIT_KIND, Commit
from commonplace.model.entry import Place
from commonplace.model.workspace import FileState, Resource
from commonplace.text.analyse import analyse, exact_words
from commonplace.text.count import estimate_tokens

# Part of every history's version: changing it makes all commits be stored again.
REVISION = "1"
MOST_FILES = 200
_LONGEST_MESSAGE = 4_000
# Secrets are masked in this much of an endless message, so that none is cut off unrecognised.
_LOOKED_AT = 10 * _LONGEST_MESSAGE
_LONGEST_AUTHOR = 100
_LONGEST_PATH = 1_000  # in bytes: PostgreSQL cannot index much longer values
_NAMED_FILES = 20
_NOBODY = "unknown"
_NANOSECONDS = 1_000_000_000
_LATEST = (1 << 63) // _NANOSECONDS - 1

Mask = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class KeptCommit:
    """A commit to store.

    `state.size` is the number of files it touched. `files` has only the first of many, and none
    with an overlong path.
    """

    state: FileState
    metadata: ChunkMetadata
    draft: ChunkDraft
    files: tuple[str, ...]


def kept_commit(commit: Commit, resource: Resource, mask: Mask) -> KeptCommit:
    """Build the stored form of a commit; `mask` removes secrets from its text."""
    message = mask(commit.message[:_LOOKED_AT]).replace("\0", "").strip() or commit.id
    text = message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]}…"
    author = " ".join(mask(commit.author).replace("\0", "").split())[:_LONGEST_AUTHOR]
    hashed = hashlib.sha256(text.encode()).hexdigest()
    seconds = int(commit.at.timestamp()) if commit.at else 0
    if not 0 <= seconds <= _LATEST:
        seconds = 0  # an author may write any year
    told = tuple(path for path in commit.files if len(path.encode()) <= _LONGEST_PATH)
    return KeptCommit(
        state=FileState(0, commit.id, hashed, 1, len(commit.files), seconds * _NANOSECONDS),
        metadata=ChunkMetadata(
            kind=COMMIT_KIND,
            agent=author or _NOBODY,
            place=Place(resource=resource.key),
            path=commit.id,
        ),
        draft=_draft(text, hashed, told),
        files=told[:MOST_FILES],
    )


def _draft(text: str, hashed: str, files: tuple[str, ...]) -> ChunkDraft:
    subject, _, _ = text.partition("\n")
    return ChunkDraft(
        ordinal=0,
        text=text,
        context="",
        position=Position(0, len(text), 1, text.count("\n") + 1),
        token_count=estimate_tokens(text),
        text_hash=hashed[:32],
        indexed=Indexed(
            terms=" ".join(analyse(text)),
            # Touched files are found by words but are not part of the meaning.
            context_terms=" ".join(analyse("\n".join(files[:_NAMED_FILES]))),
            words=" ".join(exact_words(text)),
        ),
        # Documentation and code are searched more often.
        urgency=Urgency.REST_OF_ASIDE,
        headings=(subject,),
    )
