"""The access policy of a server: who needs a token, which hosts it answers for, login links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from starlette.types import Scope

from commonplace.errors import InvalidArgument
from commonplace.server.gate.accounts import is_own_account
from commonplace.server.gate.browser_sessions import LinkSessions
from commonplace.server.gate.challenges import Challenger
from commonplace.server.gate.guard import is_loopback
from commonplace.settings import Settings, names_of

METADATA_PATH = "/.well-known/oauth-protected-resource"
LocalAccess = Literal["until-token", "always", "never", "machine"]
_LOCALLY: Mapping[LocalAccess, str] = {
    "until-token": "programs of this account need no token at /mcp and /rpc until one is created",
    "always": "programs of this account need no token at /mcp and /rpc",
    "machine": "programs of this machine need no token at /mcp and /rpc until one is created",
    "never": "/mcp and /rpc need a token",
}
_ANY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Who may call. `links` exist only if the server serves nobody but this machine's user."""

    hosts: tuple[str, ...]
    links: LinkSessions | None
    challenger: Challenger
    secure: bool
    cookie: str
    metrics_open: bool = False
    access: LocalAccess = "until-token"
    is_own_account: Callable[[Scope], bool] = is_own_account

    @property
    def local(self) -> bool:
        """Whether this machine's user may call MCP and JSON-RPC without a token."""
        return self.links is not None and self.access != "never"

    def summary(self) -> str:
        if not self.links:
            return "every call needs a token"
        return f"{_LOCALLY[self.access]}; /api and the console need a token or a login link"


def access_policy(settings: Settings, host: str, port: int) -> AccessPolicy:
    public = urlsplit(settings.public_url or "")
    named = [*names_of(settings.hosts), *([public.hostname] if public.hostname else [])]
    beyond = not is_loopback(host)
    if beyond and host in _ANY_ADDRESS and not named:
        raise InvalidArgument(
            "Set COMMONPLACE_PUBLIC_URL or COMMONPLACE_HOSTS to the name that clients use for this "
            "server, or listen on this machine only, with --host 127.0.0.1.",
            field="host",
        )
    hosts = [*named, host] if beyond and host not in _ANY_ADDRESS else named
    alone = not (beyond or named or settings.database_url or settings.oauth_issuer)
    secure = public.scheme == "https"
    return AccessPolicy(
        hosts=tuple(hosts),
        links=LinkSessions() if alone else None,
        challenger=Challenger(_metadata_address(settings) if settings.oauth_issuer else None),
        secure=secure,
        cookie="__Host-commonplace" if secure else f"commonplace-{port}",
        metrics_open=settings.metrics_open,
        access=settings.local_access,
    )


def _metadata_address(settings: Settings) -> str:
    """The address of the metadata: the well-known part between host and path, as in RFC 9728."""
    resource = urlsplit(settings.resource)
    return f"{resource.scheme}://{resource.netloc}{METADATA_PATH}{resource.path}"
