"""Puts each fault into a copy of the tree, runs the tests that ought to notice, takes it out again.

    python -m tools.mutation.run [--verify] [PART or ID ...]

Lines of JSON go to build/mutation.jsonl as they come; `tools.mutation.table` makes a page of them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.mutation.mutants import REPOSITORY, Mutant, all_mutants

LINES = REPOSITORY / "build" / "mutation.jsonl"
_SECONDS = 600
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)
_NOTICED, _ALL_PASSED = 1, 0


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("chosen", nargs="*", help="parts or ids; all without any")
    given.add_argument("--verify", action="store_true", help="run what noticed without a fault")
    told = given.parse_args()
    chosen = [m for m in all_mutants() if not told.chosen or {m.id, m.part} & {*told.chosen}]
    with _copied() as tree:
        if told.verify:
            return _verified(tree, chosen)
        survived = [mutant for mutant in chosen if not _noticed(tree, mutant)]
    return 1 if survived else 0


def results() -> dict[str, list[str]]:
    """For each fault and run, the test that detected it; empty if none did."""
    found: dict[str, list[str]] = {}
    lines = LINES.read_text(encoding="utf-8").splitlines() if LINES.exists() else []
    for row in map(json.loads, lines):
        found.setdefault(row["id"], []).append(row["by"])
    return found


def _noticed(tree: Path, mutant: Mutant) -> bool:
    with _applied(tree, mutant):
        try:
            by = _first_failure(tree, [*mutant.tests, "-k", mutant.expression])
        except RuntimeError as error:
            print(f"NOT RUN {mutant.id}: {error}", flush=True)
            return False
    LINES.parent.mkdir(exist_ok=True)
    with LINES.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"id": mutant.id, "by": by}) + "\n")
    print(f"{'noticed' if by else 'SURVIVED'} {mutant.id} {by}", flush=True)
    return bool(by)


def _verified(tree: Path, mutants: Sequence[Mutant]) -> int:
    """Check that the tests that detected faults pass without them."""
    last = {id: runs[-1] for id, runs in results().items()}
    tests = sorted({by for mutant in mutants if "::" in (by := last.get(mutant.id, ""))})
    failed = _first_failure(tree, tests)
    print(f"fails without a fault: {failed}" if failed else f"{len(tests)} tests pass without one")
    return 1 if failed else 0


def _first_failure(tree: Path, what: Sequence[str]) -> str:
    """The first test that fails; empty if all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", *what]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer in {_SECONDS} s"
    found = _FAILED.search(done.stdout)
    if done.returncode == _NOTICED and found:
        return found[1]
    if done.returncode != _ALL_PASSED:
        raise RuntimeError(f"{' '.join(what)} could not be run:\n{done.stdout}{done.stderr}")
    return ""


@contextmanager
def _applied(tree: Path, mutant: Mutant) -> Iterator[None]:
    file = tree / mutant.path
    sound = file.read_text(encoding="utf-8")
    file.write_text(mutant.applied_to(sound), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(sound, encoding="utf-8")


@contextmanager
def _copied() -> Iterator[Path]:
    """A temporary copy of the tracked and untracked files that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        for name in filter(None, listed.split("\0")):
            if (REPOSITORY / name).is_file():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, Path(folder) / name)
        yield Path(folder)


if __name__ == "__main__":
    sys.exit(main())
