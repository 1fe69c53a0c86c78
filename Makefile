# Everything a person does with this repository. `make` lists it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Environments for extras that want other versions of packages than the rest, on top of $(VENV).
APART := build/ros2 build/hydro
PARALLEL := -n auto --dist worksteal
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Builds share one folder: one at a time.
LOCK := $(if $(shell command -v flock),flock build/lock,)
# Says every 20 s that what follows it in a recipe is not dead: the first build takes minutes.
TICKING = start=$$(date +%s); (while sleep 20 >/dev/null 2>&1; do echo "  at work for $$(($$(date +%s) - start)) s"; done) & \
	ticker=$$!; trap "kill $$ticker" EXIT;
# Tests of how what is shipped was compiled, which other builds cannot pass.
SHIPPED := $(addprefix --deselect tests/,fmu/runtime/test_binaries.py fmu/runtime/test_sections.py cython_kernels/test_wide_paths.py)
SOURCES := $(sort $(shell find blocks cython_kernels fmu studio -type f -not -path '*/generated/*' -not -path 'studio/web/*' \
	-not -path 'cython_kernels/views/*' -not -path 'cython_kernels/entries/*' -not -name registry.pxd \
	-not -path 'blocks/*/__init__.pyi' \
	\( -name '*.py' -o -name '*.p[xy][dxi]' -o -name '*.[ch]' -o -name '*.yaml' -o -name py.typed -o -path 'studio/assets/*' \)))

.DEFAULT_GOAL := help
.PHONY: help demo studio test test-slow test-checked test-ros test-hydro coverage fuzz mutants cross-check develop build platforms wheel lint types docs images notebooks benchmarks studies clean FORCE

help:           ## list these targets
	@sed -n 's/^\([a-z-]*\): .*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 15

demo: $(VENV)/installed      ## run the Minerva mission, export it as FMUs, compare those with the run
	$(BIN)/keelblocks run examples/minerva_los.yaml --output build/demo
	$(BIN)/keelblocks export examples/minerva_los.yaml --output build/fmu
	$(BIN)/python examples/minerva_fmu.py
	@printf '%s\n' '' 'Now open' '  build/demo/mission.png       the mission on one page' \
		'  build/demo/minerva_los.nc    all that was recorded' '  build/fmu                    FMUs for other tools'

test: $(VENV)/installed      ## run the whole suite on the installed wheel; ARGS="-k name" goes to pytest
	$(BIN)/pytest $(PARALLEL) $(ARGS)

# By file: what a file compiles is compiled once.
test-slow: $(VENV)/installed      ## run the tests that compile the engine, start many processes or drive a browser, which `test` leaves out
	$(BIN)/pytest -n auto --dist loadfile -m slow $(ARGS)

# ROS 2 and Capytaine have environments of their own: see CONTRIBUTING, Dependencies.
test-ros: build/ros2/installed   ## run the tests of the ROS 2 node against rclpy, where there is a ROS 2 for this Python
	build/ros2/bin/python -P -m pytest $(ARGS) tests/blocks/live/ros2

test-hydro: build/hydro/installed   ## run the tests of hydrodynamics of hulls by Capytaine
	build/hydro/bin/python -P -m pytest $(PARALLEL) $(ARGS) tests/blocks/hydro

test-checked: $(VENV)/installed      ## run it on a checked build, which catches kernels that use a wrong index
	@echo "making a checked build"
	@KEELBLOCKS_CHECKED=1 $(LOCK) $(PIP) --no-build-isolation --no-deps --upgrade --target build/checked/site .
	PYTHONPATH=build/checked/site $(BIN)/pytest $(PARALLEL) $(ARGS)

coverage: $(VENV)/installed build    ## count which branches of the C engine the tests run, on a build that counts
	@echo "making a build that counts"
	@KEELBLOCKS_COVERAGE=1 $(LOCK) $(PIP) --no-build-isolation --no-deps --upgrade --target build/coverage/site .
	PYTHONPATH=tests/support $(BIN)/python -m engine_coverage prepare
	-KEELBLOCKS_COUNTING_RUNTIME=$(CURDIR)/build/coverage/runtimes/both/keelblocks.so PYTHONPATH=build/coverage/site \
		$(BIN)/pytest $(PARALLEL) $(SHIPPED) tests/common tests/cython_kernels tests/blocks tests/fmu $(ARGS)
	PYTHONPATH=tests/support $(BIN)/python -m engine_coverage

fuzz: $(VENV)/installed build        ## put damaged files before every reader; ARGS="--reader study --seed 12 --cases 1000"
	PYTHONPATH=tests/support $(BIN)/python -m fuzzing $(ARGS)

mutants: $(VENV)/tools build          ## change lines, and print those no test notices; ARGS="--seed 3 --count 40 --only blocks/control"
	PYTHONPATH=tests/support $(BIN)/python -m mutants $(ARGS)

cross-check: $(VENV)/installed build ## run FMUs in every importing tool that is here, by the rules of the FMI cross-check; ARGS="--only otter"
	$(BIN)/python -m benchmarks.cross_check $(or $(ARGS),--page docs/fmus/cross_check.md)

develop: $(VENV)/develop build       ## make .venv with all tools and build in place, to work on the source
	@$(BIN)/keelblocks schema examples/*.yaml examples/studies/*.yaml examples/comparisons/*.yaml

build: $(VENV)/tools         ## build the compiled parts in place, for use from the source folder
	@mkdir -p build
	@$(TICKING) $(LOCK) $(BIN)/python setup.py --quiet build_ext --inplace

platforms: $(VENV)/tools build/sources       ## build for every platform, in place and in the wheel that is installed
	@KEELBLOCKS_PLATFORMS=all $(BIN)/python build_backend.py | xargs -r $(PIP)
	@echo "building for every platform"
	@KEELBLOCKS_PLATFORMS=all $(LOCK) $(BIN)/python setup.py --quiet build_ext --inplace
	@KEELBLOCKS_PLATFORMS=all $(LOCK) $(PIP) --no-build-isolation '.[test]'
	@touch $(VENV)/installed

wheel: studio $(VENV)/tools build/sources   ## make the wheel for a release, with FMU runtimes for every platform, in dist
	@KEELBLOCKS_PLATFORMS=all $(BIN)/python build_backend.py | xargs -r $(PIP)
	@KEELBLOCKS_RELEASE=1 KEELBLOCKS_PLATFORMS=all $(LOCK) $(BIN)/python -m pip wheel --quiet --disable-pip-version-check \
		--no-build-isolation --no-deps --wheel-dir dist .

studio:          ## build the parts of pages, in studio/assets, by Node.js; `keelblocks share` also takes the engine of `make platforms`
	@command -v npm >/dev/null || { echo "the pages are built by Node.js 20 or later and its npm; releases have them"; exit 2; }
	@cd studio/web && npm ci --ignore-scripts --no-audit --no-fund --silent && npm run --silent types && npm run --silent build
	@echo "built studio/assets"

lint: $(VENV)/develop        ## check style, and that imports go one way
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint blocks cython_kernels
	$(BIN)/lint-imports --no-logo --no-cache

types: $(VENV)/develop        ## check types
	$(BIN)/python blocks/editors
	$(BIN)/mypy

docs: $(VENV)/docs $(VENV)/installed         ## build the documentation in build/docs
	$(BIN)/sphinx-build -q -W --keep-going docs build/docs
	@echo "wrote build/docs/index.html"

images: $(VENV)/installed    ## make the images of README and documentation anew
	$(BIN)/keelblocks build examples/wave_energy
	$(BIN)/keelblocks build examples/three_ways/wake_drag
	$(BIN)/python docs/make_images.py

notebooks: $(VENV)/installed ## write the notebooks of the tutorial anew from its pages, with their figures
	MPLBACKEND=agg $(BIN)/python docs/notebooks.py --figures

benchmarks: $(VENV)/installed build  ## measure speed, as ratios
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.kernels
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.ardupilot
	$(BIN)/python -m benchmarks.planning
	$(BIN)/python -m benchmarks.fmu
	$(BIN)/python -m benchmarks.learning

studies: $(VENV)/installed build     ## run the studies of the documentation in full, and write their files in build/studies
	@mkdir -p build/studies
	cd build/studies && ../../$(BIN)/python ../../examples/sea_trials.py --full
	cd build/studies && ../../$(BIN)/python ../../examples/monte_carlo_los.py
	$(BIN)/python -m benchmarks.sea_statistics
	$(MAKE) --no-print-directory $(VENV)/train
	cd build/studies && ../../$(BIN)/python ../../examples/learn_otter.py --train
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.identification

clean:          ## remove all that was made, .venv too
	rm -rf $(VENV) build dist *.egg-info docs/reference examples/.keelblocks fmu/runtime/binaries cython_kernels/generated \
		studio/assets studio/web/node_modules \
		cython_kernels/views cython_kernels/entries cython_kernels/registry.pxd blocks/*/__init__.pyi \
		.mypy_cache .pytest_cache .ruff_cache
	find benchmarks blocks cython_kernels docs examples fmu studio tests \
		\( -name '*.so' -o -name __pycache__ -o -name __keelblocks__ \) -prune -exec rm -rf {} +

