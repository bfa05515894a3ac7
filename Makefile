# Two commands matter: `make run` and `make test`. Each makes what it needs first, and ends with an error if any step fails.
PYTHONS := 3.14 3.13 3.12 3.11
PORT ?= 8501
PIP_FLAGS ?=
VENV := .venv
BIN := $(VENV)/bin
# Each process takes its half of the tests, and at its end some of the other's.
TEST_PROCESSES ?= 2
PYTEST_FLAGS := -n $(TEST_PROCESSES) --dist worksteal
PYTEST := $(BIN)/python -m pytest $(PYTEST_FLAGS)
RESULTS := test-results
# All but requirements.txt and the benchmarks'.
REQUIREMENTS := $(addprefix requirements-,$(addsuffix .txt,dev docs login notebook onnx study))
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt
USABLE := import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 15))

# The newest Python that can make an environment. For a new environment, `make PYTHON=/path/to/python …` names another.
PYTHON ?= $(shell for python in $(PYTHONS:%=python%) python3; do \
	$$python -c '$(USABLE)' 2>/dev/null && echo $$python && break; done)

# Where it is set, each process compiles the project again, and pytest each test file.
unexport PYTHONDONTWRITEBYTECODE

# An environment whose Python has gone is made again.
ifeq ($(shell $(BIN)/python -c 'print("works")' 2>/dev/null),)
.PHONY: $(VENV)/installed
endif

.DEFAULT_GOAL := help
.PHONY: help run docs test checks test-slow soak mutations test-kernels types lint-js test-js recount load resolve dist test-lowest test-newest browser proxy java clean
.DELETE_ON_ERROR:

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' Makefile

# The app starts without its documentation too.
run: $(VENV)/installed ## install once, then serve the app at http://localhost:8501, with its documentation at /docs
	-@$(MAKE) --no-print-directory docs
	$(BIN)/python -m tsk_core serve --port $(PORT)

# The checks run beside the tests; what they say stands below what pytest says.
test: $(VENV)/installed-dev node_modules/installed browser ## lint, types, import contracts, and every rule of behaviour
	@mkdir -p $(RESULTS)
	@$(MAKE) --no-print-directory checks > $(RESULTS)/checks.log 2>&1 & checks=$$!; \
	$(PYTEST) -m "not slow and not soak" --junitxml=$(RESULTS)/test.xml; tests=$$?; \
	wait $$checks; checks=$$?; cat $(RESULTS)/checks.log; exit $$((tests | checks))

checks: lint-js test-js types ## what needs no pytest: lint, types, import contracts, the JavaScript without a page
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

# The app serves what lies there at /docs, and a wheel takes it along. A changed docstring changes it too.
SITE := static/docs/index.html
docs: $(SITE) ## build the documentation, which the app serves at /docs

$(SITE): $(VENV)/installed-docs $(shell find docs tsk_core tsk_study study -name '*.md' -o -name '*.py' -o -name '*.png' -o -name '*.svg') *.md
	@rm -rf build/docs
	$(BIN)/python -m sphinx --builder html --fail-on-warning --quiet --doctree-dir build/doctrees docs build/docs
	@rm -rf static/docs && mv build/docs static/docs

types: $(VENV)/installed-dev ## check the types of the packages, pages and app.py
	$(BIN)/mypy

lint-js: node_modules/installed ## lint and type-check the JavaScript
	PATH="$(abspath $(BIN)):$$PATH" node_modules/.bin/eslint ui/client ui/notebook tests/client
	PATH="$(abspath $(BIN)):$$PATH" node_modules/.bin/tsc --project jsconfig.json

test-js: $(VENV)/installed-dev ## the tests of the JavaScript that needs no page
	PATH="$(abspath $(BIN)):$$PATH" node --test "tests/client/*.test.js"

test-slow: $(VENV)/installed-dev node_modules/installed browser proxy java ## real browsers, clusters, kills, Weka, notebooks, docs
	@mkdir -p $(RESULTS)
	$(PYTEST) -m "slow and not soak" --junitxml=$(RESULTS)/slow.xml

soak: $(VENV)/installed-dev node_modules/installed browser proxy java ## a night of loads, kills, mutations, kernels and versions; docs/project/soak.md keeps the result
	$(BIN)/python -m tests.soak

mutations: $(VENV)/installed-dev node_modules/installed ## 46 faults in copies of the tree, one at a time: do the tests notice?
	$(BIN)/python -m tests.mutations

# Results of training differ from processor to processor: these variables choose the kernels of torch and MKL that every one has.
TRAINING_TESTS := tests/train tests/model tests/experiments tests/study tests/explain tests/estimators \
	tests/lessons tests/test_quality.py tests/pages/test_preset_effects.py
test-kernels: $(VENV)/installed-dev ## the tests that train, slow ones too, with the kernels of another processor
	ATEN_CPU_CAPABILITY=default MKL_CBWR=COMPATIBLE $(PYTEST) -m "not soak" $(TRAINING_TESTS)

