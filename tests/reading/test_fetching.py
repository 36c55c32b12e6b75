"""Fetching: which addresses are refused in which form, and how pages are asked for."""

from __future__ import annotations

import gzip
import socket
import threading
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from commonplace.errors import AddressRefused, SourceTooLarge, SourceUnreachable
from commonplace.reading.addresses import AddressGuard
from commonplace.reading.fetching import USER_AGENT, FetchLimits, HttpFetcher
from commonplace.reading.port import Fetched, Validators
from tests.surfaces.documents.website import Website, website

REFUSED = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://017700000001/",
    "http://0/",
    "http://0.0.0.0/",
    "http://localhost/",
    "http://localhost./",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://100.64.0.1/",
    "http://192.0.0.1/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://192.0.0.8/",
    "http://192.0.0.192/opc/v1/instance/",
    "http://192.0.0.255/",
    "http://192.31.196.1/",
    "http://192.52.193.1/",
    "http://192.88.99.1/",
    "http://192.175.48.1/",
    "http://[fec0::1]/",
    "http://[3fff::1]/",
    "http://[3fff:fff:ffff::1]/",
    "http://[100::1]/",
    "http://[100:0:0:1::1]/",
    "http://[2001:1::1]/",
    "http://[2001:2::1]/",
    "http://[2001:10::1]/",
    "http://[2001:20::1]/",
    "http://[2001:db8::1]/",
    "http://[2620:4f:8000::1]/",
    "http://[4000::1]/",
    "http://[5f00::1]/",
    "http://[64:ff9b:1::8.8.8.8]/",
    "http://user@93.184.215.14/",
    "http://user:password@93.184.215.14/",
    "file:///etc/passwd",
    "ftp://93.184.215.14/",
    "gopher://93.184.215.14/",
    "javascript:alert(1)",
    "http:///path",
    "http://93.184.215.14:99999/",
    "//93.184.215.14/",
    "",
]


@pytest.fixture
def site() -> Iterator[Website]:
    with website() as running:
        yield running


def fetch(url: str, allowed: str = "127.0.0.1", **limits: Any) -> Fetched:
    known = limits.pop("known", Validators())
    fetcher = HttpFetcher(AddressGuard([allowed] if allowed else []), FetchLimits(**limits))
    return fetcher.fetch(url, known)


def text(fetched: Fetched) -> bytes:
    assert fetched.original is not None
    return fetched.original.data


@pytest.mark.parametrize("url", REFUSED)
def test_an_address_that_is_not_public_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        fetch(url, allowed="")


def test_a_refusal_says_what_would_allow_it() -> None:
    with pytest.raises(AddressRefused, match="COMMONPLACE_FETCH_ALLOW"):
        fetch("http://192.0.0.192/", allowed="")


@pytest.mark.parametrize(
    "url",
    [
        "http://93.184.215.14/",
        "http://192.0.1.1/",
        "https://[2606:2800:21f::1]:8443/a",
        "http://[2001:4860:4860::8888]/",
        "http://[3ffe::1]/",
    ],
)
def test_a_public_address_is_judged_open(url: str) -> None:
    assert AddressGuard().judge(url).address in url


def test_a_name_that_leads_inside_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every address of a name is judged, and the judged one is connected to."""

    def resolved(_host: str, port: int, **_: object) -> list[Any]:
        kind = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
        return [(*kind, ("93.184.215.14", port)), (*kind, ("10.0.0.5", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with pytest.raises(AddressRefused, match=r"inner\.example"):
        AddressGuard().judge("http://inner.example/")
    assert AddressGuard(["10.0.0.0/8"]).judge("http://inner.example/").address == "93.184.215.14"
    assert AddressGuard(["inner.example"]).judge("http://INNER.example./").host == "inner.example"


def test_the_judged_address_is_the_one_asked(
    site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere the second time it is asked for gains nothing by it."""
    answers = iter(["127.0.0.1", "127.0.0.1", "10.0.0.5", "10.0.0.5"])
    original = socket.getaddrinfo

    def rebinding(host: str, *asked: Any, **more: Any) -> Any:
        return original(next(answers) if host == "moving.example" else host, *asked, **more)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    port = site.address.rsplit(":", 1)[1]
    site.put("/a", "here")
    assert text(fetch(f"http://moving.example:{port}/a")) == b"here"
    assert site.asked[-1][1]["host"] == f"moving.example:{port}"
    with pytest.raises(AddressRefused):
        fetch(f"http://moving.example:{port}/a")


