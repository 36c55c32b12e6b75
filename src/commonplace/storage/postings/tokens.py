"""The tokens that text indexes hold of a chunk, and the number by which a posting list is known."""

from __future__ import annotations

from hashlib import blake2b, sha256

TERM, WORD, GRAM, SCOPE = "", "=", "~", "@"

LONGEST_LEXEME = 255
_MOST_BYTES_OF_A_CHARACTER = 4
# Lists of terms and words tell how much each chunk is worth; grams and scopes only who has them.
WEIGHED = 1 << 63


def lexeme(prefix: str, token: str) -> str:
    """The token under its prefix; one that is too long is known by its hash."""
    whole = prefix + token
    if len(whole) * _MOST_BYTES_OF_A_CHARACTER <= LONGEST_LEXEME:
        return whole
    if len(whole.encode()) <= LONGEST_LEXEME:
        return whole
    return f"{prefix}#{sha256(token.encode()).hexdigest()[:32]}"


def list_number(prefix: str, token: str) -> int:
    """The same in every process; the highest bit says whether the list has weights."""
    digest = blake2b(lexeme(prefix, token).encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "little") & ~WEIGHED
    return number | WEIGHED if prefix in (TERM, WORD) else number
