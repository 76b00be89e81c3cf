# Every target sets itself up: a virtual environment in .venv with the versions of requirements.lock.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# For other people's trainers: RLlib pins an older Gymnasium than ours, and all of them are large.
OTHERS := .venv-integrations
# For MineRL's client, which needs NumPy 1.23, setuptools 57 and Python 3.11 or older. READTHEDOCS tells its installer
# not to build Minecraft, which needs Java 8 and the network: `make minerl-env MINECRAFT=1` builds it.
MINERL ?= .venv-minerl
MINERL_PYTHON ?= $(shell command -v python3.11 || echo $(PYTHON))
MINECRAFT ?=

.PHONY: demo test test-slow test-integrations test-minerl minerl-env check lint bench evidence docs lock clean

demo: $(READY)
	$(BIN)/lapis demo

# One process for each of the cores, up to four; the tests of a file stay together.
test: $(READY)
	$(BIN)/python -m pytest -m "not slow" -n auto --maxprocesses 4 --dist loadfile

test-slow: $(READY) test-integrations test-minerl
	$(BIN)/python -m pytest -m slow

# The curriculum in TRL, RLlib, TorchRL and the others, all that needs Ray, and worlds in JAX, in an environment of their own.
test-integrations: $(OTHERS)/.ready
	$(OTHERS)/bin/python -m pytest tests/integrations tests/reproduce/test_reproduce_ray.py tests/worlds/craftax tests/worlds/xland

# Minecraft through MineRL's own client, against a server that speaks Malmo's protocol. No Java is needed.
test-minerl: $(READY) minerl-env
	LAPIS_MINERL_PYTHON=$(abspath $(MINERL))/bin/python $(BIN)/python -m pytest -m "slow or not slow" tests/worlds/minerl

minerl-env: $(MINERL)/.ready

$(MINERL)/.ready: requirements-minerl.lock
	@$(MINERL_PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v > (3, 12) and f"MineRL needs Python 3.11 or older; $(MINERL_PYTHON) is {v[0]}.{v[1]}. Try: make MINERL_PYTHON=python3.11 ...")'
	test -x $(MINERL)/bin/python || $(MINERL_PYTHON) -m venv $(MINERL)
	$(MINERL)/bin/python -m pip install --quiet pip==23.2.1 setuptools==57.5.0 wheel==0.37.1
	$(if $(MINECRAFT),,READTHEDOCS=1) $(MINERL)/bin/python -m pip install --quiet --no-build-isolation --no-deps --requirement requirements-minerl.lock
	touch $@

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

check: lint test

bench: $(READY)
	$(BIN)/python -m benchmarks.run

# Redraws every table and figure of the documentation from the tables in experiments/results;
# with RUN=1 trains again first, which takes hours (DEVICE=cuda: on GPUs).
DEVICE ?= cpu
evidence: $(READY)
	$(BIN)/python -m experiments.evidence $(if $(RUN),--run --device $(DEVICE))

# Builds the documentation into site/; a dead link or a bad docstring is an error.
docs: $(READY)
	$(BIN)/zensical build --clean --strict
	@echo "open site/index.html"

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"Lapis needs Python 3.11 or newer; $(PYTHON) is {v[0]}.{v[1]}. Try: make PYTHON=python3.12 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $(READY)

$(OTHERS)/.ready: requirements-integrations.lock pyproject.toml
	test -x $(OTHERS)/bin/python || $(PYTHON) -m venv $(OTHERS)
	$(OTHERS)/bin/python -m pip install --quiet --requirement requirements-integrations.lock
	$(OTHERS)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# Writes both lock files anew from the versions that are installed now.
lock: $(READY) $(OTHERS)/.ready
	$(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//' > requirements.lock
	$(OTHERS)/bin/python -m pip freeze --exclude-editable | sed 's/+cpu$$//' > requirements-integrations.lock

clean:
	rm -rf $(VENV) $(OTHERS) $(MINERL) .pytest_cache .ruff_cache .hypothesis .cache site
