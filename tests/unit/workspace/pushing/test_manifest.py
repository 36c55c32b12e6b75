"""What a push may name: plain relative paths, digests, no credentials, no more than allowed."""

from __future__ import annotations

import pytest

from commonplace.errors import CommonplaceError, InvalidArgument, SourceSensitive, SourceTooLarge
from commonplace.model.workspace import FileState, KnowledgeType
from commonplace.workspace.pushing.manifest import (
    FolderManifest,
    PushedFile,
    PushLimits,
    checked,
    differences,
    waiting_state,
)

LIMITS = PushLimits(files=3, file_bytes=100)
DIGEST = "a" * 64


def manifest(*files: PushedFile, kind: KnowledgeType = KnowledgeType.CODE) -> FolderManifest:
    return FolderManifest("shop", "src", kind, files)


def file(path: str, digest: str = DIGEST, size: int = 1) -> PushedFile:
    return PushedFile(path, digest, size)


def test_a_sound_manifest_passes() -> None:
    given = manifest(file("a.ts"), file("src/b.ts"), file(".github/c.md"))
    assert checked(given, LIMITS) is given


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ([file("../a.ts")], InvalidArgument),
        ([file("/etc/passwd")], InvalidArgument),
        ([file("a//b.ts")], InvalidArgument),
        ([file("a\\b.ts")], InvalidArgument),
        ([file("a\0.ts")], InvalidArgument),
        ([file("a.ts", digest="beef")], InvalidArgument),
        ([file("a.ts"), file("a.ts")], InvalidArgument),
        ([file("deep/.ENV")], SourceSensitive),
        ([file(".ssh/config")], SourceSensitive),
        ([file(".git/config")], SourceSensitive),
        ([file("vendor/lib/.GIT/HEAD")], SourceSensitive),
        ([file(".config/gh/hosts.yml")], SourceSensitive),
        ([file("a.ts", size=101)], SourceTooLarge),
        ([file(f"{n}.ts") for n in range(4)], SourceTooLarge),
    ],
)
def test_what_may_not_be_pushed_is_refused(
    files: list[PushedFile], error: type[CommonplaceError]
) -> None:
    with pytest.raises(error):
        checked(manifest(*files), LIMITS)


def test_what_is_also_read_may_be_pushed_but_no_folder_of_credentials() -> None:
    limits = PushLimits(files=3, file_bytes=100, also_read=frozenset({"passwords.txt"}))
    given = manifest(file("docs/Passwords.txt"))
    assert checked(given, limits) is given
    with pytest.raises(SourceSensitive):
        checked(manifest(file(".ssh/passwords.txt")), limits)


def test_only_folders_of_docs_and_code_are_pushed() -> None:
    with pytest.raises(InvalidArgument):
        checked(manifest(kind=KnowledgeType.RECORD), LIMITS)


def test_differences_are_by_digest() -> None:
    known = [
        FileState(n, path, "1-x", 2, 1, 0, "ts", DIGEST) for n, path in enumerate(("a", "b", "c"))
    ]
    found = differences(known, manifest(file("a"), file("b", digest="b" * 64), file("d")))
    assert [each.path for each in found.written] == ["b", "d"]
    assert [each.path for each in found.removed] == ["c"]


def test_a_file_that_waits_to_be_cut_keeps_what_is_known_of_its_chunks() -> None:
    known = FileState(1, "a", "1-x", 2, 1, 0, "ts", "b" * 64)
    state = waiting_state(file("a"), known)
    assert (state.content_hash, state.chunk_count, state.digest) == ("", 2, DIGEST)
