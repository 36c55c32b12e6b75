"""Work that somebody else was faster with is done again, but not for ever."""

from __future__ import annotations

import pytest

from commonplace.errors import Conflict, NotFound
from commonplace.model.retry import retry_on


@pytest.mark.parametrize("conflicts", [0, 1, 2])
def test_work_is_done_again_after_a_conflict(conflicts: int) -> None:
    ahead = [Conflict()] * conflicts

    def work() -> str:
        if ahead:
            raise ahead.pop()
        return "done"

    assert retry_on(Conflict, work) == "done"


def test_the_third_conflict_is_told_and_other_errors_at_once() -> None:
    tried = []

    def work(problem: Exception) -> None:
        tried.append(problem)
        raise problem

    with pytest.raises(Conflict):
        retry_on(Conflict, lambda: work(Conflict()))
    assert len(tried) == 3
    with pytest.raises(NotFound):
        retry_on(Conflict, lambda: work(NotFound()))
    assert len(tried) == 4
