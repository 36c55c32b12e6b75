"""The manifest of a push: the files of a folder with their hashes, and its validation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from commonplace.errors import InvalidArgument, SourceSensitive, SourceTooLarge
from commonplace.model.workspace import FileState, KnowledgeType, Project
from commonplace.text.filenames import is_secret_folder, is_secret_path
from commonplace.workspace.indexing.plan import UNSETTLED

LONGEST_PATH = 1_000
LONGEST_NAME = 200
# Git stores remotes' URLs there, which may contain credentials.
_KEPT_BY_GIT = ".git"
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class PushedFile:
    """A file in a manifest; `digest` is the SHA-256 of its bytes, in hexadecimal."""

    path: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True)
class FolderManifest:
    """All current files of a folder; files it does not name have been deleted."""

    project: str
    name: str
    knowledge_type: KnowledgeType
    files: tuple[PushedFile, ...]


@dataclass(frozen=True, slots=True)
class PushLimits:
    """Limits for pushes; `also_read` has lower-case names accepted although they suggest
    credentials."""

    files: int
    file_bytes: int
    also_read: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Differences:
    written: tuple[PushedFile, ...]
    removed: tuple[FileState, ...]


@dataclass(frozen=True, slots=True)
class Pushed:
    """The result of a push. With `missing` digests, nothing was changed: send their bytes first."""

    missing: tuple[str, ...] = ()
    resource_id: str = ""
    attachment_id: str = ""
    run_id: str = ""
    written: int = 0
    removed: int = 0


def checked(manifest: FolderManifest, limits: PushLimits) -> FolderManifest:
    """The manifest, if all of its files are acceptable."""
    if not manifest.name.strip() or len(manifest.name) > LONGEST_NAME:
        raise InvalidArgument("A folder needs a name of at most 200 characters.", field="name")
    if manifest.knowledge_type not in (KnowledgeType.DOCS, KnowledgeType.CODE):
        raise InvalidArgument(
            "knowledgeType must be docs or code_intelligence.", field="knowledgeType"
        )
    if len(manifest.files) > limits.files:
        raise SourceTooLarge(f"The folder has more than {limits.files:,} files.")
    paths = [file.path for file in manifest.files]
    if len(set(paths)) != len(paths):
        raise InvalidArgument("A path occurs twice.", field="files")
    for file in manifest.files:
        _check(file, limits)
    return manifest


def _check(file: PushedFile, limits: PushLimits) -> None:
    parts = file.path.split("/")
    if any(part in ("", ".", "..") for part in parts) or len(file.path) > LONGEST_PATH:
        raise InvalidArgument("A path must be relative, with forward slashes.", field="files")
    if "\\" in file.path or not file.path.isprintable():
        raise InvalidArgument("A path must be plain text with forward slashes.", field="files")
    if any(part.lower() == _KEPT_BY_GIT for part in parts):
        raise SourceSensitive(f"{file.path} belongs to git, which may keep credentials there.")
    named = is_secret_path(file.path) and parts[-1].lower() not in limits.also_read
    if named or any(map(is_secret_folder, parts)):
        raise SourceSensitive(f"{file.path} is where credentials are kept.")
    if not _DIGEST.fullmatch(file.digest):
        raise InvalidArgument("A digest is a SHA-256 in hexadecimal.", field="files")
    if file.size > limits.file_bytes:
        raise SourceTooLarge(f"{file.path} has more than {limits.file_bytes:,} bytes.")


def differences(known: Sequence[FileState], manifest: FolderManifest) -> Differences:
    digests = {state.path: state.digest for state in known}
    named = {file.path for file in manifest.files}
    return Differences(
        tuple(file for file in manifest.files if digests.get(file.path) != file.digest),
        tuple(state for state in known if state.path not in named),
    )


def waiting_state(file: PushedFile, known: FileState | None) -> FileState:
    """A file whose bytes are stored but not chunked yet; its old chunks stay until then."""
    count = known.chunk_count if known else 0
    language = known.language if known else None
    return FileState(0, file.path, "", count, file.size, UNSETTLED, language, file.digest)


def locator_of(project: Project, name: str) -> str:
    return f"push://{quote(project.id, safe='')}/{quote(name, safe='')}"
