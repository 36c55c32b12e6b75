"""Traces: a span for each call with what it did inside, sent to a real collector; no content."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import anyio
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.errors import SettingsInvalid
from commonplace.server.monitoring.telemetry import traced
from commonplace.settings import Settings, load_settings
from commonplace.surfaces.call import Caller, call_tool
from commonplace.surfaces.notes.tools import NOTES
from commonplace.surfaces.turns import Turns
from commonplace.tracing import CALL, span
from tests.loopback import http_server


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.path == "/v1/traces"
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Tests are quiet."""

    with http_server(Handler) as server:
        yield f"http://127.0.0.1:{server.server_port}", received


def spans_of(bodies: list[bytes]) -> list[Span]:
    import gzip

    found: list[Span] = []
    for body in bodies:
        plain = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
        request = ExportTraceServiceRequest.FromString(plain)
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                found += scope.spans
    return found


def test_a_call_is_a_span_with_its_parts(tmp_path: Path) -> None:
    with collector() as (address, received):
        settings = Settings(home=tmp_path, otlp_endpoint=address)
        lazy = LazyApplication(lambda: build(settings))
        tool = next(tool for tool in NOTES.tools if tool.name == "search_knowledge")
        actor = lazy.get().local_actor("test")
        caller = Caller(actor, lambda *_: None, lambda *_: None, Turns())
        with traced(settings):
            anyio.run(call_tool, lazy, NOTES, tool, {"query": "a secret question"}, caller)
            with pytest.raises(ValueError, match="quoted"), span(CALL):
                raise ValueError("quoted secret")
            lazy.get().status.of_org(actor)
        lazy.close()
    spans = spans_of(received)
    assert all(one.parent_span_id for one in spans if one.name != CALL), "nothing outside of calls"
    named = {one.name: one for one in reversed(spans)}
    assert {"tool", "search", "embed", "store.read"} <= named.keys()
    search = named["search"]
    call = next(one for one in spans if one.name == CALL and one.attributes)
    assert search.parent_span_id == call.span_id
    assert named["embed"].parent_span_id == search.span_id
    assert {a.key: a.value.string_value for a in call.attributes}["tool"] == "search_knowledge"
    assert all(b"secret" not in body for body in map(Span.SerializeToString, spans))
    assert span("afterwards") is not None, "and costs nothing again"


def test_the_standard_variable_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    assert load_settings().otlp_endpoint == "http://127.0.0.1:4318"
    monkeypatch.setenv("COMMONPLACE_OTLP_ENDPOINT", "http://127.0.0.1:4319")
    assert load_settings().otlp_endpoint == "http://127.0.0.1:4319"
    monkeypatch.setenv("COMMONPLACE_OTLP_ENDPOINT", "nonsense")
    with pytest.raises(SettingsInvalid, match="OTLP_ENDPOINT"):
        load_settings()


def test_without_a_collector_nothing_is_opened(tmp_path: Path) -> None:
    with traced(Settings(home=tmp_path)), span("nothing") as opened:
        assert opened is None
