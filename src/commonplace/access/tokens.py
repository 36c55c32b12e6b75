"""How a token is written, and by what it is known: a prefix, 256 random bits, a checksum.

The prefix tells scanners for leaked secrets what they found; the checksum tells a mistyped token
from an unknown one without asking the database.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import string
import zlib

PREFIX = "commonplace_"
SECRET_BYTES = 32
_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_SECRET_LETTERS, _CHECKSUM_LETTERS = 43, 6
_FORM = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{_SECRET_LETTERS + _CHECKSUM_LETTERS}}}", re.ASCII)


def spelled(secret: bytes) -> str:
    """The token that a caller shows."""
    body = _in_digits(int.from_bytes(secret, "big"), _SECRET_LETTERS)
    return PREFIX + body + _checksum(body)


def well_formed(shown: str) -> bool:
    if not _FORM.fullmatch(shown):
        return False
    body, checksum = shown[len(PREFIX) : -_CHECKSUM_LETTERS], shown[-_CHECKSUM_LETTERS:]
    return _checksum(body) == checksum


def digest_of(key: bytes, shown: str) -> str:
    """What is stored. Without the key nobody can tell whether a guess is right."""
    return hmac.new(key, shown.encode(), hashlib.sha256).hexdigest()


def _checksum(body: str) -> str:
    return _in_digits(zlib.crc32(body.encode()), _CHECKSUM_LETTERS)


def _in_digits(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(_DIGITS))
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))
