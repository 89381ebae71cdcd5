# The commands for developers and operators. `.ci/run` is what CI runs.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
RUNNER := pytest
# -n auto: tests/conftest.py says how many processes.
PYTEST := -q -n auto --dist loadfile --no-loadscope-reorder
# What chance follows in `make torture`: itself, or a number.
TORTURE := random

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv serve demo test torture mutants pictures check check-pyright check-mypy check-wheel check-page check-docs \
	check-imports check-ruff docs bench bench-quick soak chaos constraints release research fast clean

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; \
		do printf '  make %-12s %s\n' "$$name" "$$text"; done

venv: $(STAMP) ## Make .venv with everything installed, at the pinned versions

$(STAMP): pyproject.toml constraints.txt tools/make_venv.sh
	@tools/make_venv.sh $(PYTHON) -c constraints.txt
	@touch $@

serve: $(STAMP) ## Run the server; options: HOST=, PORT=, DATA= (its data folder), ARGS=
	@exec $(BIN)/bigben serve $(if $(HOST),--host '$(HOST)') $(if $(PORT),--port '$(PORT)') \
		$(if $(DATA),--data '$(DATA)') $(ARGS)

demo: $(STAMP) ## Show a race of four house players; options: ARGS=
	@exec $(BIN)/bigben demo $(ARGS)

test: $(STAMP) ## Run the tests; options for pytest: ARGS=
	@tools/get_programs.sh
	@$(BIN)/python -m $(RUNNER) $(PYTEST) $(ARGS)

torture: $(STAMP) ## Run the tests of chance, kills and versions far more often; options: PART=3/7, ARGS=
	@tools/get_programs.sh
	@TORTURE=$(TORTURE) PART=$(PART) PYTEST_TIMEOUT=1800 $(BIN)/python -m $(RUNNER) $(PYTEST) $(ARGS)

mutants: $(STAMP) ## Plant 40 faults, one for each promise, and look whether the tests find them
	@$(BIN)/python -m tools.mutants planted $(ARGS)

# Side by side, the longest first; --output-sync keeps what each of them says together.
check: $(STAMP) ## Check lint, format, types (also of the page), imports, generated docs, and the wheel in a fresh venv
	@$(MAKE) --no-print-directory --keep-going --jobs 3 $(if $(filter output-sync,$(.FEATURES)),--output-sync) \
		check-pyright check-mypy check-wheel check-page check-docs check-imports check-ruff

check-pyright:
	@$(BIN)/pyright --warnings

check-mypy:
	@$(BIN)/mypy

check-wheel:
	@$(BIN)/python tools/check_wheel.py

check-docs:
	@$(BIN)/python -m tools.describe_protocol --check
	@$(BIN)/python -m tools.describe_api --check
	@$(BIN)/python -m tools.draw_faces --check
	@$(BIN)/python -m tools.draw_rules --check

check-imports:
	@$(BIN)/lint-imports

check-ruff:
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "Not formatted: run $(BIN)/ruff format"; exit 1; }

check-page:
	@tools/check_page.sh

pictures: $(STAMP) ## Take pictures of all screens into build/pictures; ARGS=--accept: those of the tests and of docs/
	@$(BIN)/python -m tools.take_pictures $(ARGS)

docs: $(STAMP) ## Generate docs/protocol, openapi.json and the types of the page from the structs, and the pictures of the rules
	@$(BIN)/python -m tools.describe_protocol
	@$(BIN)/python -m tools.describe_api
	@$(BIN)/python -m tools.draw_faces
	@$(BIN)/python -m tools.draw_rules

bench: $(STAMP) ## Measure what a move costs beside other servers (90 minutes); options: ARGS=
	@$(BIN)/python -m benchmarks $(ARGS)

soak: $(STAMP) ## Play for ten minutes and check that the server does not grow; options: ARGS=
	@$(BIN)/python -m benchmarks.soak $(ARGS)

chaos: $(STAMP) ## Kill servers, workers and Redis a hundred times during play and count lost moves; options: ARGS=
	@$(BIN)/python -m benchmarks.chaos --kills 50 $(ARGS)
	@$(BIN)/python -m benchmarks.chaos --kills 50 --workers 3 $(ARGS)

bench-quick: $(STAMP) ## Measure the most important of it in two minutes; options: ARGS=
	@$(BIN)/python -m benchmarks --quick $(ARGS)

constraints: ## Pin the newest version of every package, for operators with hashes
	@tools/pin_versions.sh $(PYTHON)

release: $(STAMP) ## Build source, wheel, checksums and SBOM in dist/, and the image (without it: IMAGE=no)
	@tools/make_release.sh $(IMAGE)

research: $(STAMP) ## Play the published wins again, then measure some deals and games; options: ARGS=
	@$(BIN)/bigben verify research/published/certificates.xz
	@$(BIN)/python -m research.winnability --results build/winnability $(or $(ARGS),--quick)

fast: $(STAMP) ## Compile the solver into build/fast, for long computations
	@research/compile_solver.sh build/fast

clean: ## Remove .venv, caches and builds, but keep game data
	@rm -rf .venv dist build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
