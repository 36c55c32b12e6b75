"""Usage: access counts of entries, and quotas of orgs.

Accesses are counted after the answer is built; a failure to count must not fail the read.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence

from commonplace.errors import InvalidArgument, NotFound, QuotaExceeded, StorageError
from commonplace.model.access import Allowance
from commonplace.model.actor import SYSTEM_ORG, Actor
from commonplace.model.capture import Access
from commonplace.model.entry import Entry
from commonplace.model.quota import (
    BYTES_STORED,
    KNOWLEDGE_STORED,
    METRICS,
    Quota,
    Quotas,
    quota_of,
    quota_period,
    quota_reset,
)
from commonplace.storage.port import Store, Transaction

_LOG = logging.getLogger("commonplace.knowledge.usage")
_NEVER = Access()
_LONGEST_PLAN = 100
_MOST = 10**15


class UsageService:
    def __init__(self, store: Store) -> None:
        self._store = store

    def count(self, actor: Actor, entries: Sequence[Entry]) -> None:
        """Add one access for each entry."""
        if not entries:
            return
        try:
            with self._store.write(actor) as tx:
                tx.accesses.count([entry.key for entry in entries])
        except StorageError as error:
            _LOG.warning("accesses not counted", extra={"code": error.code})

    def of(self, actor: Actor, entries: Sequence[Entry]) -> dict[int, Access]:
        """The access counts so far, by entry key."""
        with self._store.read(actor) as tx:
            found = tx.accesses.of([entry.key for entry in entries])
        return {entry.key: found.get(entry.key, _NEVER) for entry in entries}


class QuotaService:
    """Plans, exceptions, and usage."""

    def __init__(self, store: Store, defaults: Quotas | None = None) -> None:
        self._store = store
        self._defaults = defaults or {}

    def spend(self, tx: Transaction, entries: int = 1) -> None:
        """Count new entries in the transaction that stores them, so that a rollback costs nothing.

        Call this before taking other locks: all writers of an org wait for each other here.
        """
        self._spend(tx, KNOWLEDGE_STORED, entries)

    def spend_last(self, tx: Transaction) -> None:
        """Count a new entry; without a limit, others wait only while the transaction commits.

        For transactions that need nobody kept out, as they add an entry and look at no other.
        """
        self._spend(tx, KNOWLEDGE_STORED, 1, last=True)

    def spend_blobs(self, tx: Transaction, contents: Iterable[bytes]) -> None:
        """Count the bytes of contents that the org does not have stored yet."""
        sizes = {hashlib.sha256(data).hexdigest(): len(data) for data in contents}
        self.spend_bytes(tx, sum(sizes[digest] for digest in tx.blobs.missing(list(sizes))))

    def spend_bytes(self, tx: Transaction, count: int) -> None:
        self._spend(tx, BYTES_STORED, count)

    def _spend(self, tx: Transaction, metric: str, amount: int, *, last: bool = False) -> None:
        if tx.actor.org == SYSTEM_ORG or not amount:
            return
        limit = tx.allowances.limit(metric, self._defaults.get(metric))
        if last and limit is None:
            tx.usage.spend_last(metric, quota_period(tx.now), amount)
        elif not tx.usage.spend(metric, quota_period(tx.now), limit, amount):
            reset = quota_reset(tx.now)
            state = "is used up" if amount == 1 else f"has no room for {amount} more"
            raise QuotaExceeded(
                f"The quota {metric} of {limit} a month {state} until {reset:%Y-%m-%d} UTC.",
                reset_at=reset,
                retry_after=(reset - tx.now).total_seconds(),
            )

    def of(self, actor: Actor) -> tuple[Allowance, list[Quota]]:
        """The quotas of the actor's org this month."""
        with self._store.read(actor) as tx:
            allowance = tx.allowances.of()
            used = {metric: tx.usage.used(metric, quota_period(tx.now)) for metric in METRICS}
            reset = quota_reset(tx.now)
        return allowance, [
            quota_of(metric, count, allowance, self._defaults, reset)
            for metric, count in used.items()
        ]

    def override(self, actor: Actor, metric: str, monthly: int | None) -> None:
        """Set an exception for the actor's org; None means no limit."""
        with self._store.write(actor) as tx:
            tx.allowances.override(_known(metric), _checked(monthly))

    def withdraw(self, actor: Actor, metric: str) -> None:
        with self._store.write(actor) as tx:
            if not tx.allowances.withdraw(_known(metric)):
                raise NotFound("The org has no exception for that metric.")

    def assign(self, actor: Actor, plan: str | None) -> None:
        with self._store.write(actor) as tx:
            if plan is not None and plan not in tx.allowances.plans():
                raise NotFound(f"No plan is called {plan}.")
            tx.allowances.assign(plan)

    def plans(self, actor: Actor) -> Mapping[str, Mapping[str, int | None]]:
        with self._store.read(actor) as tx:
            return tx.allowances.plans()

    def define(self, actor: Actor, plan: str, metric: str, monthly: int | None) -> None:
        if not plan.isprintable() or not 1 <= len(plan) <= _LONGEST_PLAN or plan != plan.strip():
            raise InvalidArgument(
                f"plan must have 1 to {_LONGEST_PLAN} printable characters.", field="plan"
            )
        with self._store.write(actor) as tx:
            tx.allowances.define(plan, _known(metric), _checked(monthly))

    def drop(self, actor: Actor, plan: str) -> None:
        with self._store.write(actor) as tx:
            if plan not in tx.allowances.plans():
                raise NotFound(f"No plan is called {plan}.")
            if not tx.allowances.drop(plan):
                raise InvalidArgument("An org still has that plan.", field="plan")


def _known(metric: str) -> str:
    if metric not in METRICS:
        raise InvalidArgument(f"The metrics are {', '.join(METRICS)}.", field="metric")
    return metric


def _checked(monthly: int | None) -> int | None:
    if monthly is not None and not 0 <= monthly <= _MOST:
        raise InvalidArgument(f"A quota is a number from 0 to {_MOST:,}.", field="monthly")
    return monthly
