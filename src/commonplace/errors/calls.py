"""Errors about a call: its arguments, what it names, its permissions, its rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Issue:
    """One problem in the given data, and its location there."""

    path: tuple[str | int, ...]
    message: str


class CommonplaceError(Exception):
    """Base class of all errors that Commonplace raises on purpose."""

    code: ClassVar[str] = "commonplace.error"
    retry_after: float | None = None

    def __init__(self, message: str | None = None) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        super().__init__(self.message)


class InvalidArgument(CommonplaceError):
    """An argument is missing, of the wrong type or out of bounds."""

    code = "validation.invalid_argument"

    def __init__(
        self,
        message: str | None = None,
        *,
        field: str | None = None,
        issues: tuple[Issue, ...] = (),
    ) -> None:
        super().__init__(message)
        self.field = field
        self.issues = issues


class ActionUnknown(InvalidArgument):
    """The tool has no action of that name."""

    code = "validation.action_unknown"


class ProjectRequired(InvalidArgument):
    """A project scope needs the id of a project."""

    code = "validation.project_required"


class EntryModeRequired(InvalidArgument):
    """The call does not say what to do with the entry."""

    code = "validation.entry_mode_required"


class TargetRequired(InvalidArgument):
    """The selection contains nothing to ingest."""

    code = "validation.target_required"


class BatchTooLarge(InvalidArgument):
    """The batch has more calls than are allowed per minute; split it, waiting does not help."""

    code = "validation.batch_too_large"


class ContentRefused(CommonplaceError):
    """The content tries to deceive or to steer the agents that would read it."""

    code = "safety.refused"

    def __init__(self, message: str | None = None, *, issues: tuple[Issue, ...] = ()) -> None:
        super().__init__(message)
        self.issues = issues


class NotFound(CommonplaceError):
    """The caller can see nothing with that id."""

    code = "knowledge.not_found"

    def __init__(self, message: str | None = None, *, hint: str = "") -> None:
        """`hint` says where it is instead, if the caller may see it there."""
        super().__init__(message)
        self.hint = hint


class ProjectNotFound(NotFound):
    """The caller can see no project with that id."""

    code = "project.not_found"


class ResourceNotFound(NotFound):
    """The caller can see no resource with that id."""

    code = "resource.not_found"


class AttachmentNotFound(NotFound):
    """The scope has no attachment with that id."""

    code = "attachment.not_found"


class Conflict(CommonplaceError):
    """The change contradicts what is already stored."""

    code = "knowledge.conflict"


class RevisionConflict(Conflict):
    """Somebody else changed the entry in the meantime; read it again, then retry."""

    code = "knowledge.revision_conflict"


class SupersessionCycle(Conflict):
    """The supersession would form a cycle."""

    code = "knowledge.cycle"


class AlreadySuperseded(Conflict):
    """The entry has already been superseded by another one."""

    code = "knowledge.already_superseded"


class AccessDenied(CommonplaceError):
    """The caller may not do this."""

    code = "auth.denied"


class InsufficientScope(AccessDenied):
    """The caller's token lacks the scope that this call needs."""

    code = "auth.insufficient_scope"

    def __init__(self, message: str | None = None, *, needed: str = "") -> None:
        super().__init__(message)
        self.needed = needed


class NotOwner(AccessDenied):
    """Only the agent that wrote an entry may do this to it."""

    code = "auth.not_owner"


class Unauthenticated(CommonplaceError):
    """A token is needed, as `Authorization: Bearer`."""

    code = "auth.required"


class InvalidToken(Unauthenticated):
    """The token is unknown, expired, revoked or not meant for this server."""

    code = "auth.invalid_token"


class MalformedCredentials(Unauthenticated):
    """Send credentials in exactly one Authorization header, as `Bearer` and a token."""

    code = "auth.malformed"


class IssuerUnavailable(CommonplaceError):
    """The keys of the token's issuer cannot be fetched at the moment."""

    code = "auth.issuer_unavailable"


class QuotaExceeded(CommonplaceError):
    """The org has used up its quota for this month."""

    code = "quota.exceeded"

    def __init__(
        self,
        message: str | None = None,
        *,
        reset_at: datetime | None = None,
        retry_after: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.reset_at = reset_at
        self.retry_after = retry_after


class RateLimited(CommonplaceError):
    """Too many calls in a short time; wait and retry."""

    code = "rate.limited"

    def __init__(self, message: str | None = None, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ServerBusy(CommonplaceError):
    """The server has more calls than it can answer in time; retry later."""

    code = "server.busy"

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        if retry_after is not None:
            message = message or f"The server is busy: try again in {math.ceil(retry_after)} s."
        super().__init__(message)
        self.retry_after = 1.0 if retry_after is None else retry_after


def retry_seconds(error: CommonplaceError) -> int | None:
    """Whole seconds after which the same call may succeed; None if waiting does not help."""
    return None if error.retry_after is None else math.ceil(error.retry_after)


class CallStopped(CommonplaceError):
    """The call ended before its work was done; nothing was written."""

    code = "call.stopped"


class CallCancelled(CallStopped):
    """The client cancelled the call; nothing was written."""

    code = "call.cancelled"


class LeaseLost(CallStopped):
    """Another process has taken over this work; what was being written was discarded."""

    code = "call.lease_lost"


class DeadlineExceeded(CallStopped):
    """The call ran out of time; nothing was written."""

    code = "call.deadline_exceeded"
