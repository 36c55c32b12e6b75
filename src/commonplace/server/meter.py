"""Counts calls and their durations, for Prometheus."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram
from prometheus_client import generate_latest as exposed

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class CallMeter:
    """One registry per server, so that several can live in one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._calls = Counter(
            "commonplace_tool_calls",
            "Tool calls by outcome.",
            ("tool", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "commonplace_tool_duration_seconds",
            "How long tool calls took.",
            ("tool",),
            buckets=_BUCKETS,
            registry=self._registry,
        )

    def observe(self, tool: str, status: str, seconds: float) -> None:
        self._calls.labels(tool, status).inc()
        self._seconds.labels(tool).observe(seconds)

    def exposition(self) -> tuple[bytes, str]:
        return exposed(self._registry), CONTENT_TYPE_LATEST
