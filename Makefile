# Everything is done by the Go toolchain; a C compiler is needed for DuckDB.
# On a fresh machine `make demo` and `make test` are all there is to do.

GO      ?= go
BIN     := bin/labour
BENCH_BIN := bin/labour-bench
VERSION := $(shell git describe --always --dirty 2>/dev/null || echo dev)
export CGO_ENABLED := 1

.PHONY: help
help: ## Show what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

.PHONY: build
build: ## Build the program into bin/, without tables for debuggers
	$(GO) build -ldflags "-s -w -X main.buildVersion=$(VERSION)" -o $(BIN) ./cmd/labour

.PHONY: demo
demo: build ## Set up, run the whole pipeline on made-up data and serve it
	$(BIN) sandbox

# Without tables for debuggers, tests are linked in two thirds of the time.
LINKED := -ldflags='-s -w'

.PHONY: test
test: export GOGC := 200
test: ## Set up and run the tests of every package, in their short form
	$(GO) test $(LINKED) -timeout 20m -skip '$(WHOLE)|$(RUNS)|$(SERVERS)' $$($(GO) list ./... | grep -v /conformance)

.PHONY: recorded
recorded: ## Run the pipeline on the recorded data of ../shared/data and print its report
	$(GO) test -count=1 -v -run RecordedData ./cmd/labour

.PHONY: check
check: vet format static ## What continuous integration runs
	$(MAKE) -j2 --output-sync=target year others race

# What continuous integration runs beside the year, one after the other. The search for data races
# begins when the year is over.
.PHONY: others
others:
	$(MAKE) test
	$(MAKE) wholes

.PHONY: long
long: ## Run whole programs and servers, and the long forms of tests: more draws, more kills, larger worlds
	$(MAKE) -j2 --output-sync=target year wholes

# The year takes as long as everything else that is long, and is one run after the other: both go on
# at the same time.
.PHONY: year wholes
year wholes: export LABOUR_LONG := 1
year wholes: export GOGC := 200
year:
	$(GO) test $(LINKED) -timeout 60m -count=1 -v ./pipeline/yeartest
wholes:
	$(GO) test $(LINKED) -run 'CellsAgainstBruteForce|ClusterAreSorted|WhatTheRuleSays|SourcesAgreeing|NewsIsNeverCounted|EmbargoedEvidence' ./pipeline/cells
	$(GO) test $(LINKED) -run GroupsStandOnce ./pipeline/cells/engine/duckdb
	$(GO) test $(LINKED) -run '$(RUNS)' ./pipeline
	$(GO) test $(LINKED) -v -run HostilePublishers ./pipeline
	$(GO) test $(LINKED) -timeout 20m -v ./pipeline/disclosure/attack
	$(GO) test $(LINKED) -run OneCallPassesFewFunctions ./serve
	$(GO) test $(LINKED) -run 'SkillsUnmetAgainstOracle|QuartersAgainstOracle|$(SERVERS)' ./serve/query
	$(GO) test $(LINKED) -run 'Accessible|SevenQuestions|PagesAreLight|$(SERVERS)' ./serve/web
	$(GO) test $(LINKED) -timeout 20m ./serve/conformance
	$(GO) test $(LINKED) -timeout 30m -v -run '$(WHOLE)|PeopleOverTheInterface' ./cmd/labour

# Tests that take long and cross what the tests of packages try by themselves: of the program,
# of the pipeline run by run, and of servers over whole snapshots. The conformance suite is one too.
WHOLE := ClusterMakesTheSameSnapshot|FaultyCluster|FailingDisk|FullDisk|AgainstRawRecords|KilledProgram|KilledServers|FlippedBit|DatasetsAreOpened|SwapsUnderLoad|InterfaceOverARun|EventsAreTheirPartnersOnly|SharesOfResidentsMean|TestScripts/(gates|report|rebuild|trace|objects|withdraw)
RUNS := BadInputHasANamedOutcome|DriftIsRefused|VacancyThatLeaves|CarriedForLong|PastExtractsAre|CollectArchive|TruncatedArchive|LightSnapshotOutlives
SERVERS := FewSupersededStayMounted|SwapUnderReaders|SwapsLeaveNothingBehind|ReloadDoesNotWait|WithdrawnWhileItIsMounted|EveryFigureIsTheInterfaces

.PHONY: vet
vet: ## Find suspicious code
	$(GO) vet ./...

.PHONY: static
static: ## Find dead and doubtful code
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

# The packages in which goroutines share memory; of pipeline and query, the tests of that.
RACE := ./sources/parallel ./sources/fetching ./sources/archive ./snapshots/store ./serve/partners/access ./serve/eventfeed ./serve/partners/usage ./serve/state ./serve/webhooks

.PHONY: race
race: ## Find data races with the short tests of the packages that share memory
	$(GO) test -race -short -timeout 10m $(RACE)
	$(GO) test -race -short -timeout 10m -run 'CodingPool|FaultsDoNotCut|PastExtractsAreReadOnce' ./pipeline ./pipeline/ingest
	$(GO) test -race -short -timeout 10m -run 'SwapUnderReaders|ReloadDoesNotWait|WithdrawnWhileItIsMounted' ./serve/query

# Faults that no test notices. It is no part of the checks: it takes minutes a package.
SEED ?= 1
FAULTS ?= 20
KIND ?= all
FURTHER ?=
AT ?=

.PHONY: mutants
mutants: ## Put faults into the packages PKG, one at a time, and list those that no short test notices (SEED, FAULTS, KIND=go or sql, AT, FURTHER)
	@$(GO) run ./cmd/internal/mutants -seed $(SEED) -n $(FAULTS) -kind $(KIND) -further '$(FURTHER)' -at '$(AT)' -skip '$(WHOLE)|$(RUNS)|$(SERVERS)' $(PKG)

.PHONY: format
format: ## Fail where gofmt would change something
	@changed="$$(gofmt -l $$(git ls-files '*.go'))"; test -z "$$changed" || { echo "gofmt differs: $$changed"; exit 1; }

.PHONY: fmt
fmt: ## Format the code
	gofmt -w $$(git ls-files '*.go')

BENCH_SIZE ?= city
BENCH_DIR  ?= $(or $(TMPDIR),/tmp)/labour-bench

.PHONY: bench
bench: build ## Measure pipeline and service on made-up data (BENCH_SIZE=city, nation or continent; BENCH_DIR keeps it)
	$(GO) build -o $(BENCH_BIN) ./cmd/labour-bench
	test -e $(BENCH_DIR)/$(BENCH_SIZE)/about.json || $(BENCH_BIN) data --size $(BENCH_SIZE) --dir $(BENCH_DIR)/$(BENCH_SIZE)
	$(BENCH_BIN) run --dir $(BENCH_DIR)/$(BENCH_SIZE) --data $(BENCH_DIR)/$(BENCH_SIZE)-data --json $(BENCH_DIR)/run-$(BENCH_SIZE).json
	$(BENCH_BIN) serve --data $(BENCH_DIR)/$(BENCH_SIZE)-data --json $(BENCH_DIR)/serve-$(BENCH_SIZE).json
	@echo "Data and figures are in $(BENCH_DIR)"

.PHONY: microbench
microbench: ## Run the benchmarks of the packages
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...
