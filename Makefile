# Everything a person or CI runs. `make demo` and `make test` set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: all setup demo check format browser realmodel test eval bench lock docs clean
all: check test

setup: $(STAMP)

$(STAMP): pyproject.toml requirements/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup
	@$(BIN)/python examples/demo.py

check: setup
	$(BIN)/python docs/generate.py --check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The browser tests need Chromium: installed here by apt as root, else named by CHROMIUM=PATH. With CI=1 they must run.
browser: setup
	@CHROMIUM=$(CHROMIUM) $(BIN)/python -m tests.browser.chromium

# A chat model of 98 MB that really runs, and its server. With CI=1 its tests must run.
realmodel: setup
	@$(BIN)/python -m tests.realmodel.small_model

test: check browser realmodel
	CHROMIUM=$(CHROMIUM) $(BIN)/pytest -q -n 2 --dist loadgroup

# EVAL_SETS="questions.jsonl=folder …" adds sets, RECORD=1 writes a dated page of the scores.
eval: setup
	$(BIN)/askwell eval --arms $(if $(RECORD),--record docs/measurements) \
	  examples/questions/homelab.jsonl=examples/homelab examples/questions/vault.jsonl=examples/vault $(EVAL_SETS)

bench: setup
	$(BIN)/python -m benchmarks.budgets

docs: setup
	$(BIN)/python docs/generate.py

# Needs uv. Hashes only: the lock names no registry.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --no-emit-index-url --group dev pyproject.toml --output-file requirements/dev.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-deps \
	  --no-emit-index-url --group realmodel --output-file requirements/realmodel.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
