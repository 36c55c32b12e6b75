"""Detects secrets that could be guessed: placeholders, and too little variety."""

from __future__ import annotations

# Of 32 random hexadecimal digits, one sample in a million has fewer distinct ones.
_FEWEST_LETTERS = 8
_PLACEHOLDERS = ("changeme", "replaceme", "placeholder", "example", "yourkey", "yoursecret")


def weakness(secret: str) -> str | None:
    """Why a secret could be guessed; None if no weakness was found."""
    if len(set(secret)) < _FEWEST_LETTERS:
        return f"must have at least {_FEWEST_LETTERS} different characters; generate one at random"
    if is_placeholder(secret):
        return "is a placeholder; generate one at random"
    if secret in (secret + secret)[1:-1]:
        return "repeats itself; generate one at random"
    return None


def is_placeholder(secret: str) -> bool:
    """Whether it is an example value that nobody has replaced."""
    plain = "".join(filter(str.isalnum, secret)).lower()
    return any(word in plain for word in _PLACEHOLDERS)
