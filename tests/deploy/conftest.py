"""A separate PostgreSQL server, for tests of poolers and standbys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.team.cluster import Cluster, running_cluster


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster
