"""The file format of a backup: a ZIP file whose manifest lists, counts and checksums its members.

Knows how the file is written and verified, not what the members contain.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from commonplace.errors import BackupUnusable, StorageFull, StorageUnavailable
from commonplace.storage.port.archive import BackupManifest

FORMAT = 1
BLOCK = 1 << 20
_KIND = "commonplace-backup"
_MANIFEST = "manifest.json"
_LARGEST_MANIFEST = 10_000_000
_NO_SPACE = 28
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A member's checksum and, if it contains rows, their columns."""

    sha256: str
    columns: tuple[str, ...] = ()


@dataclass(slots=True)
class ArchiveWriter:
    """Writes members one after the other; `finish` completes the backup."""

    _zip: zipfile.ZipFile
    _members: dict[str, ArchiveMember] = field(default_factory=dict)

    @contextmanager
    def member(self, name: str, columns: tuple[str, ...] = ()) -> Iterator[_Hashing]:
        with self._zip.open(name, "w", force_zip64=True) as stream:
            hashing = _Hashing(stream)
            yield hashing
        self._members[name] = ArchiveMember(hashing.digest.hexdigest(), columns)

    def finish(self, manifest: BackupManifest) -> None:
        members = {name: asdict(member) for name, member in self._members.items()}
        document = {"kind": _KIND, "format": FORMAT, **asdict(manifest), "members": members}
        self._zip.writestr(_MANIFEST, json.dumps(document, indent=1))


class _Hashing:
    """A stream that hashes what is written to it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self.digest.update(data)
        self._stream.write(data)


@contextmanager
def new_archive(file: Path) -> Iterator[ArchiveWriter]:
    """Create a file that gets its name only when it is complete, readable by its owner only."""
    if file.exists():
        raise BackupUnusable("A file of that name already exists; choose another name.")
    partial = file.with_name(f".{file.name}.partial")
    try:
        with _as_storage_errors(), _private(partial) as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as opened:
                yield ArchiveWriter(opened)
            stream.flush()
            os.fsync(stream.fileno())
        with _as_storage_errors():
            partial.replace(file)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _private(file: Path) -> IO[bytes]:
    file.unlink(missing_ok=True)
    return os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")


@contextmanager
def _as_storage_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == _NO_SPACE:
            raise StorageFull("There is no room for the backup.") from error
        reason = (error.strerror or "unknown reason").lower()
        raise StorageUnavailable(f"The backup cannot be written: {reason}.") from error


@dataclass(frozen=True, slots=True)
class Archive:
    """A backup whose members have all been verified."""

    file: Path
    manifest: BackupManifest
    members: Mapping[str, ArchiveMember]

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        with _as_damage(), zipfile.ZipFile(self.file) as opened, opened.open(name) as stream:
            yield stream

    def extract(self, name: str, target: Path) -> None:
        with self.open(name) as stream, _as_storage_errors(), _private(target) as out:
            while block := stream.read(BLOCK):
                out.write(block)


def opened_archive(file: Path, store: str, known_version: int) -> Archive:
    """Open a backup and verify everything in it; BackupUnusable says what is wrong."""
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise BackupUnusable("The file is not a backup: it is a pipe or a device.")
    with _as_damage(), zipfile.ZipFile(file) as opened:
        document = _manifest_document(opened)
        manifest, members = _manifest(document, store, known_version)
        if {*opened.namelist()} != {*members, _MANIFEST}:
            raise BackupUnusable("The backup is damaged: parts are missing or unknown.")
        for name, member in members.items():
            if _sha256(opened, name) != member.sha256:
                raise BackupUnusable(f"The backup is damaged: {name} is not what it was.")
    return Archive(file, manifest, members)


@contextmanager
def _as_damage() -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise BackupUnusable("The file is not a backup, or it is damaged.") from error
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise BackupUnusable(f"The backup cannot be read: {reason}.") from error


def _manifest_document(opened: zipfile.ZipFile) -> dict[str, Any]:
    strange = BackupUnusable("The file is not a backup of Commonplace.")
    try:
        if opened.getinfo(_MANIFEST).file_size > _LARGEST_MANIFEST:
            raise strange
        document = json.loads(opened.read(_MANIFEST))
    except (KeyError, ValueError):
        raise strange from None
    if not isinstance(document, dict) or document.get("kind") != _KIND:
        raise strange
    return document


def _manifest(
    document: Mapping[str, Any], store: str, known_version: int
) -> tuple[BackupManifest, dict[str, ArchiveMember]]:
    if document["format"] != FORMAT:
        raise BackupUnusable("The backup is in a format of a newer Commonplace; upgrade this one.")
    if document["store"] != store:
        raise BackupUnusable(
            f"This is a backup of {document['store']}, and the database is {store}. "
            "`commonplace export` and `commonplace import` move data between them."
        )
    if document["schema_version"] > known_version:
        raise BackupUnusable(
            f"The backup has schema version {document['schema_version']}, and this Commonplace "
            f"knows only {known_version}. Upgrade Commonplace."
        )
    names = ("product", "store", "schema_version", "created_at", "counts")
    members = {
        name: ArchiveMember(member["sha256"], tuple(member["columns"]))
        for name, member in document["members"].items()
    }
    return BackupManifest(**{name: document[name] for name in names}), members


def _sha256(opened: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    with opened.open(name) as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()
