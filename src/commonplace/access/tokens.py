"""The text of a token: a prefix, 256 random bits and a checksum; and the digest that is stored.

The prefix lets scanners recognise leaked tokens. The checksum distinguishes a mistyped token from
an unknown one without a database lookup.
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
    """The token as callers send it."""
    body = _in_digits(int.from_bytes(secret, "big"), _SECRET_LETTERS)
    return PREFIX + body + _checksum(body)


def well_formed(text: str) -> bool:
    if not _FORM.fullmatch(text):
        return False
    body, checksum = text[len(PREFIX) : -_CHECKSUM_LETTERS], text[-_CHECKSUM_LETTERS:]
    return _checksum(body) == checksum


def digest_of(key: bytes, text: str) -> str:
    """The digest to store. It is keyed, so that guesses cannot be verified without the key."""
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _checksum(body: str) -> str:
    return _in_digits(zlib.crc32(body.encode()), _CHECKSUM_LETTERS)


def _in_digits(number: int, length: int) -> str:
    digits = []
    for _ in range(length):
        number, digit = divmod(number, len(_DIGITS))
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))
