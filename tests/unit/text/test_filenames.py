"""Secrets are known by their names in any case; source code about secrets is no secret."""

from __future__ import annotations

import pytest

from commonplace.text.filenames import (
    is_made_by_tools,
    is_not_text,
    is_output_folder,
    is_secret_file,
    is_secret_path,
    is_skipped_folder,
    language_by_name,
)

SECRETS = (".env", ".ENV", ".env.production", "prod.env", "id_rsa", "Id_Ed25519", "server.pem",
           "credentials", "credentials.json", "secrets.YAML", ".npmrc", ".netrc", ".env~",
           "config.env.bak", ".bash_history", ".psql_history", "AuthKey_AB12.p8", "key.der",
           "http.keytab", "wg0.conf", "client.ovpn", ".s3cfg", ".boto", "rclone.conf",
           ".databrickscfg", "kaggle.json", "gcp-key.json", "app-firebase-adminsdk-x1.json",
           "htpasswd", "pip.conf", "my.cnf", ".mcp.json", "passwords.txt", "secrets",
           "wp-config.php", "vault_pass.txt")  # fmt: skip
ORDINARY = (".env.example", "environment.ts", "secrets.py", "credentials.ts", "keys.md",
            "id_generator.go", "pem.py", "tokens.md", "passwords.py", "passwords.md", "history.md",
            "wg.md", "secrets.md", "shell_history.py", "mcp.json", "hosts.yml", "settings.xml",
            "vault.py", "der.rs", "nginx.conf")  # fmt: skip


@pytest.mark.parametrize("name", SECRETS)
def test_a_credential_file_is_known_by_its_name(name: str) -> None:
    assert is_secret_file(name)


@pytest.mark.parametrize("name", ORDINARY)
def test_code_and_samples_are_read(name: str) -> None:
    assert not is_secret_file(name)


def test_a_plain_name_is_a_credential_where_it_lies() -> None:
    assert is_secret_path("home/.config/gh/hosts.yml")
    assert is_secret_path(".config/GH/hosts.yml")
    assert is_secret_path("deep/.env")
    assert not is_secret_path("ansible/hosts.yml")
    assert not is_secret_path("my.config/gh/hosts.yml")


def test_folders_of_tools_and_of_secrets_are_skipped() -> None:
    skipped = [
        ".git",
        "node_modules",
        ".venv",
        "__pycache__",
        ".ssh",
        "pkg.egg-info",
        ".AWS",
        ".m2",
    ]
    assert all(map(is_skipped_folder, skipped))
    assert not any(map(is_skipped_folder, ["src", "build", "docs", ".github"]))
    assert is_output_folder("Build")


def test_what_tools_made_and_pictures_are_no_text() -> None:
    assert is_made_by_tools("package-lock.json")
    assert is_made_by_tools("app.MIN.js")
    assert not is_made_by_tools("app.js")
    assert is_not_text("logo.PNG")
    assert not is_not_text("logo.md")


def test_a_language_without_symbols_has_a_name_and_data_has_none() -> None:
    assert language_by_name("Main.hs") == "haskell"
    assert language_by_name("data.json") is None
