"""Secrets that somebody could guess: placeholders, and too little that differs."""

from __future__ import annotations

# Of 32 random hexadecimal digits fewer are different once in a million times.
_FEWEST_LETTERS = 8
_PLACEHOLDERS = ("changeme", "replaceme", "placeholder", "example", "yourkey", "yoursecret")


def weakness(secret: str) -> str | None:
    """Why a key could be guessed; None where nothing speaks against it."""
    if len(set(secret)) < _FEWEST_LETTERS:
        return f"must have {_FEWEST_LETTERS} different characters or more; make one at random"
    if is_placeholder(secret):
        return "is a placeholder; make one at random"
    if secret in (secret + secret)[1:-1]:
        return "repeats itself; make one at random"
    return None


def is_placeholder(secret: str) -> bool:
    """Whether it is a word of an example that nobody has replaced."""
    plain = "".join(filter(str.isalnum, secret)).lower()
    return any(word in plain for word in _PLACEHOLDERS)
