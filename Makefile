# Everything sets itself up: `make demo` and `make test` work on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BROWSER := $(BIN)/python -m tests.browser
SERVER := $(BIN)/python -m tests.studies.server
GPU := $(BIN)/python -m tests.gpu
EMULATED := $(BIN)/python -m tests.emulated_gpu
unexport PYTHONDONTWRITEBYTECODE # hundreds of processes are started by the tests: each would compile all of src again

.PHONY: demo test test-full check format bench bench-quick docs uncompiled clean

demo: $(READY)
	$(BIN)/warmer demo

# A few minutes on two cores, with nothing from outside Python.
test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long"
	@echo "Left out: tests marked long, among them those on PostgreSQL and in a browser; make test-full runs them."

# The long tests that `make test` leaves out; the pages in a browser, the studies on PostgreSQL and the kernels for a GPU
# where there is a browser, a server, a GPU and a compiler.
test-full: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m long $$($(BROWSER) >/dev/null 2>&1 || echo --ignore=tests/browser) \
		$$($(GPU) >/dev/null 2>&1 || echo --ignore=tests/gpu) \
		$$($(EMULATED) >/dev/null 2>&1 || echo --ignore=tests/emulated_gpu)
	@$(BROWSER) >/dev/null || true
	@$(SERVER) >/dev/null || true
	@$(GPU) >/dev/null || true
	@$(EMULATED) >/dev/null || true

check: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

# Everything, side by side with the peers: about 35 minutes on two free cores. One section again:
# python -m benchmarks --document docs/benchmarks.md NAME
bench: $(READY)
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks --document docs/benchmarks.md

# Small versions, with the peers that are installed: under three minutes on two cores.
bench-quick: $(READY)
	$(BIN)/python -m benchmarks --quick --document docs/benchmarks.md

docs: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

uncompiled:
	find src tests benchmarks -name '*.nb[ci]' -delete

clean: uncompiled
	rm -rf docs/_build $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(READY)
