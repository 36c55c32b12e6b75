"""Names the tokens in text indexes, and numbers the posting lists."""

from __future__ import annotations

from hashlib import blake2b, sha256

TERM, WORD, GRAM, SCOPE = "", "=", "~", "@"

LONGEST_LEXEME = 255
_MOST_BYTES_OF_A_CHARACTER = 4
# Lists of terms and words have weights; those of grams and scopes only say which chunks have them.
WEIGHED = 1 << 63


def lexeme(prefix: str, token: str) -> str:
    """The token with its prefix; a hash stands for one that is too long."""
    whole = prefix + token
    if len(whole) * _MOST_BYTES_OF_A_CHARACTER <= LONGEST_LEXEME:
        return whole
    if len(whole.encode()) <= LONGEST_LEXEME:
        return whole
    return f"{prefix}#{sha256(token.encode()).hexdigest()[:32]}"


def list_number(prefix: str, token: str) -> int:
    """The number of a token's list, stable across processes; the top bit: it has weights."""
    digest = blake2b(lexeme(prefix, token).encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "little") & ~WEIGHED
    return number | WEIGHED if prefix in (TERM, WORD) else number
