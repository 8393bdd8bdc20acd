# Everything happens in a private environment, .venv, made from any Python >= 3.11:
#   make run PYTHON=python3.12
PYTHON ?= python3

# The workspace `make run` and `make bench` look at, and the task the answer is about.
ROOT ?= .
TASK ?= Where are the ignore rules of git applied when files are discovered?

# Processes that run tests; further arguments for pytest, as in `make test ARGS="-k wheel"`.
JOBS ?= 2
ARGS ?=

# What `make vsix` packs for, and where `make e2e` finds or puts its workbench.
TARGET ?= $(shell node -p 'process.platform + "-" + process.arch' 2>/dev/null)
WORKBENCH ?= $(CURDIR)/$(EXTENSION)/.workbench

# Recipes take these from the environment, so that quotes and spaces in them are harmless.
export ROOT TASK

VENV := .venv
EXTENSION := vscode-extension
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TYPED := $(wildcard knowing server eval scripts)

.DEFAULT_GOAL := help
# Two installs into one environment at the same time would spoil it.
.NOTPARALLEL:
.PHONY: help run test check format docs bench eval peers vsix e2e clean

help:
	@echo 'make run    [TASK=...]    index a workspace (ROOT=dir), by default this one, and show context'
	@echo 'make test   [ARGS=...]    run the tests'
	@echo 'make check                formatting, lint and types'
	@echo 'make format               rewrite the sources as make check wants them'
	@echo 'make docs                 rewrite the generated documents'
	@echo 'make bench  [ROOT=dir]    measure indexing'
	@echo 'make eval                 measure ranking on our own fixtures'
	@echo 'make peers  TASKS= CORPUS= set it beside other tools'
	@echo 'make vsix   [TARGET=...]  pack the VS Code extension (needs Node 20 or later)'
	@echo 'make e2e                  try the extension in a real VS Code workbench'
	@echo 'make clean                remove the environment and all caches'

run: $(VENV)/ready-run
	$(BIN)/knowing index --root "$$ROOT"
	$(BIN)/knowing context "$$TASK" --budget 2000 --root "$$ROOT"

test: $(VENV)/ready-test extension-test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(ARGS)

check: $(VENV)/ready-check extension-check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(TYPED)

format: $(VENV)/ready-check
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

docs: $(VENV)/ready-run
	$(BIN)/python scripts/generate.py

bench: $(VENV)/ready-eval
	$(BIN)/python -m eval bench index --repo "$$ROOT"

eval: $(VENV)/ready-eval
	$(BIN)/python -m eval findings

peers: $(VENV)/ready-eval
	$(BIN)/python -m eval peers --tasks "$(TASKS)" --corpus "$(CORPUS)" \
	  --repo flask --repo caddy --repo fastapi --repo django \
	  $(if $(PREDECESSOR),--predecessor "$(PREDECESSOR)")

# -- the VS Code extension ---------------------------------------------------------------------

# Says which Node there is, or why what needs one is left out.
NODE_READY := node -e 'process.exitCode = parseInt(process.versions.node) < 20 ? 1 : 0' 2>/dev/null
SKIPPED = echo 'skipped: $(1) needs Node 20 or later, and there is none on the PATH'

# Parts of `make check` and `make test`.
.PHONY: extension-check extension-test
extension-check:
	@if $(NODE_READY); then $(MAKE) --no-print-directory $(EXTENSION)/node_modules/ready \
	  && cd $(EXTENSION) && npm run --silent check && npm run --silent lint; \
	else $(call SKIPPED,checking the extension); fi

extension-test:
	@if $(NODE_READY); then $(MAKE) --no-print-directory $(EXTENSION)/node_modules/ready \
	  && cd $(EXTENSION) && npm test --silent; \
	else $(call SKIPPED,testing the extension); fi

vsix: $(EXTENSION)/node_modules/ready $(VENV)/ready-run
	$(BIN)/python $(EXTENSION)/scripts/bundle.py --target $(TARGET)
	cd $(EXTENSION) && node scripts/package.mjs --target $(TARGET)

# WORKBENCH keeps the workbench between clones.
e2e: vsix
	$(EXTENSION)/test/e2e/setup.sh "$(WORKBENCH)"
	cd $(EXTENSION) && WORKBENCH="$(WORKBENCH)" node test/e2e/run.mjs $(ARGS)

$(EXTENSION)/node_modules/ready: $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --no-audit --no-fund --silent
	@touch $@

clean:
	rm -rf $(EXTENSION)/node_modules $(EXTENSION)/dist $(EXTENSION)/build $(EXTENSION)/bundled/packages
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'error: "$(PYTHON)" is not Python 3.11 or later.' >&2; \
	  echo 'Name one that is: make run PYTHON=python3.12' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# An environment that is half installed has no stamp, so the next run installs again.
$(VENV)/ready-run: pyproject.toml | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

$(VENV)/ready-%: pyproject.toml | $(BIN)/python
	$(INSTALL) --editable '.[$*]'
	@touch $@
