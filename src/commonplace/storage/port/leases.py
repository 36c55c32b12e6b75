"""Leases: the exclusive right to do some work, renewed while it is used."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from uuid import uuid4

from commonplace.errors import LeaseLost, StorageError
from commonplace.model.call import Call
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.storage")
_POLL_SECONDS = 0.1
_MAX_RENEWAL_SECONDS = 3.0


class Lease:
    """One holder's claim to a lease. If the holder dies, others wait `seconds` for it."""

    def __init__(self, store: Store, name: str, seconds: float) -> None:
        self._store = store
        self._name = name
        self._seconds = seconds
        self._holder = uuid4().hex
        self._renewed: float | None = None
        self._lost = False

    @property
    def renewal_seconds(self) -> float:
        return min(self._seconds / 3, _MAX_RENEWAL_SECONDS)

    def take(self) -> bool:
        """Take the lease, or renew it if that is due; True if this holder has it."""
        now = time.monotonic()
        if self._renewed is not None:
            if now < self._renewed + self.renewal_seconds:
                return True
            if self.renew():
                return True
        taken = self._store.take_lease(self._name, self._holder, self._seconds)
        self._renewed, self._lost = (now if taken else None), False
        return taken

    def renew(self) -> bool:
        """Renew the lease; False if another holder has had it since, which is final."""
        now = time.monotonic()
        if self._lost or not self._store.renew_lease(self._name, self._holder, self._seconds):
            self._lost, self._renewed = True, None
            return False
        self._renewed = now
        return True

    def check(self) -> None:
        """Raise LeaseLost if the lease is known to be lost. Asks no database, so transactions can
        use it."""
        if self._lost:
            raise LeaseLost

    def guard(self, call: Call) -> Call:
        """A copy of the call that also stops when the lease is lost."""

        def check() -> None:
            self.check()
            call.check()

        return replace(call, check=check)

    def drop(self) -> None:
        """Release the lease for others at once."""
        if self._renewed is not None:
            self._renewed = None
            self._store.drop_lease(self._name, self._holder)


@contextmanager
def hold_lease(store: Store, name: str, seconds: float) -> Iterator[Lease | None]:
    """Hold a lease for a block and renew it meanwhile; yields None if another holder has it.

    If it is lost, the block ends with LeaseLost. The block may call `check` at any time, ideally at
    the end of each transaction.
    """
    lease = Lease(store, name, seconds)
    if not lease.take():
        yield None
        return
    done = threading.Event()
    renewing = threading.Thread(
        target=_keep_renewing, args=(lease, done), name="lease", daemon=True
    )
    renewing.start()
    try:
        yield lease
        if not lease.renew():
            raise LeaseLost
    finally:
        done.set()
        renewing.join()
        lease.drop()


@contextmanager
def wait_for_lease(store: Store, name: str, seconds: float, call: Call) -> Iterator[Lease]:
    """Wait until the lease is free, for as long as the call may run, then hold it."""
    while True:
        with hold_lease(store, name, seconds) as lease:
            if lease is not None:
                yield lease
                return
        call.check()
        time.sleep(_POLL_SECONDS)


def _keep_renewing(lease: Lease, done: threading.Event) -> None:
    """Keeps trying while the database is unreachable: the lease may still be ours afterwards."""
    while not done.wait(lease.renewal_seconds):
        try:
            if not lease.renew():
                return
        except StorageError as error:
            _LOG.warning("a lease was not renewed", extra={"code": error.code})