recount: $(VENV)/installed-dev ## recount what the pages print from the raw rows of six tables; prints each kind of number
	$(BIN)/python -m tests.recount

load: $(VENV)/installed-dev ## fifty simulated browsers train at once; prints what they saw
	$(BIN)/python -m tests.load.fifty

# python-weka-wrapper3 is left out: it is pure Python and comes as source, like all that it alone brings along.
resolve: $(VENV)/installed ## check that each pin has a wheel for each Python; installs nothing
	@grep -hEv '^(-r|python-weka-wrapper3=)' requirements.txt $(REQUIREMENTS) > $(VENV)/pins.txt
	@for version in $(PYTHONS); do \
		$(BIN)/python -m pip install --quiet --dry-run --ignore-installed --target $(VENV)/nowhere --only-binary :all: \
			--python-version $$version -r $(VENV)/pins.txt -c constraints.txt || exit 1; \
		echo "Python $$version: every pin has a wheel."; done

dist: $(VENV)/installed-dev docs ## build sdist and wheel into dist/, install each into empty environments and use it there
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m tests.installed dist/*

# The library's tests with the oldest versions that pyproject.toml allows, and with the newest that pip finds; each has an
# environment of its own. On Linux, pip takes builds of torch with CUDA: several GB. Warnings of other libraries are no failures there.
LIBRARY_TESTS := tests/model tests/train tests/evaluate tests/explain tests/estimators tests/data tests/predict tests/tuning tests/experiments
TEST_TOOLS := pytest pytest-timeout pytest-xdist hypothesis pytorch-optimizer markdown-it-py
TEST_LIBRARY = -m pytest $(PYTEST_FLAGS) -m "not slow and not soak" -W default -p no:cacheprovider \
	--ignore=tests/data/gallery/test_claims.py --ignore=tests/predict/test_cell_check.py \
	--ignore=tests/experiments/test_sweep_summary.py $(LIBRARY_TESTS)

test-lowest: ## the library's tests with the oldest versions that it allows
	"$(PYTHON)" -m venv --clear .venv-lowest
	"$(PYTHON)" -m tests.requirements > .venv-lowest/lowest.txt
	.venv-lowest/bin/python -m pip install $(PIP_FLAGS) . $(TEST_TOOLS) -c .venv-lowest/lowest.txt
	.venv-lowest/bin/python $(TEST_LIBRARY)

test-newest: ## the library's tests with the newest versions that pip finds
	"$(PYTHON)" -m venv --clear .venv-newest
	.venv-newest/bin/python -m pip install $(PIP_FLAGS) . $(TEST_TOOLS)
	.venv-newest/bin/python $(TEST_LIBRARY)

clean: ## remove the environment and all caches; runs/ stays
	rm -rf $(VENV) .venv-lowest .venv-newest build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis .import_linter_cache test-results node_modules static/docs static/plotly*.min.js static/client-* static/watch-* static/explanations-* static/widget-*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/installed: requirements.txt constraints.txt
	@$(BIN)/python -c '' 2>/dev/null || { \
		"$(PYTHON)" -c '$(USABLE)' 2>/dev/null || \
			{ echo "TSK Explorer needs Python 3.11 to 3.14 with venv, and none was found: install one, or name it with make PYTHON=..." >&2; exit 1; }; \
		"$(PYTHON)" -m venv --clear $(VENV); }
	$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(VENV)/installed-docs: $(VENV)/installed requirements-docs.txt
	$(PIP_INSTALL) -r requirements-docs.txt
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed $(REQUIREMENTS)
	$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@

# node and npm come from a wheel of requirements-dev.txt, so that nothing has to be installed besides Python.
node_modules/installed: package.json package-lock.json $(VENV)/installed-dev
	PATH="$(abspath $(BIN)):$$PATH" npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# nginx, for the tests of docs/nginx.conf; where it cannot be installed, they are skipped.
proxy:
	@command -v nginx >/dev/null || ! command -v apt-get >/dev/null || { \
		sudo=$$(test "$$(id -u)" -eq 0 || echo sudo); \
		$$sudo apt-get update && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y nginx-light; } || true

# Java, for Weka; where it cannot be installed, the tests of JRip and PART are skipped.
java:
	@command -v java >/dev/null || ! command -v apt-get >/dev/null || { \
		sudo=$$(test "$$(id -u)" -eq 0 || echo sudo); \
		$$sudo apt-get update && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y default-jre-headless; } || true

browser:
	@command -v chromium >/dev/null || { \
		command -v apt-get >/dev/null || \
			{ echo "The tests drive a browser: there is no 'chromium' on the PATH, and no apt-get to install it with." >&2; exit 1; }; \
		sudo=$$(test "$$(id -u)" -eq 0 || echo sudo); \
		$$sudo apt-get update && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y chromium; }
