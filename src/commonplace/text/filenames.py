"""What the name of a file or folder tells before it is opened: a secret, machine-made, a language.

Pure. Names are compared in lower case, because a disk may not tell the cases apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from pathlib import PurePosixPath


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)))


# Files that are read for people: text whose headings give it its shape, and what has to be opened.
PROSE_SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".txt", ".text", ".htm", ".html", ".xhtml"})
DOCUMENT_SUFFIXES = frozenset({".pdf", ".docx"})
# Folders that hold what tools keep or fetched; no project has its own text in them.
_TOOL_FOLDERS = frozenset({
    ".git", ".hg", ".svn", ".jj", "cvs", ".bzr",
    "node_modules", "bower_components", "jspm_packages", ".yarn", ".pnpm-store",
    ".venv", "venv", "virtualenv", "site-packages", "__pycache__", "__pypackages__", ".eggs",
    ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis",
    ".ipynb_checkpoints", ".gradle", ".idea", ".vs", ".next", ".nuxt", ".svelte-kit", ".output",
    ".turbo", ".parcel-cache", ".cache", ".terraform", ".serverless", ".dart_tool", ".nyc_output",
    ".bundle", "elm-stuff", "deriveddata", "htmlcov",
})  # fmt: skip
# Folders that mostly hold what a build made, and sometimes a package of that name.
_OUTPUT_FOLDERS = frozenset({
    "build", "dist", "out", "target", "bin", "obj", "_build", "vendor", "pods", "coverage", "_site",
})  # fmt: skip
# Folders whose content is a credential, whatever its files are called.
_SECRET_FOLDERS = frozenset({
    ".ssh", ".aws", ".gnupg", ".gpg", ".kube", ".docker", ".azure", ".gcloud", ".password-store",
    ".secrets", ".credentials", ".kaggle", ".m2",
})  # fmt: skip
_SECRET = _any_of((
    ".env", ".env.*", ".env~", "*.env", "*.env.bak", "*.env~", "*.env.old", ".envrc",
    ".netrc", "_netrc", ".pgpass", ".my.cnf", ".htpasswd",
    ".git-credentials", ".npmrc", ".pypirc", ".dockercfg", ".dockerconfigjson", ".vault-token",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.ppk",
    "*.jks", "*.keystore", "*.kdbx", "*.asc", "*.gpg", "credentials",
    "client_secret*.json", "service-account*.json", "service_account*.json",
    "*.p8", "*.der", "*.keytab", "*.ovpn", "wg[0-9]*.conf", ".*_history", ".s3cfg", ".boto",
    "rclone.conf", ".databrickscfg", "kaggle.json", "gcp-key*.json", "*firebase-adminsdk*.json",
    "htpasswd", "pip.conf", "my.cnf", ".mcp.json", "passwords", "passwords.*", "secrets",
    "wp-config.php", "vault_pass*", ".vault_pass*", "vault-pass*",
    "*.tfvars", "*.tfstate", "*.tfstate.*", "kubeconfig", "shadow", "master.key",
    *(f"{name}.{kind}" for name in ("credentials", "secrets", "secret")
      for kind in ("json", "yaml", "yml", "toml", "ini", "txt", "xml", "properties")),
))  # fmt: skip
# Files whose own name is plain, and which hold credentials where they lie.
_SECRET_PLACES = ("/.config/gh/hosts.yml", "/.config/hub", "/.cargo/credentials.toml")
# Samples are written to be read, and hold no secret.
_SAMPLE = _any_of((
    ".env.example", ".env.sample", ".env.template", ".env.dist", "*.pem.example",
    *(f"passwords.{kind}" for kind in ("py", "ts", "js", "go", "rs", "java", "rb", "md", "rst")),
))  # fmt: skip
_MADE_BY_TOOL = _any_of((
    ".git", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "*.lock",
    "*.lockb", "go.sum", "*.min.js", "*.min.css", "*.min.mjs", "*.map", "*.snap", "*.pyc", "*.log",
))  # fmt: skip
_NOT_TEXT = frozenset({
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".bmp", ".tif", ".tiff", ".psd", ".svg",
    ".woff", ".woff2", ".ttf", ".otf", ".eot", ".mp3", ".mp4", ".wav", ".ogg", ".webm", ".mov",
    ".avi", ".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".war",
    ".whl", ".egg", ".so", ".dll", ".dylib", ".exe", ".a", ".o", ".lib", ".class", ".wasm", ".bin",
    ".dat", ".db", ".sqlite", ".sqlite3", ".parquet", ".npy", ".npz", ".onnx", ".pt", ".pkl",
    ".xls", ".xlsx", ".ppt", ".pptx", ".doc", ".odt", ".iso", ".dmg", ".node",
})  # fmt: skip
_LANGUAGES = {
    ".zsh": "shell", ".ps1": "powershell", ".ex": "elixir", ".exs": "elixir", ".erl": "erlang",
    ".hs": "haskell", ".clj": "clojure", ".jl": "julia", ".r": "r", ".pl": "perl", ".pm": "perl",
    ".m": "objc", ".groovy": "groovy", ".gradle": "groovy", ".zig": "zig", ".nim": "nim",
    ".fs": "fsharp", ".ml": "ocaml", ".proto": "proto", ".graphql": "graphql", ".css": "css",
    ".scss": "scss", ".less": "less",
}  # fmt: skip


def is_skipped_folder(name: str) -> bool:
    """Whether a folder of that name is never read, wherever it lies."""
    lowered = name.lower()
    return lowered in _TOOL_FOLDERS or is_secret_folder(name) or lowered.endswith(".egg-info")


def is_output_folder(name: str) -> bool:
    """Whether it holds a build's output, unless the project itself says what it ignores."""
    return name.lower() in _OUTPUT_FOLDERS


def is_secret_folder(name: str) -> bool:
    return name.lower() in _SECRET_FOLDERS


def is_secret_file(name: str) -> bool:
    """Whether a file of that name holds credentials by convention."""
    lowered = name.lower()
    return bool(_SECRET.match(lowered)) and not _SAMPLE.match(lowered)


def is_secret_path(path: str) -> bool:
    """Whether a file holds credentials by its name, or by its name and the folders it lies in."""
    placed = f"/{path.lower()}".endswith(_SECRET_PLACES)
    return placed or is_secret_file(path.rpartition("/")[2])


def is_made_by_tools(name: str) -> bool:
    return bool(_MADE_BY_TOOL.match(name.lower()))


def is_not_text(name: str) -> bool:
    """Pictures, archives, programs: not even opened."""
    return PurePosixPath(name.lower()).suffix in _NOT_TEXT


def language_by_name(name: str) -> str | None:
    """The language of a program whose symbols are not read; None for all else."""
    return _LANGUAGES.get(PurePosixPath(name.lower()).suffix)
