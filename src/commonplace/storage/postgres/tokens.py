"""The analyser's tokens as PostgreSQL's tsvector and tsquery literals.

Decides the prefix of each kind of token, and what is dropped where a limit would be exceeded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postings.tokens import GRAM, SCOPE, WORD, lexeme
from commonplace.storage.tables.chunks import any_scopes, readable_scopes, scope_token

CONTEXT_WEIGHT, TEXT_WEIGHT = "A", "D"

_LAST_POSITION = 16_383
_MOST_POSITIONS = 255
_MOST_BYTES = 1_000_000
_BYTES_BESIDE_A_LEXEME = 4
_BYTES_OF_A_POSITION = 2


def quoted(lexeme: str) -> str:
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


def search_vector(fields: Mapping[str, str]) -> str:
    """The tsvector of a chunk, most significant tokens first in case the limit is reached."""
    places: dict[str, list[str]] = {}
    _add_plain(places, SCOPE, fields["scope"])
    context, text = fields["context_terms"].split(), fields["terms"].split()
    _add_placed(
        places, "", [(t, CONTEXT_WEIGHT) for t in context] + [(t, TEXT_WEIGHT) for t in text]
    )
    _add_placed(places, WORD, [(word, TEXT_WEIGHT) for word in fields["words"].split()])
    _add_plain(places, GRAM, fields["title_grams"])
    return " ".join(_within_limit(places))


def matches_of(query: LexicalQuery) -> list[str]:
    """The alternatives that match, each weighted by rarity: any term, all words, or a title."""
    if words := list(filter(None, query.words)):
        return [_joined(" & ", (lexeme(WORD, word) for word in words))]
    if query.grams:
        return [_joined(" & ", (lexeme(GRAM, gram) for gram in query.grams))]
    if query.gram_prefix:
        return [f"{quoted(lexeme(GRAM, query.gram_prefix))}:*"]
    return [quoted(lexeme("", term)) for term in dict.fromkeys(filter(None, query.terms))]


def match_of(query: LexicalQuery, scope: str) -> str:
    """The tsquery of what matches, restricted to the scope."""
    return f"({' | '.join(matches)}) & {scope}" if (matches := matches_of(query)) else ""


def scope_of(wanted: Filter, org: str, *, network: bool) -> str:
    """The restrictions of a search: readable orgs, tags, kinds, categories."""
    parts = [_any_scope(readable_scopes(org, network))]
    parts += [_any_scope([scope_token("t", tag)]) for tag in wanted.tags]
    parts += [_any_scope(tokens) for tokens in any_scopes(wanted)]
    return " & ".join(parts)


def _any_scope(tokens: Sequence[str]) -> str:
    return _joined(" | ", (lexeme(SCOPE, token) for token in tokens))


def _joined(operator: str, lexemes: Iterable[str]) -> str:
    return f"({operator.join(quoted(lexeme) for lexeme in dict.fromkeys(lexemes))})"


def _add_plain(places: dict[str, list[str]], prefix: str, tokens: str) -> None:
    for token in tokens.split():
        places.setdefault(lexeme(prefix, token), [])


def _add_placed(
    places: dict[str, list[str]], prefix: str, weighted: Sequence[tuple[str, str]]
) -> None:
    for position, (token, weight) in enumerate(weighted, 1):
        known = places.setdefault(lexeme(prefix, token), [])
        if position <= _LAST_POSITION and len(known) < _MOST_POSITIONS:
            known.append(f"{position}{weight}")


def _within_limit(places: Mapping[str, Sequence[str]]) -> Iterable[str]:
    size = 0
    for token, positions in places.items():
        size += len(token.encode()) + _BYTES_BESIDE_A_LEXEME
        size += len(positions) * _BYTES_OF_A_POSITION
        if size > _MOST_BYTES:
            return
        yield f"{quoted(token)}:{','.join(positions)}" if positions else quoted(token)
