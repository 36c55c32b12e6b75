"""Fetches pages over HTTP: checks each redirect, connects to the checked address, limits size and
time."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlunsplit

from commonplace import __version__
from commonplace.errors import AddressRefused, SourceTooLarge, SourceUnreachable
from commonplace.reading.addresses import AddressGuard, Destination
from commonplace.reading.port import Fetched, Original, Validators
from commonplace.reading.robots import AGENT, permits
from commonplace.reading.unpacking import ACCEPTED_ENCODINGS, unpacking_of

if TYPE_CHECKING:
    import httpx

USER_AGENT = f"{AGENT}/{__version__} (knowledge server; reads pages that its users add)"
_MOST_REDIRECTS = 5
_OK, _NOT_MODIFIED = 200, 304
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_ROBOTS_BYTES = 500_000
_SLOWEST_PIECE_SECONDS = 10.0
_TOO_SLOW = "The address takes too long to answer."
_CONNECTED = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})
_ACCEPTED = (
    "text/html,application/xhtml+xml,application/pdf,text/markdown,text/plain;q=0.9,*/*;q=0.5"
)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits for a page, including all its redirects."""

    size: int = 50_000_000
    seconds: float = 30.0
    obey_robots: bool = True


class HttpFetcher:
    """Implements port.Fetcher."""

    def __init__(self, guard: AddressGuard, limits: FetchLimits) -> None:
        self._guard = guard
        self._limits = limits

    def fetch(self, url: str, known: Validators) -> Fetched:
        import httpx

        deadline = time.monotonic() + self._limits.seconds
        with httpx.Client(trust_env=False, verify=_trust()) as client:
            if self._limits.obey_robots:
                self._ask_robots(client, url, deadline)
            return self._follow(client, url, _conditions(known), deadline)

    def _follow(
        self, client: httpx.Client, url: str, headers: dict[str, str], deadline: float
    ) -> Fetched:
        for _ in range(_MOST_REDIRECTS + 1):
            destination = self._guard.judge(url)
            with _response(client, destination, headers, deadline) as response:
                if response.status_code in _REDIRECTS and "location" in response.headers:
                    url = urljoin(url, response.headers["location"])
                    continue
                return self._fetched(url, response, deadline)
        raise SourceUnreachable(f"The address redirects more than {_MOST_REDIRECTS} times.")

    def _fetched(self, url: str, response: httpx.Response, deadline: float) -> Fetched:
        validators = Validators(
            response.headers.get("etag", ""), response.headers.get("last-modified", "")
        )
        if response.status_code == _NOT_MODIFIED:
            return Fetched(None, validators)
        if not response.is_success:
            raise SourceUnreachable(f"The address answered {response.status_code}.")
        data = _body(response, self._limits.size, deadline)
        media_type = response.headers.get("content-type", "")
        return Fetched(Original(data, url, media_type), validators)

    def _ask_robots(self, client: httpx.Client, url: str, deadline: float) -> None:
        try:
            destination = self._guard.judge(urljoin(url, "/robots.txt"))
            with _response(client, destination, {}, deadline) as response:
                found = response.status_code == _OK
                robots = _body(response, _MOST_ROBOTS_BYTES, deadline) if found else b""
        except (SourceUnreachable, SourceTooLarge):
            # Fetching the page itself will report the problem.
            return
        if not permits(robots.decode("utf-8", "replace"), url):
            raise AddressRefused("The site's robots.txt asks not to fetch this page.")


@cache
def _trust() -> ssl.SSLContext:
    """The system's certificates, loaded once per process, as that takes longer than most pages."""
    return ssl.create_default_context()


def _conditions(known: Validators) -> dict[str, str]:
    headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in headers.items() if value}


@contextmanager
def _response(
    client: httpx.Client, destination: Destination, headers: dict[str, str], deadline: float
) -> Iterator[httpx.Response]:
    """Request the checked address; Host and TLS use the host name from the URL."""
    import httpx

    split = destination.url
    address = f"[{destination.address}]" if ":" in destination.address else destination.address
    url = urlunsplit(
        (split.scheme, f"{address}:{destination.port}", split.path or "/", split.query, "")
    )
    host = f"[{destination.host}]" if ":" in destination.host else destination.host
    port = f":{split.port}" if split.port else ""
    named = {
        "Host": f"{host}{port}",
        "User-Agent": USER_AGENT,
        "Accept": _ACCEPTED,
        "Accept-Encoding": ACCEPTED_ENCODINGS,
    }
    seconds = min(_SLOWEST_PIECE_SECONDS, _left(deadline))
    cutoff = _Cutoff(deadline)
    request = client.build_request(
        "GET",
        url,
        headers={**named, **headers},
        timeout=seconds,
        extensions={"sni_hostname": destination.host, "trace": cutoff.follow},
    )
    with cutoff:
        try:
            response = client.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SourceUnreachable(_why(error, deadline)) from None
        try:
            yield response
        finally:
            response.close()


class _Cutoff:
    """Shuts down the connection at the deadline, whatever it is waiting for.

    Timeouts per read do not limit the whole: headers may arrive letter by letter.
    """

    def __init__(self, deadline: float) -> None:
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(_left(deadline), self._shut)
        self._timer.daemon = True

    def follow(self, event: str, info: Mapping[str, Any]) -> None:
        """Called by the HTTP library for each of its steps."""
        if event in _CONNECTED:
            self._socket = info["return_value"].get_extra_info("socket")

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()


def _body(response: httpx.Response, most: int, deadline: float) -> bytes:
    import httpx

    if int(response.headers.get("content-length") or 0) > most:
        raise SourceTooLarge(f"The page has more than {most:,} bytes.")
    unpacking = unpacking_of(response.headers.get("content-encoding", ""))
    pieces, came, size = [], 0, 0
    try:
        for packed in response.iter_raw():
            came += len(packed)
            for piece in unpacking.portions(packed):
                size += len(piece)
                if size > most:
                    break
                _left(deadline)
                pieces.append(piece)
            # Compressed data may be large but unpack to nothing.
            if max(came, size) > most:
                raise SourceTooLarge(f"The page has more than {most:,} bytes.")
            _left(deadline)
    except httpx.HTTPError as error:
        raise SourceUnreachable(_why(error, deadline)) from None
    # A connection that was shut down looks like the end of a page without a declared length.
    _left(deadline)
    unpacking.finish()
    return b"".join(pieces)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise SourceUnreachable(_TOO_SLOW)
    return left


def _why(error: Exception, deadline: float) -> str:
    import httpx

    if isinstance(error, httpx.TimeoutException) or time.monotonic() >= deadline:
        return _TOO_SLOW
    if isinstance(error, httpx.ConnectError):
        return "The address does not answer."
    return "The address does not respond with valid HTTP."
