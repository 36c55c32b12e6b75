"""Only what differs is read, and only what turned out to differ is written."""

from __future__ import annotations

from commonplace.model.folder import FolderFile
from commonplace.model.workspace import FileState
from commonplace.workspace.indexing.drafts import REVISION
from commonplace.workspace.indexing.plan import (
    UNSETTLED,
    Move,
    Plan,
    plan_of,
    settled_time,
    suspects,
)


def state(
    key: int, path: str, hashed: str = f"{REVISION}-a", size: int = 1, time: int = 5
) -> FileState:
    return FileState(key, path, hashed, 1, size, time)


def found(path: str, size: int = 1, time: int = 5) -> FolderFile:
    return FolderFile(path, size, time)


def test_the_same_size_and_time_is_not_read_again() -> None:
    known = [state(1, "same"), state(2, "larger"), state(3, "later"), state(4, "old", "0-a")]
    listed = [found("same"), found("larger", size=2), found("later", time=6), found("old")]

    assert [each.path for each in suspects(known, [*listed, found("new")])] == [
        "larger", "later", "old", "new"
    ]  # fmt: skip
    assert len(suspects(known, listed, anew=True)) == 4


def test_added_changed_touched_and_gone() -> None:
    known = [
        state(1, "kept"),
        state(2, "edited"),
        state(3, "touched"),
        state(4, "gone", f"{REVISION}-g"),
    ]
    listed = [found("kept"), found("edited"), found("touched"), found("added")]
    hashes = {"edited": f"{REVISION}-b", "touched": f"{REVISION}-a", "added": f"{REVISION}-c"}

    plan = plan_of(known, listed, hashes)

    assert plan.written == ("added", "edited")
    assert [each.path for each in plan.touched] == ["touched"]
    assert [each.path for each in plan.gone] == ["gone"]
    assert not plan.moved


def test_the_same_content_under_another_path_has_moved() -> None:
    known = [state(1, "old.ts", f"{REVISION}-a"), state(2, "twin.ts", f"{REVISION}-a")]
    listed = [found("x.ts"), found("y.ts"), found("z.ts")]

    plan = plan_of(
        known, listed, {"x.ts": f"{REVISION}-a", "y.ts": f"{REVISION}-a", "z.ts": f"{REVISION}-a"}
    )

    assert plan.moved == (Move(known[0], "x.ts"), Move(known[1], "y.ts"))
    assert plan.written == ("z.ts",)
    assert not plan.gone


def test_a_copy_is_no_move() -> None:
    known = [state(1, "a.ts")]
    plan = plan_of(known, [found("a.ts"), found("b.ts")], {"b.ts": f"{REVISION}-a"})
    assert (plan.moved, plan.written, plan.gone) == ((), ("b.ts",), ())


def test_two_files_that_changed_places_are_both_written() -> None:
    known = [state(1, "a", f"{REVISION}-a"), state(2, "b", f"{REVISION}-b")]
    plan = plan_of(
        known,
        [found("a", time=6), found("b", time=6)],
        {"a": f"{REVISION}-b", "b": f"{REVISION}-a"},
    )
    assert plan.written == ("a", "b")


def test_a_rebuild_writes_everything_and_moves_nothing() -> None:
    known = [state(1, "a", f"{REVISION}-a"), state(2, "b", f"{REVISION}-b")]
    plan = plan_of(
        known, [found("a"), found("c")], {"a": f"{REVISION}-a", "c": f"{REVISION}-b"}, anew=True
    )
    assert plan.written == ("a", "c")
    assert [each.path for each in plan.gone] == ["b"]


def test_a_file_that_could_not_be_read_stays_as_it_was() -> None:
    known = [state(1, "a")]
    assert plan_of(known, [found("a", time=9)], {}) == Plan((), (), (), ())
    assert plan_of(known, [found("a", time=9)], {}).is_empty


def test_a_file_written_just_now_is_looked_at_again() -> None:
    assert settled_time(found("a", time=5), 5 + 10**8) == UNSETTLED
    assert settled_time(found("a", time=5), 5 + 10**10) == 5
