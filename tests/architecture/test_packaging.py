"""Every dependency is locked with hashes, and no licence binds users."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageMetadata, distributions

import pytest

from tests.architecture.tree import REPOSITORY

LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-dev.lock")
HASHES = r"(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+"
PIN = re.compile(rf"^([\w.-]+)==(\S+)(?: ; [^\\]+)? \\\n{HASHES}", re.MULTILINE)
UNWANTED = frozenset({"torch", "tensorflow", "tree-sitter-language-pack"})


def pins(lock: str) -> set[tuple[str, str]]:
    text = (REPOSITORY / lock).read_text(encoding="utf-8")
    rest = PIN.sub("", text).strip()
    assert not rest, f"{lock}: a line that is no pin with hashes:\n{rest[:200]}"
    return {(normal(name), version) for name, version in PIN.findall(text)}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*extras: str) -> set[str]:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    rows = [*project["dependencies"], *(row for extra in extras for row in optional[extra])]
    names = {normal(re.split(r"[\[<>=;!~ ]", row, maxsplit=1)[0]) for row in rows}
    return names - {normal(project["name"])}


def test_every_dependency_is_locked() -> None:
    assert declared("team") <= {name for name, _ in pins("requirements.lock")}
    assert declared("team", "dev") <= {name for name, _ in pins("requirements-dev.lock")}


def test_development_runs_what_users_run() -> None:
    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def test_a_checkout_is_installed_with_what_development_has() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    build = pins("requirements-build.lock")
    needed = {re.split("[<>=]", row)[0] for row in project["dependency-groups"]["build"]}
    assert needed <= {name for name, _ in build}
    assert build <= pins("requirements-dev.lock")


@pytest.mark.parametrize("lock", LOCKS)
def test_nothing_heavy_or_downloading_is_locked(lock: str) -> None:
    assert not UNWANTED & {name for name, _ in pins(lock)}


def test_no_installed_package_has_a_licence_that_binds_users() -> None:
    found = [d.metadata["Name"] for d in distributions() if "AGPL" in licence(d.metadata).upper()]
    assert not found


def licence(metadata: PackageMetadata) -> str:
    fields = ("License-Expression", "License", "Classifier")
    words = " ".join(value for field in fields for value in metadata.get_all(field, []))
    return words.replace("GNU Affero", "AGPL")