def test_names_in_other_scripts_are_asked_for_as_dns_knows_them(
    site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = socket.getaddrinfo

    def known(host: str, *asked: Any, **more: Any) -> Any:
        here = host == "xn--mnchen-3ya.example"
        return original("127.0.0.1" if here else host, *asked, **more)

    monkeypatch.setattr(socket, "getaddrinfo", known)
    port = site.address.rsplit(":", 1)[1]
    site.put("/%C3%BC", "here")
    assert text(fetch(f"http://MÜNCHEN.example:{port}/ü")) == b"here"
    assert site.asked[-1][1]["host"] == f"xn--mnchen-3ya.example:{port}"


@pytest.mark.parametrize("target", ["http://10.0.0.5/", "http://[::1]/", "file:///etc/passwd"])
def test_a_redirect_leads_nowhere_that_is_refused(site: Website, target: str) -> None:
    url = site.put("/a", "", status=302, headers={"Location": target})
    with pytest.raises(AddressRefused):
        fetch(url)


def test_redirects_are_followed_but_not_for_ever(site: Website) -> None:
    site.put("/new/page", "<p>here</p>")
    url = site.put("/old", "", status=301, headers={"Location": "new/page"})
    found = fetch(url).original
    assert found is not None
    assert (found.data, found.name) == (b"<p>here</p>", f"{site.address}/new/page")
    loop = site.put("/loop", "", status=307, headers={"Location": "/loop"})
    with pytest.raises(SourceUnreachable, match="redirects more than 5"):
        fetch(loop)


def test_a_page_is_asked_for_by_name_and_only_when_it_is_new(site: Website) -> None:
    url = site.put("/a", "text", headers={"ETag": '"1"', "Last-Modified": "Mon, 01 Jan 2024"})
    first = fetch(url)
    assert first.validators == Validators('"1"', "Mon, 01 Jan 2024")
    again = fetch(url, known=first.validators)
    assert again.original is None
    headers = site.asked[-1][1]
    assert headers["user-agent"] == USER_AGENT
    assert USER_AGENT.startswith("Commonplace/")
    assert headers["if-modified-since"] == "Mon, 01 Jan 2024"
    assert headers["host"] == site.address.removeprefix("http://")


def test_a_page_may_not_be_too_large(site: Website) -> None:
    for body, headers in ((b"x" * 2000, {}), (gzip.compress(bytes(10**6)), GZIP)):
        url = site.put("/a", body, headers=headers)
        with pytest.raises(SourceTooLarge):
            fetch(url, size=1000)


GZIP = {"Content-Encoding": "gzip"}
PAGE = b"<p>" + b"some words " * 20_000
BARE = zlib.compressobj(wbits=-zlib.MAX_WBITS)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("identity", PAGE),
        ("gzip", gzip.compress(PAGE)),
        ("X-GZIP", gzip.compress(PAGE)),
        ("gzip", gzip.compress(PAGE[:1000]) + gzip.compress(PAGE[1000:])),
        ("gzip", gzip.compress(PAGE) + b"\0\0 not a member"),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", BARE.compress(PAGE) + BARE.flush()),
    ],
)
def test_a_packed_page_is_unpacked(site: Website, encoding: str, body: bytes) -> None:
    url = site.put("/a", body, headers={"Content-Encoding": encoding})
    assert text(fetch(url)) == PAGE
    assert site.asked[-1][1]["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip, gzip", gzip.compress(gzip.compress(PAGE))),
        ("br", b"\x0b\x02\x80abc\x03"),
        ("zstd", b"\x28\xb5\x2f\xfd"),
        ("gzip", PAGE),
        ("gzip", gzip.compress(PAGE)[:-20]),
        ("deflate", PAGE),
    ],
    ids=["twice", "br", "zstd", "not-packed", "cut-short", "not-deflated"],
)
def test_a_page_packed_otherwise_is_refused(site: Website, encoding: str, body: bytes) -> None:
    with pytest.raises(SourceUnreachable, match="compress"):
        fetch(site.put("/a", body, headers={"Content-Encoding": encoding}))


