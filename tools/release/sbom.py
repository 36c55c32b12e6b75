"""Writes the wheel's bill of materials (CycloneDX) from the lock file, when the wheel is built.

It goes to `sboms/` of the wheel's metadata, as PEP 770 says. One file, because the builder loads it
by its path.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCK = "requirements.lock"
SPEC_VERSION = "1.6"
_PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+)(?: ; (.+))?")
_HASH = re.compile(r"--hash=(sha256):([0-9a-f]{64})")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


# Not a dataclass, which would look up its module by name: the builder does not register it.
class Pinned(NamedTuple):
    """One package of the lock file; the marker says on which platforms it is installed."""

    name: str
    version: str
    marker: str | None
    hashes: tuple[str, ...]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{normal(self.name)}@{self.version}"


class Product(NamedTuple):
    name: str
    version: str
    licence: str
    requires: Sequence[str]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{normal(self.name)}@{self.version}"


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(text: str) -> list[Pinned]:
    """The packages of a lock file; a line that is neither a pin nor a hash is an error."""
    found = []
    for statement in text.replace("\\\n", " ").splitlines():
        if not statement.strip() or statement.startswith("#"):
            continue
        requirement, *_ = statement.partition("--hash=")
        pinned = _PINNED.fullmatch(requirement.strip())
        hashes = tuple(digest for _, digest in _HASH.findall(statement))
        if pinned is None or not hashes:
            raise ValueError(f"not a pinned package with hashes: {statement[:80]!r}")
        found.append(Pinned(pinned[1], pinned[2], pinned[3], hashes))
    return found


def bill(product: Product, packages: Iterable[Pinned]) -> dict[str, Any]:
    """The bill of materials; reproducible, as it has no date and no paths."""
    packages = sorted(packages, key=lambda package: package.purl)
    by_name = {normal(package.name): package.purl for package in packages}
    direct = {by_name.get(normal(name)) for name in _names(product.requires)}
    content = json.dumps([[p.purl, p.marker, p.hashes] for p in packages])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": SPEC_VERSION,
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, product.purl + content)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": product.purl,
                "name": product.name,
                "version": product.version,
                "purl": product.purl,
                "licenses": [{"license": {"id": product.licence}}],
            },
            "lifecycles": [{"phase": "build"}],
        },
        "components": [_component(package) for package in packages],
        "dependencies": [{"ref": product.purl, "dependsOn": sorted(filter(None, direct))}],
    }


def _component(package: Pinned) -> dict[str, Any]:
    """One package with the hashes of all its files; which is installed depends on the platform."""
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "purl": package.purl,
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in package.hashes],
    }
    if package.marker:
        component["scope"] = "optional"
        component["properties"] = [{"name": "python:marker", "value": package.marker}]
    return component


def _names(requires: Sequence[str]) -> list[str]:
    return [found[0] for one in requires if (found := _NAME.match(one))]


class BillOfMaterials(BuildHookInterface[BuilderConfig]):
    """A build hook that writes the bill into wheels, but not into editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        core = self.metadata.core
        product = Product(
            core.name, self.metadata.version, core.license_expression, core.dependencies
        )
        made = bill(product, locked(Path(self.root, LOCK).read_text(encoding="utf-8")))
        path = Path(self.directory) / f"{core.name}.cdx.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(path))
