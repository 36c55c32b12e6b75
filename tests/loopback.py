"""Servers of this machine: free ports, and plain HTTP without certificates, which take longer."""

from __future__ import annotations

import socket
import ssl
from typing import Any

import httpx

PATIENCE = 60.0
_TRUSTING_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def send(method: str, url: str, **given: Any) -> httpx.Response:
    return httpx.request(method, url, timeout=PATIENCE, verify=_TRUSTING_NOBODY, **given)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
