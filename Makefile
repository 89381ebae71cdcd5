# Everything a developer or an operator types. CI runs `make test` and `make check`.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv serve demo test check docs bench constraints clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; \
		do printf '  make %-12s %s\n' "$$name" "$$text"; done

venv: $(STAMP) ## Make .venv with everything installed, at the pinned versions

$(STAMP): pyproject.toml constraints.txt tools/make_venv.sh
	@tools/make_venv.sh $(PYTHON) -c constraints.txt
	@touch $@

serve: $(STAMP) ## Run the server; HOST=, PORT=, DATA= (its folder) and ARGS= are passed on
	@exec $(BIN)/bigben serve $(if $(HOST),--host '$(HOST)') $(if $(PORT),--port '$(PORT)') \
		$(if $(DATA),--data '$(DATA)') $(ARGS)

demo: $(STAMP) ## Run a server with players in it, to look at; ARGS= are passed on
	@exec $(BIN)/bigben demo $(ARGS)

test: $(STAMP) ## Run the tests; ARGS= go to pytest
	@BIGBEN_CHROMIUM='$(BIGBEN_CHROMIUM)' tools/get_chromium.sh
	@BIGBEN_CHROMIUM='$(BIGBEN_CHROMIUM)' $(BIN)/python -m pytest -q -n logical --maxprocesses 8 --dist loadfile $(ARGS)

check: $(STAMP) ## Lint, format, types, import arrows, written docs, and the wheel in a fresh venv
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "Not formatted: run $(BIN)/ruff format"; exit 1; }
	@$(BIN)/mypy
	@$(BIN)/pyright --warnings
	@$(BIN)/lint-imports
	@$(BIN)/python -m tools.describe_protocol --check
	@$(BIN)/python -m tools.describe_api --check
	@$(BIN)/python tools/check_wheel.py

docs: $(STAMP) ## Write docs/protocol and openapi.json, from the structs
	@$(BIN)/python -m tools.describe_protocol
	@$(BIN)/python -m tools.describe_api

bench: $(STAMP) ## Run the benchmarks; ARGS= are passed on
	@$(BIN)/python -m benchmarks $(ARGS)

constraints: ## Pin the newest versions of everything in constraints.txt
	@tools/pin_versions.sh $(PYTHON)

clean: ## Remove .venv, caches and builds; game data stay
	@rm -rf .venv dist build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
