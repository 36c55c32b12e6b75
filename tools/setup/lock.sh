#!/usr/bin/env bash
# Writes both lock files: one resolution for all platforms and Pythons, hashes of every published file.
set -euo pipefail

# Only the public index counts: what this machine's pip is told besides must not reach a lock file.
compile() {
  local target=$1; shift
  "${UV:-uv}" pip compile --no-config --quiet --upgrade --universal --python-version 3.11 \
    --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
    --output-file "$target" "$@" pyproject.toml
}

compile requirements.lock --extra team
compile requirements-dev.lock --extra dev --constraint requirements.lock
