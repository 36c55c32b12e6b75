"""Creates, lists, revokes and recognises tokens, and counts the calls made with them."""

from __future__ import annotations

import hashlib
import logging
import math
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import uuid4

from commonplace.access.claims import ClaimNames, grant_of
from commonplace.access.links import LINK_SECONDS, link_code, nonce_of
from commonplace.access.rules import CallRates, NewToken, checked, is_org
from commonplace.access.token_cache import from_bytes, to_bytes
from commonplace.access.tokens import SECRET_BYTES, digest_of, spelled, well_formed
from commonplace.cache.port import SharedCache
from commonplace.errors import (
    BatchTooLarge,
    InvalidArgument,
    InvalidToken,
    NotFound,
    RateLimited,
    StorageError,
)
from commonplace.issuers.port import Issuer
from commonplace.model.access import Grant, Token, TokenDraft
from commonplace.model.actor import Actor
from commonplace.model.times import Clock
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.access")
# A revoked token is refused by every process after this many seconds at the latest.
STALE_SECONDS = 5.0
_NOTED_EVERY = timedelta(minutes=5)
_ANY_VALID = "tokens:valid"
_YES, _NO = b"1", b"0"
_ANYBODY = Actor("local", "access")


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token with its text, which is shown once and cannot be recovered."""

    token: Token
    text: str


@dataclass(frozen=True, slots=True)
class Policy:
    """The rates of tokens, and how to verify an issuer's tokens; without an issuer, none are
    accepted."""

    rates: CallRates
    claims: ClaimNames
    issuer: Issuer | None


class AccessService:
    """Who a caller is, and whether the rate limit admits another call."""

    def __init__(
        self,
        store: Store,
        memory: SharedCache,
        key: Callable[[], bytes],
        clock: Clock,
        policy: Policy,
    ) -> None:
        self._store = store
        self._cache = memory
        self._key = key
        self._known_key: bytes | None = None  # set once the key has been loaded
        self._clock = clock
        self._policy = policy

    def create(self, actor: Actor, new: NewToken) -> Issued:
        """Create a token in any org but the system's. Callers check whether the actor may."""
        new = checked(new)
        text = spelled(secrets.token_bytes(SECRET_BYTES))
        with self._store.write(replace(actor, org=new.org)) as tx:
            draft = TokenDraft(
                id=f"tok_{uuid4().hex[:16]}",
                agent=new.agent,
                name=new.name or new.agent,
                scopes=new.scopes,
                digest=digest_of(self._key(), text),
                expires_at=tx.now + new.lifetime if new.lifetime else None,
            )
            token = tx.tokens.add(draft)
        self._cache.drop(_ANY_VALID)
        return Issued(token, text)

    def tokens(self, actor: Actor, orgs: Sequence[str] = ()) -> list[Token]:
        """The tokens of the given orgs, or of all."""
        found: list[Token] = []
        for org in orgs or self._store.orgs():
            with self._store.read(replace(actor, org=org)) as tx:
                found += tx.tokens.all()
        return found

    def revoke(self, actor: Actor, id: str) -> Token:
        known = self._store.credentials.by_id(id)
        if known is None:
            raise NotFound("No token with that id.")
        with self._store.write(replace(actor, org=known.org)) as tx:
            revoked = tx.tokens.revoke(id)
        assert revoked is not None, "tokens are never deleted"
        self._cache.drop(_place(known.digest))
        self._cache.drop(_ANY_VALID)
        return revoked

    def rotate(self, actor: Actor, id: str) -> Issued:
        """Replace a valid token by a new one with the same rights and lifetime."""
        old = self._store.credentials.by_id(id)
        if old is None:
            raise NotFound("No token with that id.")
        if not old.valid_at(self._clock()):
            raise InvalidArgument("That token is no longer valid.", field="id")
        lifetime = old.expires_at - old.created_at if old.expires_at else None
        issued = self.create(actor, NewToken(old.org, old.agent, old.scopes, old.name, lifetime))
        self.revoke(actor, id)
        return issued

    def any_valid(self) -> bool:
        """Whether any token of this installation is valid; the answer may be some seconds old."""
        kept = self._kept_any_valid()
        if kept is not None:
            return kept
        now = self._clock()
        found = self._store.credentials.ever_issued() and any(
            token.valid_at(now) for token in self.tokens(_ANYBODY)
        )
        self._cache.put(_ANY_VALID, _YES if found else _NO, STALE_SECONDS)
        return found

    def cached_any_valid(self) -> bool | None:
        """The same from the local cache, or None. Never blocks, so an event loop may call it."""
        return self._kept_any_valid() if self._cache.is_local else None

    def new_link(self) -> str:
        """A single-use code that lets a browser on this machine sign in."""
        return link_code(self._key(), secrets.token_bytes(16), self._clock().timestamp())

    def redeem_link(self, code: str) -> bool:
        nonce = nonce_of(self._key(), code, self._clock().timestamp())
        if nonce is None or self._cache.get(f"link:{nonce}") is not None:
            return False
        self._cache.put(f"link:{nonce}", _YES, LINK_SECONDS)
        return True

    def orgs(self) -> list[str]:
        """All orgs but the system's."""
        return sorted(org for org in self._store.orgs() if is_org(org))

    def create_org(self, actor: Actor, org: str) -> bool:
        """Create an org; False if it exists already."""
        if not is_org(org):
            raise InvalidArgument("This is not a valid name for an org.", field="org")
        if org in self._store.orgs():
            return False
        with self._store.write(replace(actor, org=org)) as tx:
            tx.allowances.assign(None)
        return True

    def authenticate(self, text: str) -> Grant:
        """What this token grants; InvalidToken if it is not recognised."""
        if well_formed(text):
            return _grant_of(self._recognised(text))
        if self._policy.issuer is None:
            raise InvalidToken
        return grant_of(self._policy.issuer.verified(text), self._policy.claims)

    def cached_grant(self, text: str) -> Grant | None:
        """The grant of a recently recognised token; None if it is not in the local cache.

        Never blocks, so that an event loop may call it.
        """
        if self._known_key is None or not self._cache.is_local or not well_formed(text):
            return None
        kept = self._cache.get(_place(digest_of(self._known_key, text)))
        token = from_bytes(kept) if kept else None
        return _grant_of(token) if token and token.valid_at(self._clock()) else None

    @property
    def counts_locally(self) -> bool:
        """Whether calls are counted in this process, so that an event loop may do it."""
        return self._cache.is_local

    def admit(self, grant: Grant, calls: int, *, by_hand: bool = False) -> None:
        """Count calls; RateLimited if there were too many, BatchTooLarge if no wait can help.

        Calls by a person in a browser are counted separately, because search sends one per
        keystroke.
        """
        rate = self._policy.rates.by_hand if by_hand else self._policy.rates.of(grant.scopes)
        counted_as = f"{grant.counted_as} in a browser" if by_hand else grant.counted_as
        name = hashlib.sha256(counted_as.encode()).hexdigest()
        wait = self._cache.take(f"rl:{name}", rate, calls)
        if math.isinf(wait):
            raise BatchTooLarge(
                f"This token may make {rate.size} calls per minute, and this batch has {calls}. "
                "Send smaller batches."
            )
        if wait:
            seconds = math.ceil(wait)
            raise RateLimited(
                f"This token may make {rate.size} calls per minute. "
                f"Try again in {seconds} second{'' if seconds == 1 else 's'}.",
                retry_after=seconds,
            )

    def _kept_any_valid(self) -> bool | None:
        kept = self._cache.get(_ANY_VALID)
        return None if kept is None else kept == _YES

    def _recognised(self, text: str) -> Token:
        self._known_key = self._key()
        digest = digest_of(self._known_key, text)
        kept = self._cache.get(_place(digest))
        token = from_bytes(kept) if kept else self._store.credentials.by_digest(digest)
        if token is None or not token.valid_at(self._clock()):
            raise InvalidToken
        if kept is None:
            self._cache.put(_place(digest), to_bytes(token), STALE_SECONDS)
            self._note_use(token)
        return token

    def _note_use(self, token: Token) -> None:
        """Record the use of a token, at most once per interval, and ignoring failures."""
        since = self._clock() - _NOTED_EVERY
        if token.last_used_at is not None and token.last_used_at >= since:
            return
        try:
            with self._store.write(Actor(token.org, token.agent, token.scopes)) as tx:
                tx.tokens.note_use(token.id, since)
        except StorageError as error:
            _LOG.warning("use of a token not recorded", extra={"code": error.code})


def _grant_of(token: Token) -> Grant:
    return Grant(token.org, token.agent, token.scopes, counted_as=token.id)


def _place(digest: str) -> str:
    return f"token:{digest}"
