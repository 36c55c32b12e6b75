"""Checks the Host and Origin headers of every request, against DNS rebinding.

Without it, a web page could reach a server on loopback through its visitor's browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from commonplace.console.html import refusal

_ADDRESS = re.compile(r"(?P<name>\[[^\[\]@/]+\]|[^\[\]@/:]+)(:\d{1,5})?")


class HostGuard:
    """Refuses requests whose Host or Origin is neither this machine nor a configured host."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (problem := self._problem(Headers(scope=scope))):
            status, message = problem
            await refusal(scope, status, {"error": message}, message)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _problem(self, headers: Headers) -> tuple[int, str] | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._ours(hosts[0]):
            return 421, "This server does not answer for that host."
        pages = [origin.partition("://")[2] for origin in headers.getlist("origin")]
        if not all(map(self._ours, pages)):
            return 403, "Requests from that origin are refused."
        return None

    def _ours(self, address: str) -> bool:
        name = host_name(address)
        return is_loopback(name) or name in self._hosts


def host_name(address: str) -> str:
    """The host of `host[:port]`, lower-cased, without brackets; empty for anything else."""
    match = _ADDRESS.fullmatch(address)
    return match["name"].strip("[]").lower() if match else ""


def is_loopback(host: str) -> bool:
    """Whether a name or address can only mean this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
