"""The local account behind a loopback connection: asked of the kernel, or read from its table.

Only Linux tells. Elsewhere, no caller counts as the server's own account.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from starlette.types import Scope

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
# Only established sockets: a closed one is listed with account 0, whoever owned it.
_ESTABLISHED = "01"
# Of sock_diag(7): the protocol and message, a request for a socket, and what is read of an answer.
_SOCK_DIAG, _BY_FAMILY, _REQUEST = 4, 20, 1
_HEADER = struct.Struct("=IHHII")
_QUESTION = struct.Struct("=BBBBI2s2s16s16sIII")
_FOUND = struct.Struct("=xB62xI")
_ANY = 0xFFFFFFFF
_ANSWER_SECONDS = 1.0

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
    """The account of the client's socket; None if there is none.

    The kernel finds one socket at once, but not every kernel answers. The table of all sockets
    takes milliseconds to read.
    """
    found = asked_account(client, server)
    return listed_account(client, server) if found is None else found


def asked_account(client: End, server: End) -> int | None:
    """The account of an established socket, if the kernel answers questions about sockets."""
    if sys.platform != "linux":
        return None
    family = socket.AF_INET if client[0].version == 4 else socket.AF_INET6
    ports = [end[1].to_bytes(2, "big") for end in (client, server)]
    addresses = [end[0].packed for end in (client, server)]
    states = 1 << int(_ESTABLISHED)
    asked = _QUESTION.pack(
        family, socket.IPPROTO_TCP, 0, 0, states, *ports, *addresses, 0, _ANY, _ANY
    )
    header = _HEADER.pack(_HEADER.size + len(asked), _BY_FAMILY, _REQUEST, 0, 0)
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
            kernel.settimeout(_ANSWER_SECONDS)
            kernel.send(header + asked)
            answer = kernel.recv(4096)
    except OSError:
        return None
    if len(answer) < _HEADER.size + _FOUND.size or _HEADER.unpack_from(answer)[1] != _BY_FAMILY:
        return None
    state, account = _FOUND.unpack_from(answer, _HEADER.size)
    return int(account) if state == int(_ESTABLISHED) else None


def listed_account(client: End, server: End) -> int | None:
    """The account of an established socket, from the table of all sockets."""
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
