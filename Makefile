# `make demo` and `make test` do all their own set-up; they need python3 (3.11 or newer, with venv
# and pip) and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TRAIN_VENV := .venv-train
API_VENV := .venv-openapi
LOWEST_VENV := .venv-lowest
VERSIONS ?= 3.12 3.13
INTEGRATIONS_VENV := .venv-integrations
BENCH := build/loci-similes
# Three workers, also on two cores: tests in a browser often wait. One that has done its tests takes
# over some of another's.
WORKERS := -n 3 --dist worksteal

.PHONY: demo app notebook test test-train test-openapi test-lowest test-versions test-integrations test-all coverage \
  release-check lint bench \
  docs screenshots chromium axe clean

demo: $(VENV)/core
	@$(BIN)/locisimiles demo

app: $(VENV)/app
	@$(BIN)/locisimiles app

notebook: $(VENV)/notebook
	@$(BIN)/jupyter lab docs/notebooks/first-search.ipynb

test: lint chromium axe
	$(BIN)/pytest $(WORKERS)

# The browser of the app's tests. Where it is missing and may not be installed, they are skipped.
chromium:
	@command -v chromium >/dev/null 2>&1 || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1 \
	  || (apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium) >/dev/null 2>&1 \
	  || echo "chromium cannot be installed; tests in the browser are skipped"

# What looks for barriers in the app's pages; its tests are skipped without it, too.
axe:
	@[ -d node_modules/axe-core ] || ! command -v npm >/dev/null 2>&1 \
	  || npm install --no-save --no-package-lock --no-audit --no-fund --fetch-retries 0 \
	     --fetch-timeout 10000 axe-core >/dev/null 2>&1 \
	  || echo "axe-core cannot be installed; its tests are skipped"

# What needs torch runs in an environment of its own, so that `make test` stays light. The CPU
# build of torch must be there before anything else asks for torch.
test-train:
	@if grep -rqs "mark.train" tests; then $(MAKE) --no-print-directory _test-train; \
	else echo "No test needs torch yet."; fi

.PHONY: _test-train
_test-train: $(TRAIN_VENV)/ready
	OMP_NUM_THREADS=1 $(TRAIN_VENV)/bin/pytest $(WORKERS) -m train

# Requests made from the description of the API. What makes them brings much along, so it has an
# environment of its own.
test-openapi: $(API_VENV)/ready
	$(API_VENV)/bin/pytest $(WORKERS) -m slow tests/app/api/test_openapi.py

# The core with the lowest version of each library that pyproject.toml names, without extras.
LOWEST := tests/latin tests/corpus tests/files tests/retrieve tests/classify tests/results \
  tests/evidence tests/index --ignore tests/results/test_frames.py \
  --ignore tests/classify/test_paper_features.py --ignore tests/files/test_parquet_rows.py \
  --ignore tests/corpus/test_in_memory.py
test-lowest: $(LOWEST_VENV)/ready
	cd / && $(CURDIR)/$(LOWEST_VENV)/bin/locisimiles demo > /dev/null
	$(LOWEST_VENV)/bin/pytest $(WORKERS) $(LOWEST)

# The core on later versions of Python, with the highest versions of its libraries, without extras.
test-versions: $(VERSIONS:%=.venv-%/ready)
	for version in $(VERSIONS); do \
	  (cd / && $(CURDIR)/.venv-$$version/bin/locisimiles demo > /dev/null) \
	  && .venv-$$version/bin/pytest $(WORKERS) $(LOWEST) || exit 1; done

# Components for other libraries, with those that `make test` does not install.
test-integrations: $(INTEGRATIONS_VENV)/ready
	$(INTEGRATIONS_VENV)/bin/pytest tests/integrations

test-all: lint chromium axe
	$(BIN)/pytest $(WORKERS) -m "not train"
	$(MAKE) test-openapi test-lowest test-versions test-integrations test-train

# How much of the core the tests run, line by line and branch by branch.
coverage: $(VENV)/dev
	$(BIN)/pytest $(WORKERS) --ignore tests/app --cov --cov-report=term:skip-covered --cov-fail-under=95

# Wheel and sdist in empty environments: contents, models, licences, demo, projects of 0.1.
release-check: $(VENV)/core
	$(BIN)/python tools/release_check.py

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(VENV)/dev
	$(BIN)/python benchmarks/footprint.py
	$(BIN)/python benchmarks/segments.py
	$(BIN)/python benchmarks/lemmas.py
	$(BIN)/locisimiles benchmark build --labels ../shared/benchmark/labels.csv --corpora ../shared/corpora -o $(BENCH) --overwrite
	$(BIN)/python benchmarks/benchmark_quality.py --set $(BENCH) --simplemma --all
	$(BIN)/python benchmarks/default_quality.py $(BENCH)
	$(BIN)/python benchmarks/retrieval_speed.py $(BENCH) --whole
	$(BIN)/python benchmarks/ngram_rules.py
	$(BIN)/python benchmarks/dense_search.py
	$(BIN)/python benchmarks/classification_speed.py
	$(BIN)/python benchmarks/export_speed.py
	$(BIN)/python benchmarks/app.py

screenshots: $(VENV)/dev
	$(BIN)/python docs/screenshots.py

docs: $(VENV)/dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/pytest $(WORKERS) tests/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) $(TRAIN_VENV) $(API_VENV) $(LOWEST_VENV) $(INTEGRATIONS_VENV) node_modules \
	  site .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/core: pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" \
	  || { echo "locisimiles needs Python 3.11 or newer; say which with 'make PYTHON=python3.11 ...'"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/app: $(VENV)/core pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[app]"
	@touch $@

$(VENV)/notebook: $(VENV)/core pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[notebook]"
	@touch $@

$(VENV)/dev: $(VENV)/core pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

$(API_VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(API_VENV)
	$(API_VENV)/bin/pip install --quiet --disable-pip-version-check --editable ".[dev]" "schemathesis>=4.0"
	@touch $@

$(LOWEST_VENV)/ready: pyproject.toml tools/lowest.py
	$(PYTHON) -m venv $(LOWEST_VENV)
	$(PYTHON) tools/lowest.py > $(LOWEST_VENV)/lowest.txt
	$(LOWEST_VENV)/bin/pip install --quiet --disable-pip-version-check --editable . \
	  --constraint $(LOWEST_VENV)/lowest.txt "hypothesis>=6.100" "pytest>=8.2" "pytest-xdist>=3.6"
	@touch $@

$(VERSIONS:%=.venv-%/ready): .venv-%/ready: pyproject.toml
	python$* -m venv .venv-$*
	.venv-$*/bin/pip install --quiet --disable-pip-version-check --editable . \
	  "hypothesis>=6.100" "pytest>=8.2" "pytest-xdist>=3.6"
	@touch $@

$(INTEGRATIONS_VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(INTEGRATIONS_VENV)
	$(INTEGRATIONS_VENV)/bin/pip install --quiet --disable-pip-version-check --editable ".[dev,spacy]"
	@touch $@

$(TRAIN_VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(TRAIN_VENV)
	$(TRAIN_VENV)/bin/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(TRAIN_VENV)/bin/pip install --quiet --disable-pip-version-check --editable ".[dev,train]"
	@touch $@
