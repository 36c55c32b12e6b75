"""Which Host and Origin the server answers to, on every route, and where it may listen."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
import pytest

from commonplace.server.gate.guard import host_name, is_loopback
from tests.cli.commands import environment, run_process
from tests.forked import ForkedModule
from tests.loopback import send
from tests.transports.serving import PATIENCE, PRODUCT, Served, announced_port, settings_of

ROUTES = ["/", "/healthz", "/readyz", "/metrics", "/mcp", "/nothing-here"]
EVIL = [
    "evil.example",
    "evil.example:8765",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "[::1].evil.example",
    "localhost@evil.example",
    "localhost:80@evil.example",
    "evil.example#localhost",
    "10.0.0.1",
    "0.0.0.0",
    "[::]",
    "[fe80::1]",
    "localhost:port",
    "[::1",
    "",
]
LOCAL = ["localhost", "LOCALHOST:1", "localhost:65535", "127.0.0.1", "127.0.0.1:9", "[::1]:8765"]


def request(server: Served, route: str, **headers: str) -> httpx.Response:
    method = "POST" if route == "/mcp" else "GET"
    url = server.origin + route
    return send(method, url, headers=headers, content=b"{")


@pytest.mark.parametrize("route", ROUTES)
def test_no_answer_names_the_server_software(product: Served, route: str) -> None:
    for host in (f"localhost:{product.port}", EVIL[0]):
        assert "server" not in request(product, route, host=host).headers


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("host", EVIL)
def test_other_hosts_are_refused_on_every_route(product: Served, route: str, host: str) -> None:
    answer = request(product, route, host=host)
    assert answer.status_code == 421
    assert answer.json() == {"error": "This server does not answer for that host."}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("host", [*EVIL, "null"])
def test_pages_of_other_hosts_are_refused_on_every_route(
    product: Served, route: str, host: str
) -> None:
    answer = request(product, route, origin=host if host == "null" else f"https://{host}")
    assert answer.status_code == 403
    assert answer.json() == {"error": "Requests from that origin are refused."}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("host", LOCAL)
def test_this_machine_is_answered_under_each_name_and_port(
    product: Served, route: str, host: str
) -> None:
    answer = request(product, route, host=host, origin=f"http://{host}")
    closed = {"/mcp": (400, 406), "/": (401,), "/nothing-here": (404,)}
    assert answer.status_code in closed.get(route, (200,))


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "lines", [["HTTP/1.0"], ["HTTP/1.1"], ["HTTP/1.1", "Host: localhost", "Host: evil.example"]]
)
def test_a_request_names_exactly_one_host(product: Served, route: str, lines: list[str]) -> None:
    with socket.create_connection(("127.0.0.1", product.port), PATIENCE) as connection:
        head = "\r\n".join([f"GET {route} {lines[0]}", *lines[1:], "", ""])
        connection.sendall(head.encode())
        status = connection.makefile("rb").readline()
    assert status.split()[1] in (b"400", b"421")


def test_a_second_origin_does_not_hide_behind_the_first(product: Served) -> None:
    headers = [("origin", "http://localhost"), ("origin", "http://evil.example")]
    answer = send("GET", product.origin + "/healthz", headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("localhost:80", "localhost"),
        ("Example.COM", "example.com"),
        ("[::1]:80", "::1"),
        ("[::1]x", ""),
        ("a@b", ""),
        ("a:b:c", ""),
        ("", ""),
    ],
)
def test_the_name_in_an_address(address: str, name: str) -> None:
    assert host_name(address) == name


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_listening_beyond_this_machine_needs_a_name(tmp_path: Path, host: str) -> None:
    assert not is_loopback(host)
    settings = {"COMMONPLACE_HOME": str(tmp_path / "home")}
    outcome = run_process(settings, "serve", "--host", host, "--port", "0")
    assert (outcome.code, outcome.stdout) == (1, "")
    assert "Set COMMONPLACE_PUBLIC_URL or COMMONPLACE_HOSTS" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "::1"])
def test_each_loopback_address_is_answered_under_its_own_name(tmp_path: Path, host: str) -> None:
    log = tmp_path / "log"
    told = environment(settings_of(tmp_path / "home"))
    process = ForkedModule(PRODUCT, "serve", "--host", host, "--port", "0", env=told, stderr=log)
    try:
        port = announced_port(process, log)
        shown = f"[{host}]" if ":" in host else host
        answer = send("GET", f"http://{shown}:{port}/healthz")
        assert answer.status_code == 200
    finally:
        process.terminate()
        process.wait(PATIENCE)
