"""Compares a folder with its index and plans the update. Pure.

In two steps, because only files whose size or time differ are read: `suspects` lists these, and
`plan_of` decides by their hashes what to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from commonplace.model.folder import FolderFile
from commonplace.model.workspace import FileState
from commonplace.workspace.indexing.drafts import is_current

# A file written this shortly before it was read may be written again with the same time stamp.
SETTLED_NS = 1_000_000_000
UNSETTLED = 0
# More changes at once come from switching branches, not from editing.
_FEW_FILES = 16


@dataclass(frozen=True, slots=True)
class Move:
    known: FileState
    path: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do with the files of a folder.

    `written` are the paths to chunk; `touched` have a new time only; `gone` are to remove.
    """

    written: tuple[str, ...]
    touched: tuple[FileState, ...]
    moved: tuple[Move, ...]
    gone: tuple[FileState, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.written or self.moved or self.gone)


def suspects(
    known: Iterable[FileState], found: Iterable[FolderFile], *, anew: bool = False
) -> list[FolderFile]:
    """The files whose bytes have to be read: new ones, and those with another size or time."""
    states = {state.path: state for state in known}
    return [each for each in found if anew or not _as_before(states.get(each.path), each)]


def plan_of(
    known: Sequence[FileState],
    found: Iterable[FolderFile],
    hashes: Mapping[str, str],
    *,
    anew: bool = False,
) -> Plan:
    """What has changed in a folder.

    `hashes` are of the suspects that could be read; all other files stay as they are.
    """
    states = {state.path: state for state in known}
    present = {each.path for each in found}
    gone = [state for state in known if state.path not in present]
    new = [path for path in sorted(hashes) if path not in states]
    moved = [] if anew else _moves(gone, new, hashes)
    leaving, arriving = {move.known.key for move in moved}, {move.path for move in moved}
    same = [path for path in hashes if path in states and states[path].content_hash == hashes[path]]
    touched = [] if anew else same
    done = arriving | set(touched)
    return Plan(
        written=tuple(path for path in sorted(hashes) if path not in done),
        touched=tuple(states[path] for path in sorted(touched)),
        moved=tuple(moved),
        gone=tuple(state for state in gone if state.key not in leaving),
    )


def is_edit(known: Sequence[FileState], plan: Plan) -> bool:
    """Whether somebody is editing: the folder was indexed before, and few files have changed."""
    return bool(known) and len(plan.written) <= _FEW_FILES


def settled_time(found: FolderFile, read_at_ns: int) -> int:
    """The time to remember of a file; none while the file could still change unnoticed."""
    return found.modified_ns if read_at_ns - found.modified_ns > SETTLED_NS else UNSETTLED


def _as_before(state: FileState | None, found: FolderFile) -> bool:
    return (
        state is not None
        and (state.size, state.modified_ns) == (found.size, found.modified_ns)
        and is_current(state.content_hash)
    )


def _moves(gone: Sequence[FileState], new: Sequence[str], hashes: Mapping[str, str]) -> list[Move]:
    """Pair each vanished file with at most one new file of equal bytes, the first by path."""
    lost: dict[str, list[FileState]] = defaultdict(list)
    for state in gone:
        lost[state.content_hash].append(state)
    pairs = ((lost.get(hashes[path]), path) for path in new)
    return [Move(states.pop(0), path) for states, path in pairs if states]
