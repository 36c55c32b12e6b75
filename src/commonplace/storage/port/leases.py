"""The right to do something alone: taken, renewed while it is used, and missed when it is lost."""

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
_LOOK_SECONDS = 0.1
_LONGEST_UNTIL_RENEWED = 3.0


class Lease:
    """One holder's. Who dies with it is waited for as many seconds as it is given."""

    def __init__(self, store: Store, name: str, seconds: float) -> None:
        self._store = store
        self._name = name
        self._seconds = seconds
        self._holder = uuid4().hex
        self._renewed: float | None = None
        self._lost = False

    @property
    def renewal_seconds(self) -> float:
        return min(self._seconds / 3, _LONGEST_UNTIL_RENEWED)

    def take(self) -> bool:
        """Whether it is this holder's from now on; renews it where that is due."""
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
        """False when another has had it since: then it is lost for good."""
        now = time.monotonic()
        if self._lost or not self._store.renew_lease(self._name, self._holder, self._seconds):
            self._lost, self._renewed = True, None
            return False
        self._renewed = now
        return True

    def check(self) -> None:
        """Raise LeaseLost once that is known; asks no database, for use in transactions."""
        if self._lost:
            raise LeaseLost

    def guarding(self, call: Call) -> Call:
        """The call, which from now on also stops when the lease is lost."""

        def check() -> None:
            self.check()
            call.check()

        return replace(call, check=check)

    def drop(self) -> None:
        """Let others take it at once."""
        if self._renewed is not None:
            self._renewed = None
            self._store.drop_lease(self._name, self._holder)


@contextmanager
def held(store: Store, name: str, seconds: float) -> Iterator[Lease | None]:
    """Renewed beside the block, which ends with LeaseLost if it was lost; None if another has it.

    The block may ask `check` at any time, best at the end of each of its transactions.
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
def held_in_turn(store: Store, name: str, seconds: float, call: Call) -> Iterator[Lease]:
    """Waits for whoever has the lease, while the call may, and then is as `held`."""
    while True:
        with held(store, name, seconds) as lease:
            if lease is not None:
                yield lease
                return
        call.check()
        time.sleep(_LOOK_SECONDS)


def _keep_renewing(lease: Lease, done: threading.Event) -> None:
    """A database that is away is asked again: the lease may still be ours when it is back."""
    while not done.wait(lease.renewal_seconds):
        try:
            if not lease.renew():
                return
        except StorageError as error:
            _LOG.warning("a lease was not renewed", extra={"code": error.code})
