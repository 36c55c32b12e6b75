"""Resolves references in an open transaction; what the actor may not see does not exist."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import basename, join, normpath, relpath

from commonplace.errors import InvalidArgument, NotFound, ProjectNotFound
from commonplace.memory.opened import reference_of
from commonplace.model.entry import Entry
from commonplace.model.references import GLOBAL, OF_ENTRIES, ShortReference, of_file
from commonplace.model.source import Source
from commonplace.model.workspace import Attached, FileState, Project, Resource
from commonplace.storage.port import Transaction
from commonplace.text.nearest import nearest
from commonplace.workspace.projects.filing import filed_folder, filed_under
from commonplace.workspace.projects.identity import names_of, project_called
from commonplace.workspace.projects.policy import is_within, path_of

# A shorter beginning of an id would match by accident.
_SHORTEST = 4
_MOST_NAMED = 5
_HEXADECIMAL = "0123456789abcdef"
_ON_DISK = "file:"
_HINT = "recall finds what is stored and gives its reference."


@dataclass(frozen=True, slots=True)
class FoundFile:
    attached: Attached
    project: Project | None
    state: FileState


def entry_named(
    tx: Transaction, reference: ShortReference, given: ShortReference | None = None
) -> Entry:
    """The entry that a reference names; also deleted ones, if the actor may write them. Errors
    say what was given, if that is not the reference itself."""
    beginning = reference.beginning
    exact = tx.entries.get(beginning)
    if exact is not None:
        return exact
    ids = tx.entries.ids_beginning(beginning, _MOST_NAMED + 1) if _is_long_enough(reference) else []
    known = [entry for id in ids if (entry := tx.entries.get(id))]
    found = [entry for entry in known if OF_ENTRIES[entry.kind] is reference.kind] or known
    if not found and reference != reference.lowered:
        return entry_named(tx, reference.lowered, reference)
    if not found:
        raise NotFound(f"There is nothing named {given or reference}.", hint=_HINT)
    if len(found) > 1:
        raise _ambiguous(reference, [str(reference_of(entry, "")) for entry in found])
    return found[0]


def not_forgotten(entry: Entry, org: str) -> Entry:
    """The entry; if it was forgotten, NotFound says how to restore it."""
    if entry.deleted_at is not None:
        named = reference_of(entry, org)
        raise NotFound(f"{named} was forgotten.", hint=f"revise {named} restore brings it back.")
    return entry


def source_named(
    tx: Transaction, reference: ShortReference, given: ShortReference | None = None
) -> Source:
    exact = tx.sources.get(reference.beginning) or _page_at(tx, reference.name)
    if exact is not None:
        return exact
    ids = (
        tx.sources.ids_beginning(reference.beginning, _MOST_NAMED + 1)
        if _is_long_enough(reference)
        else []
    )
    found = [source for id in ids if (source := tx.sources.get(id))]
    if not found and reference != reference.lowered:
        return source_named(tx, reference.lowered, reference)
    if not found:
        raise NotFound(f"There is no document {given or reference}.", hint=_HINT)
    if len(found) > 1:
        raise _ambiguous(reference, [f"doc:{source.id}" for source in found])
    return found[0]


def filed_names(projects: Collection[Project], named: str) -> frozenset[str]:
    """The names, in lower case, under which something is filed that belongs to a project."""
    called = project_called(projects, named)
    names = names_of(called) if called else frozenset()
    return frozenset(
        {named.casefold(), *(n for n in names if project_called(projects, n) == called)}
    )


def project_named(tx: Transaction, name: str) -> Project:
    """The project that is called so; ProjectNotFound names the nearest."""
    projects = tx.projects.all()
    if project := project_called(projects, name):
        return project
    raise _no_project(projects, name)


def _no_project(projects: Iterable[Project], name: str) -> ProjectNotFound:
    handles = [project.handle for project in projects]
    known = nearest(name, handles, 3) or handles[:_MOST_NAMED]
    hint = f"There is {', '.join(known)}." if known else "add makes one from a folder."
    return ProjectNotFound(f"There is no project {name}.", hint=hint)


def _page_at(tx: Transaction, address: str) -> Source | None:
    """The web page at an address, if it is a source; the last one that was added."""
    sources = tx.sources.in_reach(None) if "://" in address else ()
    names = {address, address.partition("#")[0]}
    pages = [one for one in sources if one.origin.locator in names]
    return max(pages, key=lambda one: one.created_at, default=None)


def file_named(tx: Transaction, reference: ShortReference) -> FoundFile:
    """A file of a project; if attached several times, the copy that was read most completely."""
    if not reference.project:
        return _file_at(tx, normpath(f"/{reference.path.lstrip('/')}"))
    projects = {project.id: project for project in tx.projects.all()}
    owner = project_called(projects.values(), reference.project)
    if owner is None and reference.project != GLOBAL:
        return _without_project(tx, reference, projects)
    id = owner.id if owner else None
    attached = [one for one in tx.attachments.all() if one.attachment.project_id == id]
    files = _files(tx, owner, attached, basename(reference.path))
    if found := files.get(reference.path):
        return _fullest(found)
    ending = [path for path in files if _ends(path, reference.path)]
    if not ending:
        files, folded = _files(tx, owner, attached), reference.path.casefold()
        ending = [path for path in files if _ends(path.casefold(), folded)]
    if len(ending) == 1:
        return _fullest(files[ending[0]])
    if inside := [path for path in files if path.startswith(f"{reference.path}/")]:
        hint = f"It holds {', '.join(inside[:_MOST_NAMED])}."
        raise NotFound(f"{reference.path} in {reference.project} is a folder.", hint=hint)
    near = ending[:_MOST_NAMED] or nearest(reference.path, list(files), 3)
    hint = f"Nearest: {', '.join(near)}." if near else _HINT
    raise NotFound(f"No file {reference.path} in {reference.project} was read.", hint=hint)


def _ends(path: str, end: str) -> bool:
    return f"/{path}".endswith(f"/{end}")


def _files(
    tx: Transaction, owner: Project | None, attached: Iterable[Attached], name: str | None = None
) -> dict[str, list[FoundFile]]:
    """The files of a project's folders, or those with a name, by their paths in the project."""
    files: dict[str, list[FoundFile]] = {}
    for one in attached:
        if one.resource.kind.is_written:
            continue
        folder, key = filed_folder(one.resource, owner.roots if owner else ()), one.resource.key
        for state in tx.files.of_resource(key) if name is None else tx.files.named(key, name):
            files.setdefault(join(folder, state.path), []).append(FoundFile(one, owner, state))
    return files


