"""Options for every test: nothing generated has a time limit, because machines are noisy."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings

# Nothing that is collected goes before the end: to look for garbage in it took a quarter of it.
gc.disable()

settings.register_profile(
    "house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

pytest_plugins = [
    "tests.children",
    "tests.models",
    "tests.proof",
    "tests.redis_servers",
    "tests.stores",
    "tests.connections",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-pictures", action="store_true", help="write the pictures of the docs anew"
    )
    parser.addoption(
        "--update-rankings", action="store_true", help="write the golden rankings anew"
    )


def pytest_collection_finish() -> None:
    """What was collected stays to the end: to search it for garbage took a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(5_000, 20, 20)
