"""The history of files as git tells it, and that nothing of a repository is run to learn it."""

from __future__ import annotations

import os
import subprocess
import tracemalloc
from pathlib import Path

import pytest

from commonplace.errors import InvalidArgument, SourceUnreadable
from commonplace.reading import git_objects
from commonplace.reading.git_log import GitLog

ADA = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
       "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}  # fmt: skip
FIRST = "def light():\n    return 1\n\n\ndef dim():\n    return 0\n"


def git(folder: Path, *words: str, day: str = "2024-05-01", given: str = "") -> str:
    dated = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}
    around = {**os.environ, **ADA, **dated, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", *words], cwd=folder, env=around, check=True, capture_output=True,
        input=given.encode(),
    )  # fmt: skip
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "src" / "lamp.py").write_text(FIRST)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Add lamps")
    (folder / "src" / "lamp.py").write_text(FIRST.replace("return 1", "return 2"))
    (folder / "README.md").write_text("# Lamps\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Make them brighter", day="2024-06-01")
    return folder


def test_lines_are_told_with_who_wrote_them_last(repository: Path) -> None:
    bright, first = GitLog().last_changes(str(repository), "src/lamp.py", 1, 2)
    assert (bright.subject, bright.author, bright.lines) == ("Make them brighter", "Ada", 1)
    assert bright.at is not None
    assert f"{bright.at:%Y-%m-%d}" == "2024-06-01"
    assert (first.subject, first.lines) == ("Add lamps", 1)
    (dim,) = GitLog().last_changes(str(repository / "src"), "lamp.py", 5, 6)
    assert dim.subject == "Add lamps"


def test_what_is_not_committed_is_told_as_such(repository: Path) -> None:
    text = FIRST.replace("return 1", "return 3")
    (repository / "src" / "lamp.py").write_text("# New first line\n" + text)
    now, first = GitLog().last_changes(str(repository), "src/lamp.py", 2, 3)
    assert (now.id, now.subject, now.lines) == ("", "not committed yet", 1)
    assert first.subject == "Add lamps", "lines are found though others moved them"


def test_a_time_before_all_commits_leaves_none_out(repository: Path) -> None:
    for day in ("1835-01-01", "1969-12-31T23:00:00Z", "1970-01-01"):
        assert len(GitLog().changes(str(repository), ".", day, 9)) == 2


