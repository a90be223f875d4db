# The same commands for people and for CI. Everything is installed into .venv; nothing else is touched.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: run demo test check bench torture gallery docs page browser blender clean

run: page
	@$(BIN)/inbetweener studio --folder out/studio

demo: .venv/installed
	$(BIN)/inbetweener demo --output out/demo.mp4

# One more than there are cores: a third of the time tests wait for browsers and other processes.
WORKERS := $(shell $(PYTHON) -c "import os; print(min(4, 1 + (os.cpu_count() or 1)))")

test: .venv/installed-test page browser
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile
	$(BIN)/python hatch_build.py npm test

check: .venv/installed-check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m inbetweener.studio.protocol.typescript --check
	$(BIN)/python hatch_build.py npm run check

bench: .venv/installed-test page browser
	$(BIN)/python -m benchmarks

# Kills, power cuts, noise, changed files, full disks, hostile names, crowds, an hour of editing: about two hours.
# `.venv/bin/python -m torture --short` takes minutes, and each driver runs alone.
torture: .venv/installed-test page browser
	$(BIN)/python -m torture

# Every scene before and after, on one page; what is fresh is skipped.
gallery: .venv/installed
	$(BIN)/python -m gallery

docs: .venv/installed-docs
	$(BIN)/mkdocs build --strict

# Our files in real Blender, there and back; installs it into .venv-blender on first use (1 GB).
blender: .venv/installed-test
	$(BIN)/python -m interop.blender
	$(BIN)/python -m pytest tests/interop

clean:
	rm -rf .venv .venv-blender out site build dist web/node_modules src/inbetweener/studio/bundle

# The Studio's page, built again when web/ has changed since. Installing does it, and brings node where there is none.
page: .venv/installed
	@$(BIN)/python hatch_build.py --stale || \
	  { echo "Building the Studio's page"; $(PIP) --no-deps --editable .; }

# The browser that the tests drive.
browser:
	@.ci/browser

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Inbetweener needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv || \
	  { echo "No venv module: install it with  sudo apt-get install python3-venv"; rm -rf .venv; exit 1; }

.venv/installed: .venv/bin/python pyproject.toml hatch_build.py
	@echo "Installing Inbetweener into .venv (the first time takes a minute)"
	@$(PIP) --editable .
	@touch $@

.venv/installed-%: .venv/installed pyproject.toml
	@echo "Installing what '$*' needs"
	@$(PIP) --editable '.[$*]'
	@touch $@
