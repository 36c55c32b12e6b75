"""Sign-in codes for browsers: single-use, short-lived, signed with the installation's key.

Whoever can read that key can act for the person at this machine anyway.
"""

from __future__ import annotations

import hashlib
import hmac
import re

LINK_SECONDS = 600
_PURPOSE = b"commonplace link\0"
_FORM = re.compile(r"(\d{1,12})\.([0-9a-f]{32})\.([0-9a-f]{64})", re.ASCII)


def link_code(key: bytes, nonce: bytes, now: float) -> str:
    told = f"{int(now) + LINK_SECONDS}.{nonce.hex()}"
    return f"{told}.{_signature(key, told)}"


def nonce_of(key: bytes, code: str, now: float) -> str | None:
    """The nonce that identifies the code, if the code has a valid signature and has not expired."""
    match = _FORM.fullmatch(code)
    if match is None or int(match[1]) <= now:
        return None
    signed = hmac.compare_digest(_signature(key, f"{match[1]}.{match[2]}"), match[3])
    return match[2] if signed else None


def _signature(key: bytes, told: str) -> str:
    return hmac.new(key, _PURPOSE + told.encode(), hashlib.sha256).hexdigest()
