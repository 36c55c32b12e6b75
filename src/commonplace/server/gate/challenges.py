"""The headers of HTTP refusals: the challenge of RFC 6750 and RFC 9728, or a time to retry."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.errors import (
    CommonplaceError,
    InsufficientScope,
    InvalidToken,
    MalformedCredentials,
    Unauthenticated,
    retry_seconds,
)
from commonplace.model.actor import Scope

REALM = "commonplace"
# The scopes that a client requests first; it requests more when a call needs them.
DEFAULT_SCOPES = (Scope.READ.value, Scope.WRITE.value)

_ERRORS: tuple[tuple[type[CommonplaceError], str], ...] = (
    (MalformedCredentials, "invalid_request"),
    (InvalidToken, "invalid_token"),
    (InsufficientScope, "insufficient_scope"),
)


@dataclass(frozen=True, slots=True)
class Challenger:
    """Builds the headers of refusals.

    `metadata` is the address of the protected resource's metadata, if there is an issuer.
    """

    metadata: str | None = None

    def headers(self, error: CommonplaceError) -> dict[str, str]:
        if wait := retry_seconds(error):
            return {"Retry-After": str(wait)}
        if isinstance(error, Unauthenticated | InsufficientScope):
            return {"WWW-Authenticate": self._challenge(error)}
        return {}

    def _challenge(self, error: CommonplaceError) -> str:
        """The challenge. A request without credentials gets no error name, as RFC 6750 says."""
        parts = {"realm": REALM}
        named = next((name for kind, name in _ERRORS if isinstance(error, kind)), None)
        if named:
            parts |= {"error": named, "error_description": error.message}
        needed = error.needed if isinstance(error, InsufficientScope) else ""
        parts["scope"] = needed or " ".join(DEFAULT_SCOPES)
        if self.metadata:
            parts["resource_metadata"] = self.metadata
        return "Bearer " + ", ".join(f'{name}="{_quotable(text)}"' for name, text in parts.items())


def _quotable(text: str) -> str:
    printable = (letter for letter in text if " " <= letter <= "~")
    return "".join("'" if letter in '"\\' else letter for letter in printable)
