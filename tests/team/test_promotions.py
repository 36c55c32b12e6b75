"""Patroni promotes again and again under load: what was acknowledged stays, nobody is restarted."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from commonplace.settings import Settings
from tests.surfaces.processes import Processes
from tests.team.patroni import PatroniTeam, patroni_team
from tests.team.promotions import promoted

CLEAR = {"storage.unavailable", "storage.busy"}
PROMOTIONS = 20
_LOG = logging.getLogger(__name__)


@pytest.fixture
def team() -> Iterator[PatroniTeam]:
    with patroni_team() as team:
        yield team


@pytest.mark.soak
def test_twenty_promotions_under_load(
    team: PatroniTeam, processes: Processes, settings: Settings
) -> None:
    found = promoted(PROMOTIONS, team, processes, settings)
    _LOG.info(
        f"{len(found.acknowledged)} writes acknowledged, errors {dict(found.errors)}, seconds "
        f"without writes p50 {found.percentile(50):.1f}, p95 {found.percentile(95):.1f}"
    )
    assert found.lost == []
    assert found.errors.keys() <= CLEAR
    assert all(found.waits), "each error says when to try again"
    assert found.ended == [None, None, None]
