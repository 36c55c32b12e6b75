"""Who must show a token, where browsers come in, and what `serve` says about it at its start."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from commonplace.errors import InvalidArgument
from commonplace.server.challenges import Challenger
from commonplace.server.guard import is_loopback
from commonplace.server.sessions import LinkSessions
from commonplace.settings import Settings, names_of

METADATA_PATH = "/.well-known/oauth-protected-resource"
_ANY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on


@dataclass(frozen=True, slots=True)
class Entrance:
    """`links` are given out where the person at this machine is the only one who calls."""

    hosts: tuple[str, ...]
    links: LinkSessions | None
    challenger: Challenger
    secure: bool
    cookie: str
    metrics_open: bool = False

    @property
    def local(self) -> bool:
        """Whether MCP and JSON-RPC are open to this machine until a first token is made."""
        return self.links is not None

    def described(self) -> str:
        if self.local:
            return (
                "this machine may call /mcp and /rpc without a token until one is made; "
                "/api and / need a token or the link"
            )
        return "every call needs a token"


def entrance_of(settings: Settings, host: str, port: int) -> Entrance:
    public = urlsplit(settings.public_url or "")
    named = [*names_of(settings.hosts), *([public.hostname] if public.hostname else [])]
    beyond = not is_loopback(host)
    if beyond and host in _ANY_ADDRESS and not named:
        raise InvalidArgument(
            "Set COMMONPLACE_PUBLIC_URL or COMMONPLACE_HOSTS to what clients call this server, "
            "or listen on this machine only with --host 127.0.0.1.",
            field="host",
        )
    hosts = [*named, host] if beyond and host not in _ANY_ADDRESS else named
    alone = not (beyond or named or settings.database_url or settings.oauth_issuer)
    secure = public.scheme == "https"
    return Entrance(
        hosts=tuple(hosts),
        links=LinkSessions() if alone else None,
        challenger=Challenger(_metadata_address(settings) if settings.oauth_issuer else None),
        secure=secure,
        cookie="__Host-commonplace" if secure else f"commonplace-{port}",
        metrics_open=settings.metrics_open,
    )


def _metadata_address(settings: Settings) -> str:
    """RFC 9728 puts the well-known part between the host and the resource's path."""
    resource = urlsplit(settings.resource)
    return f"{resource.scheme}://{resource.netloc}{METADATA_PATH}{resource.path}"
