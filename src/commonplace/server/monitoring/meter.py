"""What Prometheus reads: calls and their durations, what waits and for how long, connections.

Labels come from closed lists (tools, error codes, models), never from what callers send.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client import generate_latest as exposed
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from commonplace import __version__
from commonplace.operations.status.service import Vitals

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_OK = "ok"


class CallMeter:
    """One registry per server, so that several can live in one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._calls = Counter(
            "commonplace_tool_calls",
            "Tool calls by outcome.",
            ("tool", "status"),
            registry=self._registry,
        )
        self._errors = Counter(
            "commonplace_errors", "Failed calls by error code.", ("code",), registry=self._registry
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
        if status != _OK:
            self._errors.labels(status).inc()

    def watch(self, look: Callable[[], Vitals | None]) -> None:
        """Ask at each reading how the server keeps up; None while nobody can say."""
        self._registry.register(VitalsCollector(look))

    def exposition(self) -> tuple[bytes, str]:
        return exposed(self._registry), CONTENT_TYPE_LATEST


class VitalsCollector(Collector):
    """Numbers that are read when they are asked for."""

    def __init__(self, look: Callable[[], Vitals | None]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(
            "commonplace_build", "The version that runs.", {"version": __version__}
        )
        vitals = self._look()
        up = GaugeMetricFamily("commonplace_database_up", "Whether the database answers.")
        up.add_metric((), float(vitals is not None))
        yield up
        if vitals is not None:
            yield from _gauges(vitals)

    def describe(self) -> Iterator[Metric]:
        """Nothing is asked when the server starts."""
        return iter(())


def _gauges(vitals: Vitals) -> Iterator[Metric]:
    backlog, pool = vitals.backlog, vitals.pool
    waiting = GaugeMetricFamily(
        "commonplace_queue_depth", "Background work that waits, by kind.", labels=("kind",)
    )
    waiting.add_metric(("embedding",), backlog.chunks)
    waiting.add_metric(("completion",), backlog.previewed)
    waiting.add_metric(("job",), backlog.targets)
    yield waiting
    for name, help_text, value in (
        ("embedding_lag_seconds", "How long the oldest due embedding waits.", vitals.embedding_lag),
        ("oldest_job_seconds", "How long the oldest due job waits.", vitals.oldest_job),
        ("embeddings_failed", "Chunks whose embedding was given up.", backlog.failed),
        ("vector_indexes", "Indexes of vectors that are ready for use.", vitals.vector_indexes),
        ("pool_used", "Database connections in use.", pool.used),
        ("pool_limit", "Database connections at most; 0 is no limit.", pool.limit),
    ):
        gauge = GaugeMetricFamily(f"commonplace_{name}", help_text)
        gauge.add_metric((), value)
        yield gauge
    if vitals.replication.replicas:
        yield from _of_replicas(vitals)
    models = GaugeMetricFamily(
        "commonplace_model",
        "Models that have vectors, by what they are for.",
        labels=("model", "state"),
    )
    for model in vitals.models:
        models.add_metric((model.key, model.state.value), 1)
    yield models


def _of_replicas(vitals: Vitals) -> Iterator[Metric]:
    replication = vitals.replication
    replicas = GaugeMetricFamily(
        "commonplace_replicas", "Replicas for searches, by state.", labels=("state",)
    )
    replicas.add_metric(("present",), replication.present)
    replicas.add_metric(("away",), replication.replicas - replication.present)
    yield replicas
    searches = CounterMetricFamily(
        "commonplace_searches", "Reads for searches, by who answered them.", labels=("by",)
    )
    searches.add_metric(("primary",), replication.on_primary)
    searches.add_metric(("replica",), replication.on_replicas)
    yield searches
