"""Options and plugins for all tests. Generated tests have no deadline: machines are noisy."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings

# Collected tests live until the end, and the garbage collector took a quarter of the collection.
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
    """Exempt the collected tests from garbage collection, which took a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(5_000, 20, 20)
