"""The faults of tools/mutation still fit the code: a list that lags would test nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.docs.pages import REPOSITORY
from tools.mutation.mutants import Mutant, all_mutants

MUTANTS = all_mutants()
PARTS = {"notes", "institutional", "documents", "registry", "memory", "workspace", "core"}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_a_fault_can_be_put_in(mutant: Mutant) -> None:
    sound = (REPOSITORY / mutant.path).read_text(encoding="utf-8")
    assert mutant.applied_to(sound) != sound
    assert [test for test in mutant.tests if not (REPOSITORY / test).exists()] == []


def test_faults_are_of_every_part_and_each_is_there_once() -> None:
    assert {mutant.part for mutant in MUTANTS} == PARTS
    assert [id for id, times in Counter(m.id for m in MUTANTS).items() if times > 1] == []
    assert len(MUTANTS) >= 120
