#!/usr/bin/env bash
# Makes the virtual environment from lock files; on a bare Debian machine, as root, also what venv needs.
set -euo pipefail
venv=${1:?usage: venv.sh FOLDER LOCKFILE...}
shift

say() { printf 'setup: %s\n' "$*" >&2; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
  local name
  for name in ${PYTHON:-python3.11 python3.12 python3.13 python3}; do
    if new_enough "$name"; then command -v "$name"; return; fi
  done
  return 1
}

# Debian ships Python without venv; root may add it, anyone else is told what to ask for.
install_python() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing python3 and python3-venv"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3 python3-venv >/dev/null
  else
    say "needs Python 3.11 or newer with its venv module; on Debian or Ubuntu:"
    say "  sudo apt-get install python3 python3-venv"
    exit 1
  fi
}

usable_venv() { new_enough "$venv/bin/python" && "$venv/bin/python" -m pip --version >/dev/null 2>&1; }

make_venv() {
  local python
  python=$(find_python) && say "using $("$python" --version)" && "$python" -m venv --clear "$venv" >/dev/null
}

if ! usable_venv; then
  make_venv || { install_python; make_venv; } || { say "could not make $venv"; exit 1; }
fi

say "installing the locked packages into $venv (a few minutes the first time)"
export PIP_DISABLE_PIP_VERSION_CHECK=1
"$venv/bin/python" -m pip install -qq --require-hashes "${@/#/-r}"
"$venv/bin/python" -m pip install -qq --no-deps --no-build-isolation -e .
rm -f "$venv"/.installed-* "$venv"/.serving-*
say "ready: $venv/bin/commonplace --help lists the commands"