def _fullest(copies: Iterable[FoundFile]) -> FoundFile:
    return max(copies, key=lambda each: each.state.chunk_count)


def _without_project(
    tx: Transaction, reference: ShortReference, projects: Mapping[str, Project]
) -> FoundFile:
    """The only file whose path ends like a reference that names no project, such as src/cart.py
    out of a stack trace."""
    found: dict[str, list[FoundFile]] = {}
    for one in tx.attachments.all():
        owner = projects.get(one.attachment.project_id or "")
        for path, copies in _files(tx, owner, [one], basename(reference.name)).items():
            if _ends(path, reference.name):
                found.setdefault(str(of_file(filed_under(owner), path)), []).extend(copies)
    if not found:
        raise _no_project(projects.values(), reference.project)
    if len(found) > 1:
        raise _ambiguous(reference, sorted(found))
    (copies,) = found.values()
    return _fullest(copies)


def _file_at(tx: Transaction, path: str) -> FoundFile:
    """A file by its path on disk, in the innermost attached folder that contains it."""
    owners = {project.id: project for project in tx.projects.all()}
    found: list[FoundFile] = []
    for one in tx.attachments.all():
        folder = normpath(path_of(one.resource.locator))
        if one.resource.locator.startswith(_ON_DISK) and is_within(path, folder):
            inner = relpath(path, folder)
            named = tx.files.named(one.resource.key, basename(path))
            states = [each for each in named if each.path == inner]
            owner = owners.get(one.attachment.project_id or "")
            found += [FoundFile(one, owner, state) for state in states]
    if not found:
        raise NotFound(f"No file {path} was read.", hint=_HINT)
    return max(
        found, key=lambda each: (len(each.attached.resource.locator), each.state.chunk_count)
    )


def commit_named(tx: Transaction, reference: ShortReference) -> list[FoundFile]:
    """A stored commit by the beginning of its id, once for each folder that it touched."""
    project = None if reference.project == GLOBAL else project_named(tx, reference.project)
    owner, beginning = project.id if project else None, reference.path.lower()
    histories = {one.locator: one for one in tx.resources.histories()}
    attached = {one.resource.locator: one for one in tx.attachments.all()
                if one.attachment.project_id == owner}  # fmt: skip
    is_beginning = _is_long_enough(reference) and not beginning.strip(_HEXADECIMAL)
    found: dict[str, list[FoundFile]] = {}
    for locator, one in attached.items() if is_beginning else ():
        if history := histories.get(locator):
            for state in _commits(tx, history, beginning):
                file = FoundFile(Attached(one.attachment, history), project, state)
                found.setdefault(state.path, []).append(file)
    if not found:
        raise NotFound(
            f"No commit {reference.path} of {reference.project} is kept.",
            hint="The latest ones are kept (COMMONPLACE_HISTORY_COMMITS); git knows the others.",
        )
    if len(found) > 1:
        raise _ambiguous(reference, [f"commit:{reference.project}/{id}" for id in found])
    return next(iter(found.values()))


def _commits(tx: Transaction, history: Resource, beginning: str) -> list[FileState]:
    """The first commits of a history whose ids begin like this, in order."""
    # A key that sorts just before all of them, as ids are hexadecimal.
    before = f"{beginning[:-1]}{chr(ord(beginning[-1]) - 1)}~"
    states = tx.files.after(history.key, before, _MOST_NAMED + 1)
    return [state for state in states if state.path.startswith(beginning)]


def notebook_named(tx: Transaction, reference: ShortReference) -> Attached | None:
    """A notebook or record as a whole, by the beginning of its id."""
    digits = reference.lowered.name.removeprefix("entry_")
    for one in tx.attachments.all() if len(digits) >= _SHORTEST else ():
        if one.resource.kind.is_written and one.resource.id.startswith(f"entry_{digits}"):
            return one
    return None


def _is_long_enough(reference: ShortReference) -> bool:
    return len(reference.path or reference.name) >= _SHORTEST


def _ambiguous(reference: ShortReference, named: Sequence[str]) -> InvalidArgument:
    shown = ", ".join(named[:_MOST_NAMED])
    return InvalidArgument(f"{reference} may be {shown}: give more of it.", field="reference")


def is_entry(reference: ShortReference) -> bool:
    return reference.kind in OF_ENTRIES.values()
