"""The check at the end of a run: what was marked but did not run, or did not pass, is missed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.requirements import requirements

ROOT = Path(__file__).parents[2]
CONFIGURATION = """
[pytest]
testpaths = tests
pythonpath = {root}
addopts = -p tests.proof -m "not soak"
markers =
    requirement
    soak
"""
SUITE = """
import pytest

IDS = {ids!r}

@pytest.mark.requirement(*IDS[2:])
def test_that_ran():
    pass

@pytest.mark.requirement(IDS[0])
def test_that_was_skipped():
    pytest.skip("not here")

@pytest.mark.soak
@pytest.mark.requirement(IDS[1])
def test_that_takes_long():
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite that proves all requirements but the first two."""
    ids = [requirement.id for requirement in requirements()]
    (tmp_path / "pytest.ini").write_text(CONFIGURATION.format(root=ROOT))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_all.py").write_text(SUITE.format(ids=ids))
    return tmp_path


def run(suite: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=suite,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_whole_run_fails_for_what_did_not_run(suite: Path, processes: str) -> None:
    ended = run(suite, "-n", processes)
    first, second, third, *_ = [requirement.id for requirement in requirements()]
    assert ended.returncode == 1, ended.stdout + ended.stderr
    shown = ended.stdout.partition("no test proved in this run")[2].splitlines()
    assert {first, second} <= {*shown}
    assert third not in shown


@pytest.mark.parametrize("part", [["-k", "test_that"], ["tests/test_all.py"], ["--lf"]])
def test_a_part_of_the_suite_need_not_prove_everything(suite: Path, part: list[str]) -> None:
    ended = run(suite, *part)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_what_ran_and_passed_is_proven(suite: Path) -> None:
    file = suite / "tests" / "test_all.py"
    file.write_text(file.read_text().replace('pytest.skip("not here")', "pass"))
    file.write_text(file.read_text().replace("@pytest.mark.soak\n", ""))
    ended = run(suite, "-n", "2")
    assert ended.returncode == 0, ended.stdout + ended.stderr
