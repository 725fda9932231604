.DEFAULT_GOAL := help
.PHONY: help run test engines engines-stop test-engines check format bench bench-engines browser-test onnx clean

# Everything is started through npm scripts, so that the pinned Node of node_modules runs it.
INSTALLED := node_modules/.installed

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

$(INSTALLED): package.json package-lock.json $(wildcard packages/*/package.json apps/*/package.json)
	npm install --loglevel=error
	@touch $@

CONSOLE := apps/console/dist/index.html
CONSOLE_SOURCES := apps/console/vite.config.ts $(shell find apps/console/page -type f)

$(CONSOLE): $(INSTALLED) $(CONSOLE_SOURCES)
	npm run build:console --silent
	@touch $@

run: $(INSTALLED) $(CONSOLE) ## Install what is missing and run the service with demo data (ARGS="--port 9000")
	npm start --silent -- $(ARGS)

test: $(INSTALLED) ## Install what is missing and run every test that needs no outside engine
	npm test --silent

engines: $(INSTALLED) ## Install and start the outside engines under .engines (ENGINES="redis minio", else all)
	@mkdir -p .engines
	@flock .engines/lock npm run engines --silent -- start $(ENGINES)

engines-stop: $(INSTALLED) ## Stop them; their data stay
	@mkdir -p .engines
	@flock .engines/lock npm run engines --silent -- stop $(ENGINES)

test-engines: $(INSTALLED) ## Run every test that needs the outside engines; one that is away fails them
	npm run test:engines --silent

check: $(INSTALLED) ## Types, lint, layer rules, schema compatibility and formatting
	npm run check --silent

format: $(INSTALLED) ## Format the sources
	npm run format --silent

bench: $(INSTALLED) ## Measure speed and size as ratios in one run; writes bench/results.json
	npm run bench --silent

bench-engines: $(INSTALLED) ## Measure the service on the outside engines of `make engines`, in the same way
	npm run bench:engines --silent

browser-test: $(INSTALLED) ## Try the pages in Chromium (CHROMIUM=/usr/bin/chromium)
	npm run test:browser --silent

onnx: $(INSTALLED) ## Install the optional runtime for ONNX sentence models
	ONNXRUNTIME_NODE_INSTALL=skip npm ci --ignore-scripts --loglevel=error --prefix packages/embedder/onnx-runtime

clean: ## Remove the demo's data
	rm -rf .data
