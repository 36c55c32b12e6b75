"""What a file or folder name reveals before it is opened: secret, generated, or its language.

Pure. Names are compared in lower case, because some file systems ignore case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from posixpath import splitext


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)))


# Text files that people read: markup with headings, and binary documents.
PROSE_SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".txt", ".text", ".htm", ".html", ".xhtml"})
DOCUMENT_SUFFIXES = frozenset({".pdf", ".docx"})
# Folders of tools and package managers; they never contain a project's own text.
_TOOL_FOLDERS = frozenset({
    ".git", ".hg", ".svn", ".jj", "cvs", ".bzr",
    "node_modules", "bower_components", "jspm_packages", ".yarn", ".pnpm-store",
    ".venv", "venv", "virtualenv", "site-packages", "__pycache__", "__pypackages__", ".eggs",
    ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis",
    ".ipynb_checkpoints", ".gradle", ".idea", ".vs", ".next", ".nuxt", ".svelte-kit", ".output",
    ".turbo", ".parcel-cache", ".cache", ".terraform", ".serverless", ".dart_tool", ".nyc_output",
    ".bundle", "elm-stuff", "deriveddata", "htmlcov",
})  # fmt: skip
# Folders that usually contain build output, but sometimes a package of that name.
_OUTPUT_FOLDERS = frozenset({
    "build", "dist", "out", "target", "bin", "obj", "_build", "vendor", "pods", "coverage", "_site",
})  # fmt: skip
# Folders that contain credentials, whatever the files are called.
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
# Files with an inconspicuous name that contain credentials at these paths.
_SECRET_PLACES = ("/.config/gh/hosts.yml", "/.config/hub", "/.cargo/credentials.toml")
# Samples without real secrets.
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
    """Whether folders of that name are never read, wherever they are."""
    lowered = name.lower()
    return lowered in _TOOL_FOLDERS or is_secret_folder(name) or lowered.endswith(".egg-info")


def is_output_folder(name: str) -> bool:
    """Whether a folder usually has build output; a project's ignore rules take precedence."""
    return name.lower() in _OUTPUT_FOLDERS


def is_secret_folder(name: str) -> bool:
    return name.lower() in _SECRET_FOLDERS


def is_secret_file(name: str) -> bool:
    """Whether files of that name contain credentials by convention."""
    lowered = name.lower()
    return bool(_SECRET.match(lowered)) and not _SAMPLE.match(lowered)


def is_secret_path(path: str) -> bool:
    """Whether a file contains credentials, judged by its name or its path."""
    placed = f"/{path.lower()}".endswith(_SECRET_PLACES)
    return placed or is_secret_file(path.rpartition("/")[2])


def is_made_by_tools(name: str) -> bool:
    return bool(_MADE_BY_TOOL.match(name.lower()))


def is_not_text(name: str) -> bool:
    """Whether the file is an image, archive, program or the like, which is not even opened."""
    return splitext(name.lower())[1] in _NOT_TEXT


def language_by_name(name: str) -> str | None:
    """The language of source code that the code graph does not parse; None for everything else."""
    return _LANGUAGES.get(splitext(name.lower())[1])
