"""Which addresses may be fetched: the public web and what the operator allows.

A host name is resolved once, all its addresses are checked, and only a checked one is connected to.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from commonplace.errors import AddressRefused, SourceUnreachable

Address = IPv4Address | IPv6Address
_PORTS = {"http": 80, "https": 443}
# Reserved by the IANA registries but not by Python's tables before 3.13. Protocol blocks are
# included entirely, because no page is served from there.
_RESERVED = tuple(map(ip_network, (
    "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24",
    "2001::/23", "2620:4f:8000::/48", "3fff::/20",
)))  # fmt: skip
_PUBLIC_IPV6 = IPv6Network("2000::/3")  # all public IPv6 so far
# Ranges whose addresses embed an IPv4 address to which a gateway may forward.
_EMBEDDING_IPV4 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))


@dataclass(frozen=True, slots=True)
class Destination:
    """A checked URL: what to request, and the one address to connect to."""

    url: SplitResult
    host: str
    port: int
    address: str


class AddressGuard:
    """Checks addresses. `allowed` has host names, addresses and networks that need not be
    public."""

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._names = {name.lower().strip(".") for name in allowed if not _is_network(name)}
        self._networks = [ip_network(name, strict=False) for name in allowed if _is_network(name)]

    def judge(self, url: str) -> Destination:
        split, host, port = _parsed(url)
        addresses = _resolved(host, port)
        if host not in self._names:
            for address in addresses:
                if not self._open(address):
                    raise AddressRefused(
                        f"{host} is not an address on the public web, and may not be fetched "
                        "(COMMONPLACE_FETCH_ALLOW)."
                    )
        return Destination(split, host, port, str(addresses[0]))

    def _open(self, address: Address) -> bool:
        if any(address in network for network in self._networks):
            return True
        return all(_is_public(inner) for inner in (address, *_embedded_ipv4(address)))


def _parsed(url: str) -> tuple[SplitResult, str, int]:
    try:
        split = urlsplit(url.strip())
        port = split.port or _PORTS.get(split.scheme, 0)
    except ValueError:
        raise AddressRefused("The URL is not valid.") from None
    if split.scheme not in _PORTS:
        raise AddressRefused("Only http and https URLs may be fetched.")
    host = _ascii((split.hostname or "").strip(".").lower())
    if not host or split.username is not None or split.password is not None:
        raise AddressRefused("The URL must name a host, without user or password.")
    return split, host, port


def _resolved(host: str, port: int) -> list[Address]:
    """Resolve as the operating system does, which also accepts decimal, octal and hexadecimal
    forms."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SourceUnreachable(f"The host {host} cannot be found.") from None
    return [ip_address(str(entry[4][0]).split("%")[0]) for entry in found]


def _ascii(host: str) -> str:
    """The host name in the form to look up; empty if it has none."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def _is_public(address: Address) -> bool:
    if any(address in network for network in _RESERVED):
        return False
    if isinstance(address, IPv6Address) and address not in _PUBLIC_IPV6:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _embedded_ipv4(address: Address) -> Iterator[Address]:
    """IPv4 addresses embedded in an IPv6 address, in all the places where gateways look."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped:
        yield address.ipv4_mapped
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if any(address in network for network in _EMBEDDING_IPV4):
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _is_network(name: str) -> bool:
    try:
        ip_network(name, strict=False)
    except ValueError:
        return False
    return True
