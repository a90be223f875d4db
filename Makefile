# The same commands for people and for CI. Everything is installed into .venv; nothing else is touched.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: run test check bench docs clean

run: .venv/installed
	$(BIN)/inbetweener render flying-robot --output out/flying-robot.mp4

test: .venv/installed-test
	$(BIN)/python -m pytest

check: .venv/installed-check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/installed-test
	$(BIN)/python -m benchmarks

docs: .venv/installed-docs
	$(BIN)/mkdocs build --strict

clean:
	rm -rf .venv out site build dist

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Inbetweener needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv || \
	  { echo "No venv module: install it with  sudo apt-get install python3-venv"; rm -rf .venv; exit 1; }

.venv/installed: .venv/bin/python pyproject.toml
	@echo "Installing Inbetweener into .venv (the first time takes a minute)"
	@$(PIP) --editable .
	@touch $@

.venv/installed-%: .venv/installed pyproject.toml
	@echo "Installing what '$*' needs"
	@$(PIP) --editable '.[$*]'
	@touch $@
