"""Codes that let a browser in once: signed with the installation's key, and soon past.

Whoever can read the key acts for the person at this machine anyway.
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
    """What tells the code from others, if it was signed with this key and is not past."""
    match = _FORM.fullmatch(code)
    if match is None or int(match[1]) <= now:
        return None
    signed = hmac.compare_digest(_signature(key, f"{match[1]}.{match[2]}"), match[3])
    return match[2] if signed else None


def _signature(key: bytes, told: str) -> str:
    return hmac.new(key, _PURPOSE + told.encode(), hashlib.sha256).hexdigest()
