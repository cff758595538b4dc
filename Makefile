# Everything sets itself up: `make demo` and `make test` work on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BROWSER := $(BIN)/python -m tests.browser
APT := DEBIAN_FRONTEND=noninteractive timeout 120 apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20
GET_BROWSER := $(APT) update && $(APT) install -y --no-install-recommends chromium

.PHONY: demo test check format bench docs uncompiled clean

demo: $(READY)
	$(BIN)/warmer demo

# The report page is looked at in a browser: one that is here, else Chromium where apt-get may install it, else not.
test: $(READY)
	@$(BROWSER) >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && $(GET_BROWSER); } >/dev/null 2>&1 || true
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term:skip-covered \
		$$($(BROWSER) >/dev/null 2>&1 || echo --ignore=tests/browser); \
		code=$$?; $(BROWSER) >/dev/null; exit $$code

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
