"""Bytes that are kept count against a quota of their own, on either store."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from commonplace.errors import QuotaExceeded
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.quota import BYTES_STORED, KNOWLEDGE_STORED
from commonplace.registry.service.contributions import RegistryService
from commonplace.registry.service.verdicts import TrustedPeers
from commonplace.workspace.pushing.manifest import PushLimits
from commonplace.workspace.pushing.service import PushService
from tests.features.house import House
from tests.generate import ALICE, EVE

SKILL = "---\nname: Harvest\ndescription: Reap what is ripe.\n---\nRun reap.sh.\n"
LIMIT = 35
TEN = b"ten bytes "


class Keeper:
    """Keeps bytes of pushed files and of skills as far as the quota goes."""

    def __init__(self, house: House) -> None:
        self._store = house.store
        self.quotas = QuotaService(house.store, {BYTES_STORED: LIMIT})
        self._pushes = PushService(house.store, PushLimits(10, 1_000), self.quotas)
        self._registry = RegistryService(house.store, house.retrieval, self.quotas, TrustedPeers())

    def push(self, data: bytes) -> None:
        self._pushes.keep(ALICE, digest(data), data)

    def contribute(self, *files: bytes) -> None:
        given = {f"{number}.sh": data for number, data in enumerate(files)}
        self._registry.contribute_skill(ALICE, SKILL, files=given)

    def has(self, data: bytes) -> bool:
        with self._store.read(ALICE) as tx:
            return tx.blobs.get(digest(data)) is not None

    def used(self) -> dict[str, int]:
        return {quota.metric: quota.used for quota in self.quotas.of(ALICE)[1]}


@pytest.fixture
def keeper(house: House) -> Keeper:
    return Keeper(house)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def different(number: int) -> bytes:
    return TEN[:-1] + bytes([number])


def is_full(store: Callable[[], None]) -> bool:
    try:
        store()
    except QuotaExceeded:
        return True
    return False


def test_pushed_bytes_are_counted_and_refused_whole(keeper: Keeper) -> None:
    for number in range(3):
        keeper.push(different(number))
    with pytest.raises(QuotaExceeded, match="bytes_stored of 35 a month has no room for 10 more"):
        keeper.push(different(3))
    assert keeper.used() == {KNOWLEDGE_STORED: 0, BYTES_STORED: 30}
    assert not keeper.has(different(3))
    assert not is_full(lambda: keeper.push(b"five!")), "what still fits is kept"


def test_the_same_bytes_are_counted_once(keeper: Keeper) -> None:
    for _ in range(5):
        keeper.push(TEN)
    keeper.contribute(TEN, TEN)
    assert keeper.used() == {KNOWLEDGE_STORED: 1, BYTES_STORED: 10}


def test_files_of_a_skill_are_counted_together(keeper: Keeper) -> None:
    assert is_full(lambda: keeper.contribute(*map(different, range(4))))
    assert keeper.used() == {KNOWLEDGE_STORED: 0, BYTES_STORED: 0}
    assert not any(keeper.has(different(number)) for number in range(4))
    keeper.contribute(*map(different, range(3)))
    assert keeper.used() == {KNOWLEDGE_STORED: 1, BYTES_STORED: 30}


def test_pushes_at_once_do_not_pass_the_quota_together(keeper: Keeper) -> None:
    def refused(number: int) -> bool:
        return is_full(lambda: keeper.push(different(number)))

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(refused, range(8)))
    assert outcomes.count(False) == 3
    assert keeper.used()[BYTES_STORED] == 30
    assert [keeper.has(different(number)) for number in range(8)] == [not one for one in outcomes]


def test_other_orgs_and_exceptions(keeper: Keeper, house: House) -> None:
    keeper.quotas.override(ALICE, BYTES_STORED, 0)
    assert is_full(lambda: keeper.push(TEN))
    pushes = PushService(house.store, PushLimits(10, 1_000), keeper.quotas)
    pushes.keep(EVE, digest(TEN), TEN)
    keeper.quotas.override(ALICE, BYTES_STORED, None)
    for number in range(10):
        keeper.push(different(number))
    assert keeper.used()[BYTES_STORED] == 100