def test_size_is_counted_while_unpacking(site: Website) -> None:
    """A bomb is never held whole: 300 MB in 300 KB of which 1 MB may be taken."""
    packing = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
    bomb = b"".join([*(packing.compress(bytes(10**6)) for _ in range(300)), packing.flush()])
    url = site.put("/a", bomb, headers=GZIP)
    fetch(site.put("/b", gzip.compress(b"first"), headers=GZIP))
    tracemalloc.start()
    try:
        with pytest.raises(SourceTooLarge):
            fetch(url, size=1_000_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_what_unpacks_to_nothing_is_counted_too() -> None:
    """Without a length in its head, as a server may send it that means harm."""
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    with answering(head + gzip.compress(b"") * 10_000) as url, pytest.raises(SourceTooLarge):
        fetch(url, size=1000, obey_robots=False)


@contextmanager
def answering(answer: bytes, at_once: int = 1 << 16) -> Iterator[str]:
    """A server for one request, which sends so many bytes at once and waits a little."""
    gone = threading.Event()

    def serve() -> None:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            connection.recv(10_000)
            for start in range(0, len(answer), at_once):
                connection.sendall(answer[start : start + at_once])
                if gone.wait(0.05):
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        finally:
            gone.set()
            thread.join()


@pytest.mark.parametrize("head", ["HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n"])
def test_a_page_that_comes_letter_by_letter_is_not_waited_for(head: str) -> None:
    answer = head.encode() + b"a" * 5_000
    with answering(answer, 1) as url, pytest.raises(SourceUnreachable, match="too long"):
        fetch(url, seconds=1.5, obey_robots=False)


def test_a_page_may_not_take_too_long(site: Website) -> None:
    site.gate.clear()
    with pytest.raises(SourceUnreachable, match="too long"):
        fetch(site.put("/a", "text"), seconds=0.3)


@pytest.mark.parametrize(("status", "shown"), [(404, "404"), (500, "500"), (403, "403")])
def test_an_error_is_told_by_its_number(site: Website, status: int, shown: str) -> None:
    with pytest.raises(SourceUnreachable, match=shown):
        fetch(site.put("/a", "no", status=status))


def test_a_host_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceUnreachable, match="cannot be found"):
        fetch("http://nowhere.invalid/")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(SourceUnreachable, match="does not answer"):
            fetch(f"http://127.0.0.1:{free.getsockname()[1]}/")


def test_robots_are_obeyed_unless_told_otherwise(site: Website) -> None:
    url = site.put("/private/a", "text")
    site.put("/robots.txt", "User-agent: *\nDisallow: /private\n", media_type="text/plain")
    with pytest.raises(AddressRefused, match=r"robots\.txt"):
        fetch(url)
    assert site.paths() == ["/robots.txt"]
    assert text(fetch(url, obey_robots=False)) == b"text"
    site.put("/robots.txt", "User-agent: Commonplace\nAllow: /\n\nUser-agent: *\nDisallow: /\n")
    assert text(fetch(url)) == b"text"
    site.put("/robots.txt", "", status=500)
    assert text(fetch(url)) == b"text"
