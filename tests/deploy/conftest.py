"""A PostgreSQL server of one's own, for what is deployed before and beside one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.team.cluster import Cluster, running_cluster


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster
