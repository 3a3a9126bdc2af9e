# `make demo` and `make test` do all the set-up on a machine with Python 3.11 or newer, git and make.

PYTHON ?= python3
PIP = -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test test-all lint check site serve bench readme mutmut clean

# The main job, with the core alone: no torch, no account, no network after the installation.
demo: .venv-demo/ready
	.venv-demo/bin/kata run rms_norm --suite katas/rms_norm/solution.py

.venv-demo/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-demo
	.venv-demo/bin/python $(PIP) --editable .
	touch $@

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python $(PIP) --editable '.[dev]'
	touch $@

# The front-end packages that the site vendors and that its tests read. Without npm they are skipped, with a reason.
site/node_modules/ready: site/package-lock.json
	if command -v npm >/dev/null; then npm ci --prefix site --silent --no-audit --no-fund && touch $@; fi

test: .venv/ready site/node_modules/ready lint
	.venv/bin/python -m pytest

lint: .venv/ready
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

# The core's tests on every Python that is installed.
test-all: test
	for version in 3.12 3.13; do \
	  command -v python$$version >/dev/null && python$$version -c 'import venv' 2>/dev/null || { echo "python$$version is not installed: skipped"; continue; }; \
	  python$$version -m venv .venv-$$version && .venv-$$version/bin/python -m pip install --quiet --editable . hypothesis jsonschema || exit 1; \
	  .venv-$$version/bin/python -m pytest tests/bank tests/judge tests/report tests/workspace || exit 1; \
	done

# What an author must prove, over the whole bank.
check: .venv/ready
	.venv/bin/kata check

site: .venv/ready site/node_modules/ready
	.venv/bin/kata site build

serve: .venv/ready site/node_modules/ready
	.venv/bin/kata site serve

# Kills per second against mutmut and cosmic-ray, on the same function and suite.
bench: .venv/ready
	.venv/bin/python benchmarks/judging_speed.py

# The parts of the README that are measured.
readme: .venv/ready
	.venv/bin/python benchmarks/readme_figures.py

# An outside cross-check: every mutant that mutmut makes of the references is killed, or listed as equivalent.
mutmut: .venv/ready
	.venv/bin/python benchmarks/mutmut_cross_check.py

clean:
	rm -rf build dist .venv-demo .venv-3.12 .venv-3.13
