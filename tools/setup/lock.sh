#!/usr/bin/env bash
# Writes the lock files: one resolution for all platforms and Pythons, hashes of every published file.
set -euo pipefail

# Use only the public index: this machine's pip configuration must not reach a lock file.
compile() {
  local target=$1; shift
  "${UV:-uv}" pip compile --no-config --quiet --upgrade --universal --python-version 3.11 \
    --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
    --output-file "$target" "$@"
}

compile requirements.lock --extra team pyproject.toml
compile requirements-dev.lock --extra dev --group build --constraint requirements.lock pyproject.toml
compile requirements-build.lock --group build --constraint requirements-dev.lock
