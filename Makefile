# Everything sets itself up: `make demo` and `make test` work on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check format bench docs uncompiled clean

demo: $(READY)
	$(BIN)/warmer demo

test: $(READY)
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term:skip-covered

check: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python -m benchmarks

docs: $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

uncompiled:
	find src tests benchmarks -name '*.nb[ci]' -delete

clean: uncompiled
	rm -rf docs/_build $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(READY)
