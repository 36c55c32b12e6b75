"""Plain HTTP to servers of this machine, without certificates: to read them takes longer."""

from __future__ import annotations

import ssl
from typing import Any

import httpx

PATIENCE = 60.0
_TRUSTING_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def send(method: str, url: str, **given: Any) -> httpx.Response:
    return httpx.request(method, url, timeout=PATIENCE, verify=_TRUSTING_NOBODY, **given)
