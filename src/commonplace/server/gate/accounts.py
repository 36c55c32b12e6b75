"""The local account behind a loopback connection, from the kernel's table of TCP sockets.

Only Linux has such a table. Without it, no caller counts as the server's own account.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from starlette.types import Scope

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
# Only established sockets: a closed one is listed with account 0, whoever owned it.
_ESTABLISHED = "01"

Address = IPv4Address | IPv6Address
End = tuple[Address, int]


@dataclass(frozen=True, slots=True)
class Connection:
    """One line of the table: local and remote end, and the account of the local one."""

    local: End
    remote: End
    account: int


def is_own_account(scope: Scope) -> bool:
    """Whether a request's client runs under the account of this process."""
    client, server = _end(scope.get("client")), _end(scope.get("server"))
    if client is None or server is None:
        return False
    return account_of(client, server) == os.getuid()


def account_of(client: End, server: End) -> int | None:
    """The account of the client's socket; None if it is not in the table."""
    for table in _TABLES:
        try:
            lines = table.read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for found in connections(lines):
            if found.local == client and found.remote == server:
                return found.account
    return None


def connections(lines: list[str]) -> Iterator[Connection]:
    for line in lines:
        fields = line.split()
        if len(fields) > 7 and fields[3] == _ESTABLISHED:
            yield Connection(_parsed_end(fields[1]), _parsed_end(fields[2]), int(fields[7]))


def _parsed_end(text: str) -> End:
    """Parse `0100007F:1F90`: the address as 4-byte words in native byte order, then the port."""
    words, _, port = text.partition(":")
    data = b"".join(
        int(words[start : start + 8], 16).to_bytes(4, sys.byteorder)
        for start in range(0, len(words), 8)
    )
    return _plain(ip_address(data)), int(port, 16)


def _end(given: object) -> End | None:
    if not isinstance(given, list | tuple) or len(given) < 2:
        return None
    try:
        return _plain(ip_address(str(given[0]))), int(given[1])
    except ValueError:
        return None


def _plain(address: Address) -> Address:
    """The address; the IPv4 address if it is mapped into IPv6."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
