# The commands for people and for CI; `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash

VENV := .venv
BIN := $(VENV)/bin
# One more than the two cores of a small machine: many tests wait for processes.
WORKERS ?= 3
CODE := $(wildcard src tests benchmarks tools)
UV := uv==0.13.7

# The name of a stamp contains a checksum of the installed locks, so an up-to-date environment is not
# installed again. Serving needs less than half of the development packages and has its own stamp.
checksum = $(shell cat $(1) pyproject.toml | cksum | cut -d' ' -f1)
SERVED := requirements.lock requirements-build.lock
SERVING := $(VENV)/.serving-$(call checksum,$(SERVED))
STAMP := $(VENV)/.installed-$(call checksum,requirements-dev.lock)

.PHONY: help setup install serve test check lint soak bench bench-compare docs format lock wheel bundle audit clean

help: ## list these commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | \
	  while IFS=$$'\t' read -r name what; do printf '  make %-13s %s\n' "$$name" "$$what"; done

setup: $(STAMP) ## create .venv from the lock file

$(STAMP):
	@tools/setup/venv.sh $(VENV) requirements-dev.lock
	@touch $@ $(SERVING)

$(SERVING):
	@tools/setup/venv.sh $(VENV) $(SERVED)
	@touch $@

install: $(SERVING) ## create .venv with what serving needs

serve: $(SERVING) ## start the server (ARGS="--port 9000")
	@$(BIN)/commonplace serve $(ARGS)

# Tests start hundreds of processes, so bytecode is always cached.
test check: export PYTHONDONTWRITEBYTECODE :=
test: $(STAMP) ## the whole suite, on real components (ARGS="-k name")
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

check: lint ## lint, formatting, strict types, architecture, docs, ledger
	$(BIN)/pytest -q tests/architecture tests/docs tests/surfaces/test_ledger.py

lint: $(STAMP) ## the part of `make check` that runs no tests
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy $(CODE)

soak: $(STAMP) ## the long runs: kills, outages, fuzzing, load
	$(BIN)/pytest -m soak --timeout 7200 $(ARGS)

bench: $(STAMP) ## the benchmarks, into benchmarks/results (ARGS=--quick runs a few briefly)
	$(BIN)/python -m benchmarks $(ARGS)

bench-compare: $(STAMP) ## compare ratios with the last committed ones (ARGS="--worse 1.1")
	$(BIN)/python -m benchmarks compare $(ARGS)

docs: $(STAMP) ## regenerate docs/reference
	$(BIN)/python -m tools.docs.reference

format: $(STAMP) ## apply formatting and the safe lint fixes
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

lock: $(STAMP) ## resolve the lock files again, for every platform, with every published hash
	@$(BIN)/python -m pip install -qq $(UV)
	@UV="$(CURDIR)/$(BIN)/uv" tools/setup/lock.sh

wheel: $(STAMP) ## build the wheel into dist/, with its bill of materials
	@$(BIN)/python -m hatchling build -t wheel

bundle: wheel ## pack dist/*.mcpb for Claude Desktop (ARGS="--packer 'npx @anthropic-ai/mcpb'")
	@$(BIN)/python -m tools.release.bundle $(ARGS)

audit: $(STAMP) ## check every locked package against a vulnerability index, if one can be reached
	@$(BIN)/python -m tools.release.audit

clean: ## remove the environment and every cache
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis tests/node/node_modules
