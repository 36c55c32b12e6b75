"""A folder is read as git sees it, never a credential, and never anything outside it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from commonplace.errors import SourceTooLarge, SourceUnreadable
from commonplace.reading.folders import DiskFolders, FolderLimits

FOLDERS = DiskFolders(FolderLimits())


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def listed(root: Path) -> list[str]:
    return [found.path for found in FOLDERS.list(str(root)).files]


def test_files_come_by_path_with_size_and_time(tmp_path: Path) -> None:
    written(tmp_path, {"b.md": "two", "a/z.md": "1", "a.md": "one"})

    files = FOLDERS.list(str(tmp_path)).files

    assert [found.path for found in files] == ["a.md", "a/z.md", "b.md"]
    assert files[0].size == 3
    assert files[0].modified_ns == (tmp_path / "a.md").stat().st_mtime_ns


def test_ignore_files_hold_at_every_level_and_the_nearest_decides(tmp_path: Path) -> None:
    written(
        tmp_path,
        {
            ".git/info/exclude": "private/\n",
            ".gitignore": "*.gen.ts\n/only_here.md\n# a comment\nlogs/\n",
            "a.gen.ts": "",
            "a.ts": "",
            "only_here.md": "",
            "sub/only_here.md": "",
            "sub/.gitignore": "!kept.gen.ts\n*.tmp\n",
            "sub/kept.gen.ts": "",
            "sub/b.gen.ts": "",
            "sub/x.tmp": "",
            "logs/today.md": "",
            "private/diary.md": "",
        },
    )

    assert listed(tmp_path) == [
        ".gitignore", "a.ts", "sub/.gitignore", "sub/kept.gen.ts", "sub/only_here.md"
    ]  # fmt: skip


def test_a_folder_inside_a_repository_obeys_the_files_above_it(tmp_path: Path) -> None:
    written(tmp_path, {".git/HEAD": "", ".gitignore": "src/made/\n", "src/made/a.ts": ""})
    written(tmp_path, {"src/own/b.ts": ""})

    assert listed(tmp_path / "src") == ["own/b.ts"]


@pytest.mark.parametrize(
    ("named", "files"),
    [
        ("", {"home/.config/git/ignore": "*.mine\n"}),
        ("", {"home/.gitconfig": '[core]\nexcludesFile = "~/own" # all\n', "home/own": "*.mine\n"}),
        ("", {"home/.config/git/config": "[Core]\nexcludesfile=~/own\n", "home/own": "*.mine\n"}),
        ("[core]\n\texcludesFile = ~/own\n[user]\n\texcludesFile = ~/other\n",
         {"home/.gitconfig": "[core]\nexcludesFile = ~/none\n", "home/own": "*.mine\n"}),
        ("", {"home/.gitconfig": "[include]\n path = parts/git\n path = ~/absent\n",
              "home/parts/git": "[core]\nexcludesFile = ~/own\n", "home/own": "*.mine\n"}),
        ("", {"home/.gitconfig": "[core]\nexcludesFile = ~/none\n[Include]\npath = ~/git\n",
              "home/git": "[core]\nexcludesFile = ~/own\n", "home/own": "*.mine\n"}),
        ("", {"home/.gitconfig": '[includeIf "gitdir:~/elsewhere/"]\npath = ~/git\n',
              "home/git": "[core]\nexcludesFile = ~/none\n",
              "home/.config/git/ignore": "*.mine\n"}),
        ("", {"home/.gitconfig": "[include]\npath = .gitconfig\n[core]\nexcludesFile = ~/own\n",
              "home/own": "*.mine\n"}),
    ],
)  # fmt: skip
def test_what_the_user_ignores_everywhere_counts_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, files: dict[str, str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    written(tmp_path, files)
    repository = written(tmp_path / "r", {".git/config": named, "a.mine": "", "a.md": ""})
    written(repository, {"sub/.gitignore": "!b.mine\n", "sub/b.mine": "", "build/c.md": ""})

    assert listed(repository) == ["a.md", "sub/.gitignore", "sub/b.mine"], "builds are left out"
    plain = written(tmp_path / "plain", {"a.mine": ""})
    assert listed(plain) == ["a.mine"], "it is no repository"


@pytest.mark.parametrize(
    "files",
    [
        {"settings/git/ignore": "*.mine\n", "home/.config/git/ignore": "*.md\n"},
        {"settings/git/config": "[core]\nexcludesFile = ~/own\n", "home/own": "*.mine\n"},
    ],
)
def test_the_user_may_keep_settings_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    written(tmp_path, files)
    repository = written(tmp_path / "r", {".git/HEAD": "", "a.mine": "", "a.md": ""})

    assert listed(repository) == ["a.md"]


def test_a_worktree_finds_the_exclude_file_of_its_repository(tmp_path: Path) -> None:
    written(tmp_path, {"main/.git/info/exclude": "secret.md\n"})
    written(tmp_path, {"main/.git/worktrees/w/commondir": "../..\n"})
    git = tmp_path / "main/.git/worktrees/w"
    written(tmp_path, {"w/.git": f"gitdir: {git}\n", "w/secret.md": "", "w/a.md": ""})

    assert listed(tmp_path / "w") == ["a.md"]


def test_tool_folders_credentials_and_pictures_are_passed_over(tmp_path: Path) -> None:
    written(tmp_path, {"node_modules/x/index.js": "", ".git/config": "", ".venv/a.py": ""})
    written(tmp_path, {".env": "TOKEN=1", "deep/ID_RSA": "key", ".ssh/config": "", "a.png": ""})
    written(tmp_path, {"package-lock.json": "{}", "src/secrets.py": "", "README.md": ""})

    assert listed(tmp_path) == ["README.md", "src/secrets.py"]


def test_what_holds_credentials_is_named_and_can_be_included(tmp_path: Path) -> None:
    written(tmp_path, {".config/gh/hosts.yml": "", "Passwords.txt": "", ".ssh/config": "", "a": ""})
    left_out = [".config/gh/hosts.yml", ".ssh", "Passwords.txt"]

    listing = FOLDERS.list(str(tmp_path))
    assert [found.path for found in listing.files] == ["a"]
    assert [each.path for each in listing.unread] == left_out
    reasons = {each.reason for each in listing.unread}
    assert reasons == {"Its name suggests that it contains credentials."}

    also = FolderLimits(also_read=frozenset({"passwords.txt", "config"}))
    listing = DiskFolders(also).list(str(tmp_path))
    assert [found.path for found in listing.files] == ["Passwords.txt", "a"]
    assert [each.path for each in listing.unread] == left_out[:2]


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_what_git_keeps_is_read_although_it_is_ignored(tmp_path: Path, version: str) -> None:
    names = ("package.json", "made/kept/a.ts", "made/kept/ab.ts", "src/long/name/of/a/file.ts")
    written(tmp_path, dict.fromkeys((*names, "made/kept/other.ts", "made/c.ts", "x.json"), "1"))
    written(tmp_path, {".gitignore": "*.json\nmade/\n"})
    git(tmp_path, "init")
    git(tmp_path, "add", "--force", *names)
    if version == "3":  # an entry with more flags than fit into two bytes
        git(tmp_path, "add", "--intent-to-add", ".gitignore")
    else:
        git(tmp_path, "update-index", "--index-version", version)
    assert (tmp_path / ".git/index").read_bytes()[7] == int(version)

    assert listed(tmp_path) == [".gitignore", *sorted(names)]
    assert listed(tmp_path / "made") == ["kept/a.ts", "kept/ab.ts"]


def test_what_we_are_told_to_ignore_is_not_read_whatever_git_keeps(tmp_path: Path) -> None:
    names = {
        "vendor/lib.py": "",
        "docs/a.md": "",
        "docs/old/b.md": "",
        "out/report.md": "",
        "c.py": "",
    }
    own = {".commonplaceignore": "vendor/\n*.lock.md\n!out/\n", "docs/.commonplaceignore": "/old\n"}
    written(tmp_path, names | own | {".gitignore": "out/\n", "x.lock.md": ""})
    git(tmp_path, "init")
    git(tmp_path, "add", "--force", *names)
    git(tmp_path, "rm", "-q", "--cached", "out/report.md")
    read = [name for name in listed(tmp_path) if "ignore" not in name]
    assert read == ["c.py", "docs/a.md", "out/report.md"]
    assert listed(tmp_path / "docs") == [".commonplaceignore", "a.md"]
    assert listed(tmp_path / "vendor") == []


def test_an_index_of_longer_hashes_is_read(tmp_path: Path) -> None:
    written(tmp_path, {".gitignore": "*.md\n", "a.md": "1", "sub/long-name.md": "1", "b.md": "1"})
    git(tmp_path, "init", "--object-format=sha256")
    git(tmp_path, "add", "--force", "a.md", "sub/long-name.md")

    assert listed(tmp_path) == [".gitignore", "a.md", "sub/long-name.md"]


def test_an_index_in_several_files_is_told(tmp_path: Path) -> None:
    written(tmp_path, {".gitignore": "*.md\n", "a.md": "1", "b.txt": "1"})
    git(tmp_path, "init")
    git(tmp_path, "add", "--force", "a.md", "b.txt")
    git(tmp_path, "update-index", "--split-index")

    listing = FOLDERS.list(str(tmp_path))

    assert [found.path for found in listing.files] == [".gitignore", "b.txt"]
    assert [(one.path, "several files" in one.reason) for one in listing.unread] == [
        (".git/index", True)
    ]


def test_a_worktree_has_an_index_of_its_own(tmp_path: Path) -> None:
    main = written(tmp_path / "main", {".gitignore": "*.md\n", "a.md": "1"})
    git(main, "init")
    git(main, "add", "--force", ".")
    git(main, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "first")
    git(main, "worktree", "add", str(tmp_path / "other"))
    git(main, "rm", "--cached", "a.md")

    assert listed(tmp_path / "other") == [".gitignore", "a.md"]
    assert listed(main) == [".gitignore"]


def of_names_that_grow(count: int) -> bytes:
    """An index in which each name is the one before with a thousand letters more."""
    entry = bytes(62) + b"\0" + b"a" * 1_000 + b"\0"
    return b"DIRC" + (4).to_bytes(4, "big") + count.to_bytes(4, "big") + entry * count


@pytest.mark.parametrize(
    "index",
    [
        b"",
        b"DIRC",
        b"DIRC\0\0\0\2\xff\xff\xff\xff" + b"x" * 99,
        of_names_that_grow(1_000),
    ],
    ids=["empty", "cut", "broken", "endless"],
)
def test_an_index_that_cannot_be_read_keeps_nothing(tmp_path: Path, index: bytes) -> None:
    written(tmp_path, {".gitignore": "*.md\n", "a.md": "1", ".git/HEAD": ""})
    (tmp_path / ".git/index").write_bytes(index)

    assert listed(tmp_path) == [".gitignore"]


def test_build_outputs_are_read_only_where_the_project_says_what_it_ignores(tmp_path: Path) -> None:
    written(tmp_path, {"plain/build/a.js": "", "plain/a.js": ""})
    written(tmp_path, {"told/.gitignore": "/dist\n", "told/build/a.js": "", "told/dist/b.js": ""})

    assert listed(tmp_path / "plain") == ["a.js"]
    assert listed(tmp_path / "told") == [".gitignore", "build/a.js"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside = written(tmp_path / "outside", {"secret.md": "not yours"})
    root = written(tmp_path / "root", {"a.md": "mine"})
    (root / "file.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)

    assert listed(root) == ["a.md"]
    for path in ("file.md", "folder/secret.md", "../outside/secret.md", "loop/a.md"):
        with pytest.raises(SourceUnreadable):
            FOLDERS.read(str(root), path)


def test_a_folder_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    written(tmp_path / "real", {"a.md": "text"})
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert FOLDERS.read(str(tmp_path / "real"), "a.md")[1] == b"text"
    with pytest.raises(SourceUnreadable):
        FOLDERS.list(str(tmp_path / "link"))
    with pytest.raises(SourceUnreadable):
        FOLDERS.read(str(tmp_path / "link"), "a.md")


def test_only_what_is_allowed_is_opened(tmp_path: Path) -> None:
    given = str(written(tmp_path / "given", {"a.md": "text"}))
    other = str(written(tmp_path / "given-not", {"a.md": "text"}))
    folders = DiskFolders(FolderLimits(), allowed=(given,))

    assert len(folders.list(given).files) == 1
    with pytest.raises(SourceUnreadable):
        folders.list(other)
    with pytest.raises(SourceUnreadable):
        DiskFolders(FolderLimits(), allowed=()).read(given, "a.md")


def test_a_pipe_is_neither_listed_nor_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")

    assert listed(tmp_path) == []
    with pytest.raises(SourceUnreadable):
        FOLDERS.read(str(tmp_path), "pipe.md")


def test_limits_of_number_and_size(tmp_path: Path) -> None:
    written(tmp_path, {"a.md": "12345", "b.md": "1", "c.md": "1"})

    small = DiskFolders(FolderLimits(text_bytes=4)).list(str(tmp_path))
    assert [found.path for found in small.files] == ["b.md", "c.md"]
    assert [(unread.path, "4 bytes" in unread.reason) for unread in small.unread] == [
        ("a.md", True)
    ]
    with pytest.raises(SourceTooLarge):
        DiskFolders(FolderLimits(files=2)).list(str(tmp_path))
    with pytest.raises(SourceTooLarge):
        DiskFolders(FolderLimits(text_bytes=4)).read(str(tmp_path), "a.md")


def test_a_name_that_is_no_text_is_reported(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")

    listing = FOLDERS.list(str(tmp_path))

    assert listing.files == ()
    assert [unread.path for unread in listing.unread] == ["caf?.md"]


def test_a_folder_that_has_gone_cannot_be_listed(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable):
        FOLDERS.list(str(tmp_path / "gone"))
