"""Health and metrics: what a load balancer and a monitor ask, on both stores."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from commonplace.application import Application, LazyApplication
from commonplace.bootstrap import build
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.health import HealthChecks
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from tests.stores import MakeDatabase

UNREACHABLE = {
    "embedding_url": "http://127.0.0.1:1/v1",
    "embedding_model": "absent",
    "embedding_dimension": 8,
}


@pytest.fixture
def settings(dialect: str, tmp_path: Path, make_database: MakeDatabase) -> Settings:
    url = make_database(dialect).address if dialect == "postgres" else None
    return Settings.model_validate(
        {
            "home": tmp_path / "home",
            "database_url": url,
            "worker": False,
            "metrics_open": True,
            **UNREACHABLE,
        }
    )


@pytest.fixture
def application(settings: Settings) -> Iterator[Application]:
    built = build(settings)
    yield built
    built.close()


def client_of(application: Application, meter: CallMeter) -> TestClient:
    settings = application.settings
    policy = access_policy(settings, "127.0.0.1", 8765)
    lazy = LazyApplication(lambda: application)
    return TestClient(make_app(lazy, settings, meter, policy), base_url="http://localhost")


def samples(text: str) -> dict[str, float]:
    """Every sample by its name, with its labels where it has some."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_metrics_tell_what_waits_and_what_was_called(application: Application) -> None:
    meter = CallMeter()
    meter.observe("search_knowledge", "ok", 0.02)
    meter.observe("search_knowledge", "validation.invalid_argument", 0.001)
    actor = application.local_actor("test")
    content = EntryContent("A secret title", "A secret body")
    application.knowledge.add(actor, EntryKind.NOTE, content, id="secret-id")
    application.reembedding.adopt()
    with client_of(application, meter) as client:
        text = client.get("/metrics").text
    found = samples(text)
    assert found["commonplace_tool_calls_total{status=ok,tool=search_knowledge}"] == 1
    assert found["commonplace_errors_total{code=validation.invalid_argument}"] == 1
    assert found["commonplace_tool_duration_seconds_bucket{le=0.025,tool=search_knowledge}"] == 2
    assert found["commonplace_queue_depth{kind=embedding}"] == 1
    assert found["commonplace_queue_depth{kind=completion}"] == 0
    assert found["commonplace_queue_depth{kind=job}"] == 0
    assert found["commonplace_embedding_lag_seconds"] >= 0
    assert found["commonplace_oldest_job_seconds"] == 0
    assert found["commonplace_embeddings_failed"] == 0
    assert found["commonplace_database_up"] == 1
    assert found["commonplace_model{model=absent-endpoint@8,state=serving}"] == 1
    assert found["commonplace_pool_limit"] == (8 if application.settings.database_url else 0)
    assert found["commonplace_vector_indexes"] == 0
    assert "process_cpu_seconds_total" in found
    assert "secret" not in text


def test_metrics_survive_a_database_that_is_away(application: Application) -> None:
    with client_of(application, CallMeter()) as client:
        assert client.get("/readyz").json() == {"status": "ok"}
        application.close()
        found = samples(client.get("/metrics").text)
        assert found["commonplace_database_up"] == 0
        assert "commonplace_embedding_lag_seconds" not in found
        unready = client.get("/readyz")
        assert (unready.status_code, unready.json()["code"]) == (503, "storage.unavailable")
        assert client.get("/healthz").status_code == 200


def test_a_worker_that_died_makes_a_server_unready(application: Application) -> None:
    health = HealthChecks(LazyApplication(lambda: application))
    assert health.problem() is None, "no worker is needed"
    stop = threading.Event()
    worker = threading.Thread(target=stop.wait)
    worker.start()
    health.watch(worker)
    assert health.problem() is None
    stop.set()
    worker.join()
    assert health.problem() == "worker.stopped"


def test_labels_are_of_closed_lists(application: Application) -> None:
    """What callers name is counted only when it exists."""
    meter = CallMeter()
    with client_of(application, meter) as client:
        body = {"jsonrpc": "2.0", "id": 1, "method": "no.such.method", "params": {}}
        client.post("/rpc", json=body)
        text = client.get("/metrics").text
    assert "no.such.method" not in text
