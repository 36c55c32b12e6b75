"""A wheel that is built here says what it is made of, and the audit says when it could not look."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from commonplace import __version__
from tools.release.audit import CLEAN, UNKNOWN, VULNERABLE, findings_of
from tools.release.sbom import LOCK, Product, bill, locked

ROOT = Path(__file__).parents[2]
Bill = dict[str, Any]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as a release is, with nothing but what is installed."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def shipped(wheel: Path) -> Bill:
    with zipfile.ZipFile(wheel) as archive:
        named = [name for name in archive.namelist() if "/sboms/" in name]
        assert named == [f"commonplace_mcp-{__version__}.dist-info/sboms/commonplace-mcp.cdx.json"]
        found: Bill = json.loads(archive.read(named[0]))
        return found


def test_the_bill_is_cyclonedx_and_about_this_version(shipped: Bill) -> None:
    assert shipped["bomFormat"] == "CycloneDX"
    assert shipped["specVersion"] == "1.6"
    assert re.fullmatch(
        r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", shipped["serialNumber"]
    )
    product = shipped["metadata"]["component"]
    assert product["purl"] == f"pkg:pypi/commonplace-mcp@{__version__}"
    assert product["licenses"] == [{"license": {"id": "Apache-2.0"}}]


def test_its_components_are_the_packages_of_the_lock_file(shipped: Bill) -> None:
    lock = (ROOT / LOCK).read_text(encoding="utf-8")
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", lock, re.MULTILINE)
    parts = shipped["components"]
    assert sorted((part["name"], part["version"]) for part in parts) == sorted(pinned)
    digests = {one["content"] for part in parts for one in part["hashes"]}
    assert digests == set(re.findall(r"--hash=sha256:([0-9a-f]{64})", lock))
    for part in parts:
        assert part["purl"] == part["bom-ref"]
        assert re.fullmatch(r"pkg:pypi/[a-z0-9-]+@\S+", part["purl"])


def test_what_the_product_itself_asks_for_is_named(shipped: Bill) -> None:
    (edges,) = shipped["dependencies"]
    refs = {part["bom-ref"] for part in shipped["components"]}
    assert edges["ref"] == shipped["metadata"]["component"]["bom-ref"]
    assert set(edges["dependsOn"]) <= refs
    assert any(ref.startswith("pkg:pypi/pydantic@") for ref in edges["dependsOn"])


def test_the_wheel_lists_the_bill_among_its_files(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (record,) = (name for name in archive.namelist() if name.endswith("/RECORD"))
        assert "/sboms/commonplace-mcp.cdx.json,sha256=" in archive.read(record).decode()


def test_the_same_lock_file_makes_the_same_bill() -> None:
    packages = locked((ROOT / LOCK).read_text(encoding="utf-8"))
    product = Product("p", "1", "Apache-2.0", ())
    assert bill(product, packages) == bill(product, reversed(packages))


def test_a_package_without_a_hash_is_no_part_of_a_bill() -> None:
    with pytest.raises(ValueError, match="not a pinned package"):
        locked("somewhere==1.0\n")


def test_an_audit_that_nobody_answered_is_not_a_clean_one() -> None:
    code, (line,) = findings_of("x.lock", "")
    assert code == UNKNOWN
    assert "no index of advisories could be reached" in line


def test_an_audit_names_what_is_vulnerable() -> None:
    vulnerable = {"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}
    sound = {"name": "b", "version": "1", "vulns": []}
    code, lines = findings_of("x.lock", json.dumps({"dependencies": [vulnerable, sound]}))
    assert (code, lines) == (VULNERABLE, ["x.lock: a 1: X-1, fixed in 2"])
    assert findings_of("x.lock", json.dumps({"dependencies": [sound]}))[0] == CLEAN