# What .venv holds is marked by files in it: the tools to build with, the wheel and what it needs, tools for developers.

$(VENV)/tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "Keelblocks needs Python 3.10 or later; name one with: make PYTHON=python3.12 ..."; exit 2; }
	@echo "preparing $(VENV)"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@sed -n '/^requires = / { s/.*\[\(.*\)\]/\1/; s/", "/" "/g; p; }' pyproject.toml | xargs $(PIP)
	@$(BIN)/python build_backend.py | xargs -r $(PIP)
	@touch $@

$(VENV)/installed: $(VENV)/tools build/sources $(SOURCES) setup.py build_backend.py
	@echo "building the wheel and installing it in $(VENV); the first time this takes minutes"
	@$(TICKING) $(LOCK) $(PIP) --no-build-isolation '.[test]'
	@touch $@

$(APART:=/installed): build/%/installed: $(VENV)/installed
	@echo "installing keelblocks[$*] in build/$*"
	@$(BIN)/python -m venv --clear build/$*
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
		"$$(build/$*/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/keelblocks.pth"
	@$(TICKING) build/$*/bin/python -m pip install --quiet --quiet --disable-pip-version-check 'keelblocks[$*]'
	@build/$*/bin/python -m pip uninstall --quiet --yes lark-parser 2>/dev/null  # of ROS 2: that of FMPy does for both
	@touch $@

$(VENV)/train: $(VENV)/tools
	@echo "installing Stable-Baselines3 and PyTorch in $(VENV), for the study of a learned policy"
	@$(LOCK) $(PIP) --no-build-isolation '.[train]'
	@touch $@

$(VENV)/develop: $(VENV)/tools
	@echo "installing the tools for developers in $(VENV)"
	@mkdir -p build
	@$(TICKING) $(LOCK) $(PIP) --no-build-isolation '.[dev]'
	@touch $@

$(VENV)/docs: $(VENV)/tools
	@echo "installing the tools for documentation in $(VENV)"
	@mkdir -p build
	@$(TICKING) $(LOCK) $(PIP) --no-build-isolation '.[docs]'
	@touch $@

# Changes when a source file comes or goes. What was copied for the last wheel goes too, so that the next has no relics.
build/sources: FORCE
	@mkdir -p build
	@echo '$(SOURCES)' | cmp -s - $@ || { \
		find build/lib* build/*/lib* -type f ! -name '*.so' -delete 2>/dev/null; echo '$(SOURCES)' > $@; }
