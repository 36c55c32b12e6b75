"""Prometheus metrics: calls and their durations, queues and their lag, database connections.

Labels come from closed lists (tools, error codes, models), never from input.
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
    """The metrics of one server. Each has its own registry, so that a process can run several."""

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

    def watch(self, read_vitals: Callable[[], Vitals | None]) -> None:
        """Include vitals in the metrics, read at each scrape; None while they are unavailable."""
        self._registry.register(VitalsCollector(read_vitals))

    def exposition(self) -> tuple[bytes, str]:
        return exposed(self._registry), CONTENT_TYPE_LATEST


class VitalsCollector(Collector):
    """Gauges that are read at each scrape."""

    def __init__(self, read_vitals: Callable[[], Vitals | None]) -> None:
        self._read_vitals = read_vitals

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily(
            "commonplace_build", "The running version.", {"version": __version__}
        )
        vitals = self._read_vitals()
        up = GaugeMetricFamily("commonplace_database_up", "Whether the database answers.")
        up.add_metric((), float(vitals is not None))
        yield up
        if vitals is not None:
            yield from _gauges(vitals)

    def describe(self) -> Iterator[Metric]:
        """Return nothing, so that registering does not read the vitals."""
        return iter(())


def _gauges(vitals: Vitals) -> Iterator[Metric]:
    backlog, pool = vitals.backlog, vitals.pool
    waiting = GaugeMetricFamily(
        "commonplace_queue_depth", "Pending background work, by kind.", labels=("kind",)
    )
    waiting.add_metric(("embedding",), backlog.chunks)
    waiting.add_metric(("completion",), backlog.previewed)
    waiting.add_metric(("job",), backlog.targets)
    yield waiting
    for name, help_text, value in (
        ("embedding_lag_seconds", "Age of the oldest due embedding.", vitals.embedding_lag),
        ("oldest_job_seconds", "Age of the oldest due job.", vitals.oldest_job),
        ("embeddings_failed", "Chunks whose embedding has failed for good.", backlog.failed),
        ("vector_indexes", "Vector indexes that are ready.", vitals.vector_indexes),
        ("pool_used", "Database connections in use.", pool.used),
        ("pool_limit", "Limit of database connections; 0 means none.", pool.limit),
    ):
        gauge = GaugeMetricFamily(f"commonplace_{name}", help_text)
        gauge.add_metric((), value)
        yield gauge
    if vitals.replication.replicas:
        yield from _of_replicas(vitals)
    models = GaugeMetricFamily(
        "commonplace_model",
        "Models that have vectors, by state.",
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
        "commonplace_searches", "Reads of searches, by serving database.", labels=("by",)
    )
    searches.add_metric(("primary",), replication.on_primary)
    searches.add_metric(("replica",), replication.on_replicas)
    yield searches
