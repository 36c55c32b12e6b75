"""Which repository a folder belongs to, according to its git configuration.

All clones of a remote are one repository; without a remote, all worktrees of a clone are.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_SECTION = re.compile(r'^\s*\[remote\s+"(?P<name>[^"]*)"\]', re.IGNORECASE)
_ANY_SECTION = re.compile(r"^\s*\[")
_URL = re.compile(r'^\s*url\s*=\s*"?(?P<url>[^"#;\s]+)', re.IGNORECASE)
_SCP = re.compile(r"^(?:[^@/:]+@)?(?P<host>[^/:]{2,}):(?P<path>[^/\\].*|/[^/].*)$")
_PREFERRED = "origin"


def identity_of(config: str, common_folder: str, inner: str = "") -> str:
    """Equal for all clones and worktrees; contains no user name or password from the remote's URL.

    A part of a repository, `inner` below its top, has an identity of its own.
    """
    remotes = _remotes(config)
    url = remotes.get(_PREFERRED) or next(iter(remotes.values()), None)
    whole = _normal(url) if url else f"file://{common_folder}"
    return f"{whole}#{inner}" if inner else whole


def _remotes(config: str) -> dict[str, str]:
    """The first URL of each remote, in file order."""
    found: dict[str, str] = {}
    name: str | None = None
    for line in config.splitlines():
        if section := _SECTION.match(line):
            name = section["name"]
        elif _ANY_SECTION.match(line):
            name = None
        elif name is not None and (url := _URL.match(line)):
            found.setdefault(name, url["url"])
    return found


def _normal(url: str) -> str:
    if "://" in url:
        split = urlsplit(url)
        if split.scheme == "file":
            return _local(split.path)
        return _of_host(split.hostname or "", split.path)
    if scp := _SCP.match(url):
        return _of_host(scp["host"].lower(), scp["path"])
    return _local(url)


def _of_host(host: str, path: str) -> str:
    return f"{host}/{path.strip('/').removesuffix('.git')}"


def _local(path: str) -> str:
    """The git directory of a local remote: a clone of a local clone names the folder instead."""
    path = path.replace("\\", "/").rstrip("/")
    return f"file://{path if path.endswith('.git') else path + '/.git'}"