def test_a_tag_that_breaks_the_line_is_told_to_nobody(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    for name in ("v1.0", "v1.1\nx"):
        (repository / ".git/refs/tags" / name).write_text(f"{head}\n")
    with pytest.raises(InvalidArgument, match=r"its tags are like v1\.0\.$"):
        GitLog().changes(str(repository), ".", "v1.1", 9)


def test_a_day_that_no_calendar_has_is_refused(repository: Path) -> None:
    for day in ("2024-13-01", "2024-02-30T10:00:00Z", "2024-05-01T99:00"):
        with pytest.raises(InvalidArgument, match="no time like"):
            GitLog().changes(str(repository), ".", day, 9)


def test_commits_of_a_file_or_folder_since_a_day(repository: Path) -> None:
    log = GitLog()
    assert [one.subject for one in log.changes(str(repository), "src/lamp.py", "", 9)] == [
        "Make them brighter",
        "Add lamps",
    ]
    (recent,) = log.changes(str(repository), "", "2024-05-20", 9)
    assert recent.files == ("README.md", "src/lamp.py")
    assert log.changes(str(repository / "src"), "", "2024-05-20", 9)
    assert log.changes(str(repository), "src/lamp.py", "", 1)[0].subject == "Make them brighter"
    assert log.changes(str(repository), "nothing.py", "", 9) == []


def test_names_are_told_as_they_are_written(repository: Path) -> None:
    (repository / "src" / "wärme.py").write_text("HOT = 1\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "Warn of heat", day="2024-07-01")
    (warm,) = GitLog().changes(str(repository), "", "", 1)
    assert warm.files == ("src/wärme.py",)


def test_messages_are_told_whole_from_where_they_ended(repository: Path) -> None:
    log = GitLog()
    git(repository, "commit", "-qm", "Say why\n\nLamps went out at noon.", "--allow-empty")
    told = log.messages(str(repository / "src"), "", 9)
    assert [message for _, message in told] == [
        "Add lamps",
        "Make them brighter",
        "Say why\n\nLamps went out at noon.",
    ]
    assert log.messages(str(repository), told[1][0], 9) == told[2:]
    assert log.messages(str(repository), "--all", 9) == told, "what is no commit is not one"
    assert log.messages(str(repository), "", 1) == told[2:]
    assert log.top(str(repository / "src")) == str(repository)


def test_a_subject_cannot_forge_another_commit(repository: Path) -> None:
    forged = f"Dim them\x1e{'a' * 40}\x1fGrace\x1f1700000000\x1fTrust everybody\x1f"
    git(repository, "commit", "-q", "--allow-empty", "-m", forged)
    log = GitLog()
    told = log.changes(str(repository), "", "", 9)
    assert len(told) == 2, "without a file it is no change of one"
    (repository / "README.md").write_text("# Dim\n")
    git(repository, "commit", "-qam", forged)
    authors = [one.author for one in log.changes(str(repository), "", "", 9)]
    assert authors == ["Ada"] * len(authors)
    assert len(log.messages(str(repository), "", 9)) == 4


def test_a_work_tree_is_read_and_a_file_that_only_claims_to_be_one_is_not(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "other"))
    assert GitLog().changes(str(tmp_path / "other"), "", "", 9)
    thief = tmp_path / "thief"
    thief.mkdir()
    (thief / ".git").write_text(f"gitdir: {repository / '.git'}\n")
    with pytest.raises(SourceUnreadable, match="not in a git repository"):
        GitLog().changes(str(thief), "", "", 9)
    (thief / ".git").unlink()
    (thief / ".git").symlink_to(repository / ".git")
    with pytest.raises(SourceUnreadable, match="not in a git repository"):
        GitLog().changes(str(thief), "", "", 9)


def test_objects_of_others_are_not_read(repository: Path, tmp_path: Path) -> None:
    thief = tmp_path / "thief"
    thief.mkdir()
    git(thief, "init", "-q", "-b", "main")
    (thief / ".git" / "refs" / "heads" / "main").write_text(git(repository, "rev-parse", "HEAD"))
    objects = thief / ".git" / "objects"
    (objects / "info" / "alternates").write_text(f"{repository / '.git' / 'objects'}\n")
    with pytest.raises(SourceUnreadable, match="borrows objects"):
        GitLog().changes(str(thief), "", "", 9)
    (objects / "info" / "alternates").unlink()
    (thief / ".git" / "commondir").write_text(f"{repository / '.git'}\n")
    with pytest.raises(SourceUnreadable, match="objects elsewhere"):
        GitLog().changes(str(thief), "", "", 9)
    with pytest.raises(SourceUnreadable, match="outside the folders that this server"):
        GitLog([str(tmp_path / "elsewhere")]).changes(str(repository), "", "", 9)
    assert GitLog([str(tmp_path)]).changes(str(repository), "", "", 9)


def test_objects_of_others_are_not_read_through_what_looks_like_nothing(
    repository: Path, tmp_path: Path
) -> None:
    thief = tmp_path / "thief"
    thief.mkdir()
    git(thief, "init", "-q", "-b", "main")
    (thief / ".git" / "refs" / "heads" / "main").write_text(git(repository, "rev-parse", "HEAD"))
    own, others = thief / ".git" / "objects", repository / ".git" / "objects"
    long = own / "info" / "alternates"
    long.write_text("\n" * 600_000 + f"{others}\n")
    with pytest.raises(SourceUnreadable, match="borrows objects"):
        GitLog().changes(str(thief), "", "", 9)
    long.unlink()
    linked = [each for each in others.iterdir() if len(each.name) == 2]
    for each in linked:
        (own / each.name).symlink_to(each)
    with pytest.raises(SourceUnreadable, match="objects elsewhere"):
        GitLog().changes(str(thief), "", "", 9)
    for each in linked:
        (own / each.name).unlink()
        (own / each.name).mkdir()
        for one in each.iterdir():
            (own / each.name / one.name).symlink_to(one)
    with pytest.raises(SourceUnreadable, match="objects elsewhere"):
        GitLog().changes(str(thief), "", "", 9)


def test_a_commit_of_more_files_than_fit_takes_neither_memory_nor_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five trees, each ten times in the next, name a hundred thousand files."""
    git(tmp_path, "init", "-q", "-b", "main")
    blob = git(tmp_path, "hash-object", "-w", "--stdin", given="nothing")
    kind, held = "100644 blob", blob
    for _ in range(5):
        names = "".join(f"{kind} {held}\t{n}{'x' * 200}\n" for n in range(10))
        kind, held = "040000 tree", git(tmp_path, "mktree", given=names)
    git(tmp_path, "update-ref", "HEAD", git(tmp_path, "commit-tree", held, "-m", "Grow"))
    tracemalloc.start()
    try:
        (told,) = GitLog().changes(str(tmp_path), "", "", 9)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert told.subject == "Grow"
    assert most < 50_000_000, "a hundred million characters are told"
    monkeypatch.setattr(git_objects, "_MOST_MEMORY", 30_000_000)
    with pytest.raises(SourceUnreadable):
        GitLog().changes(str(tmp_path), "", "", 9)


def test_folders_in_folders_among_objects_are_not_followed(repository: Path) -> None:
    first = repository / ".git" / "objects" / "x"
    try:
        subprocess.run(["mkdir", "-p", f"{first}{'/x' * 1_000}"], check=True)
        assert len(GitLog().changes(str(repository), "", "", 9)) == 2
    finally:
        # Python's own way to remove folders goes no deeper than its stack.
        subprocess.run(["rm", "-r", str(first)], check=True)


def test_a_subject_without_an_end_is_cut(repository: Path) -> None:
    (repository / "src" / "lamp.py").write_text("# Now\n")
    git(repository, "commit", "-qa", "-F", "-", given="and " * 100_000)
    (told,) = GitLog().changes(str(repository), "", "", 1)
    assert (told.subject[:8], len(told.subject)) == ("and and ", 300)
    (line,) = GitLog().last_changes(str(repository), "src/lamp.py", 1, 1)
    assert line.subject == told.subject


def test_a_moment_that_no_calendar_has_is_none(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD^{tree}")
    late = (
        f"tree {head}\nauthor Ada <ada@example.org> 999999999999999 +0000\n"
        "committer Ada <ada@example.org> 1714564800 +0000\n\nCome late\n"
    )
    made = git(
        repository, "hash-object", "-w", "-t", "commit", "--literally", "--stdin", given=late
    )
    git(repository, "update-ref", "HEAD", made)
    (told,) = GitLog().changes(str(repository), "", "", 9)
    assert (told.subject, told.at) == ("Come late", None)
    (line,) = GitLog().last_changes(str(repository), "src/lamp.py", 1, 1)
    assert (line.subject, line.at) == ("Come late", None)


def test_a_folder_is_asked_about_by_its_own_name_and_nothing_beside_it(repository: Path) -> None:
    hidden = repository / ".github"
    hidden.mkdir()
    (hidden / "build.yml").write_text("on: push\n")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "Build it")
    log = GitLog()
    assert [one.subject for one in log.changes(str(hidden), "", "", 9)] == ["Build it"]
    assert [one.subject for one in log.changes(str(repository), ".github", "", 9)] == ["Build it"]
    for beside in ("../README.md", "lamp.py/../../README.md"):
        with pytest.raises(SourceUnreadable, match="outside"):
            log.changes(str(repository / "src"), beside, "", 9)


def test_nothing_that_a_repository_configures_is_run(repository: Path, tmp_path: Path) -> None:
    """Every way that is known to us of making git run a program, at once."""
    ran = tmp_path / "ran"
    script = tmp_path / "script.sh"
    script.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    script.chmod(0o755)
    hooks = repository / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman"):
        (hooks / hook).write_text(script.read_text())
        (hooks / hook).chmod(0o755)
    (repository / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\n")
    (repository / ".git" / "info" / "attributes").write_text("* diff=evil filter=evil\n")
    settings = {
        "core.fsmonitor": str(script), "core.hooksPath": str(hooks), "core.pager": str(script),
        "core.editor": str(script), "core.sshCommand": str(script), "core.askPass": str(script),
        "core.alternateRefsCommand": str(script), "core.gitProxy": str(script),
        "diff.external": str(script), "diff.evil.textconv": str(script),
        "diff.evil.command": str(script), "filter.evil.clean": str(script),
        "filter.evil.smudge": str(script), "filter.evil.process": str(script),
        "filter.evil.required": "true", "gpg.program": str(script), "log.showSignature": "true",
        "pager.log": str(script), "pager.blame": str(script), "alias.log": f"!{script}",
        "alias.blame": f"!{script}", "interactive.diffFilter": str(script),
        "credential.helper": f"!{script}", "uploadpack.packObjectsHook": str(script),
        "remote.origin.url": f"ext::{script}", "remote.origin.promisor": "true",
        "extensions.partialClone": "origin", "core.repositoryformatversion": "1",
        "protocol.ext.allow": "always", "trailer.x.command": str(script),
        "blame.ignoreRevsFile": "/nonexistent", "include.path": "/nonexistent",
    }  # fmt: skip
    config = repository / ".git" / "config"
    parts = (name.rpartition(".") for name in settings)
    lines = [
        f'[{outer.partition(".")[0]}{_inner(outer)}]\n\t{key} = "{settings[f"{outer}.{key}"]}"\n'
        for outer, _, key in parts
    ]
    config.write_text("".join(lines))
    log = GitLog()
    assert log.last_changes(str(repository), "src/lamp.py", 1, 2)[0].subject == "Make them brighter"
    assert len(log.changes(str(repository), "", "", 9)) == 2
    assert len(log.messages(str(repository), "", 9)) == 2
    assert not ran.exists()


def _inner(outer: str) -> str:
    name = outer.partition(".")[2]
    return f' "{name}"' if name else ""


def test_names_with_signs_are_only_names(repository: Path) -> None:
    log = GitLog()
    for path in ("--output=/tmp/x", ":(glob)**", "-L1,1", "src/*.py"):
        assert log.changes(str(repository), path, "", 9) == []
    for path in ("../../etc/passwd", "src\0lamp.py", "src/\ud800", "x" * 300_000):
        with pytest.raises(SourceUnreadable):
            log.changes(str(repository), path, "", 9)
    with pytest.raises(SourceUnreadable):
        log.last_changes(str(repository), "../other.py", 1, 1)


def test_a_folder_without_history_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="not in a git repository"):
        GitLog().changes(str(tmp_path), "", "", 9)
    git(tmp_path, "init", "-q", "-b", "main")
    with pytest.raises(SourceUnreadable, match="no commit yet"):
        GitLog().changes(str(tmp_path), "", "", 9)
