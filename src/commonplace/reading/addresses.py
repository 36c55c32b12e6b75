"""Which addresses may be fetched: the open web, and what the operator names; nothing else.

A name is resolved once, every address of it is judged, and the connection goes to a judged one.
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
# What the IANA registries of special addresses set apart, and Python's tables before 3.13 do not;
# of the blocks for protocols all of it, because no page is served from there.
_SET_APART = tuple(map(ip_network, (
    "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24",
    "2001::/23", "2620:4f:8000::/48", "3fff::/20",
)))  # fmt: skip
_GIVEN_OUT = IPv6Network("2000::/3")  # all that there is of the public IPv6 so far
# Addresses that carry an IPv4 address to which a gateway may send what is sent to them.
_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))


@dataclass(frozen=True, slots=True)
class Destination:
    """A judged URL: what to ask for, and the one address to ask."""

    url: SplitResult
    host: str
    port: int
    address: str


class AddressGuard:
    """`allowed` are host names, addresses and networks that may be fetched though not public."""

    def __init__(self, allowed: Sequence[str] = ()) -> None:
        self._names = {name.lower().strip(".") for name in allowed if not _is_network(name)}
        self._networks = [ip_network(name, strict=False) for name in allowed if _is_network(name)]

    def judge(self, url: str) -> Destination:
        split, host, port = _taken_apart(url)
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
        return all(_is_public(inner) for inner in (address, *_carried(address)))


def _taken_apart(url: str) -> tuple[SplitResult, str, int]:
    try:
        split = urlsplit(url.strip())
        port = split.port or _PORTS.get(split.scheme, 0)
    except ValueError:
        raise AddressRefused("The URL cannot be understood.") from None
    if split.scheme not in _PORTS:
        raise AddressRefused("Only http and https URLs may be fetched.")
    host = _ascii((split.hostname or "").strip(".").lower())
    if not host or split.username is not None or split.password is not None:
        raise AddressRefused("The URL must name a host, and no user or password.")
    return split, host, port


def _resolved(host: str, port: int) -> list[Address]:
    """Resolves as the system would: also what is written in decimal, octal or hexadecimal."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SourceUnreachable(f"The host {host} cannot be found.") from None
    return [ip_address(str(entry[4][0]).split("%")[0]) for entry in found]


def _ascii(host: str) -> str:
    """A host name as it is looked up; one that cannot be is no name."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def _is_public(address: Address) -> bool:
    if any(address in network for network in _SET_APART):
        return False
    if isinstance(address, IPv6Address) and address not in _GIVEN_OUT:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _carried(address: Address) -> Iterator[Address]:
    """IPv4 addresses inside an IPv6 one, wherever a gateway would look for them."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped:
        yield address.ipv4_mapped
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if any(address in network for network in _TRANSLATED):
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _is_network(name: str) -> bool:
    try:
        ip_network(name, strict=False)
    except ValueError:
        return False
    return True
