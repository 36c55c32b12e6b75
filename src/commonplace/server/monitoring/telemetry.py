"""Sends traces to an OpenTelemetry collector if one is configured; the SDK is an extra."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from commonplace import __version__
from commonplace.settings import Settings
from commonplace.tracing import CALL, Attribute, trace_with

_PATH = "/v1/traces"


@contextmanager
def traced(settings: Settings) -> Iterator[None]:
    """Trace calls while the block runs, and flush at its end.

    Background work that no call started is not traced.
    """
    if not settings.otlp_endpoint:
        yield
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.trace import get_current_span

    resource = Resource.create({"service.name": "commonplace", "service.version": __version__})
    provider = TracerProvider(resource=resource)
    exporter = OTLPSpanExporter(endpoint=settings.otlp_endpoint.rstrip("/") + _PATH)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer("commonplace", __version__)

    @contextmanager
    def opened(name: str, attributes: Mapping[str, Attribute]) -> Iterator[None]:
        if name != CALL and not get_current_span().is_recording():
            yield
            return
        # The text of an exception may quote stored content, so spans do not record it.
        with tracer.start_as_current_span(
            name, attributes=attributes, record_exception=False, set_status_on_exception=False
        ):
            yield

    trace_with(opened)
    try:
        yield
    finally:
        trace_with(None)
        provider.shutdown()
