# make help lists the targets.
.DEFAULT_GOAL := help

GOLANGCI_LINT_VERSION := v2.15.0
VERSITYGW_VERSION := v1.8.0
LINT    := .tools/golangci-lint
VERSION  = $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
FUZZTIME := 10s
BENCH   := .
ARGS    :=

# What decodes HEIC loads no library of the system. Without the folder's path in what is compiled, clones in other
# folders find it in Go's cache.
export GOFLAGS := $(GOFLAGS) -tags=nodynamic -trimpath
# Without C, as what is released is built: so nothing is compiled twice, and tests link a fifth sooner.
export CGO_ENABLED := 0

# The race detector looks into all but SQLite, which is C in Go's clothes, locks
# for itself, and takes twice as long under it.
RACE := -race -gcflags=modernc.org/...=-race=false

# How much longer than on an idle machine tests wait for what has to come (internal/testkit/await).
export MISSIOND_TEST_PATIENCE ?= 3

# How many tests of a package run at once; two packages do on two cores. Some tests wait, for leases and for processes, but
# more at once only make each slower.
PARALLEL := 4

# Tests of whole processes and servers, which wait for these more than they work: one package at a time, beside the others.
PROGRAMS := test/program test/servers test/pages test/chaos internal/servers internal/blobs

# The packages whose tests take longest begin first, so that none of them is left over at the end.
LONGEST := test/api internal/service/missions test/simulation internal/mediafile store tasks internal/app

# What make test and CI run, in this order, as scripts/check.sh takes it. The tests come last: their lines close the output.
TESTS  := services test-go -- test-programs test-clients test-console
CHECKS := tools fmt-check lint generate-check $(TESTS) test-new

.PHONY: help
help: ## list the targets, after what to run when (CONTRIBUTING's table)
	@awk -F ' *[|] *' '/^\| you \| run/ { on = 1; next } on && /^$$/ { exit } on && !/---/ { gsub(/`/, ""); printf "  you %s: %s (%s)\n", $$2, $$3, $$4 }' CONTRIBUTING.md
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: program ## start the service on SQLite and an in-process Redis (ARGS="--addr …" adds flags)
	bin/missiond dev $(ARGS)

.PHONY: demo
demo: program ## play one mission from brief to learned in the terminal, in a minute
	bin/missiond demo

.PHONY: build
build: program ## build bin/missiond, without symbols and debug information, and print its size
	@du -h --apparent-size bin/missiond

.PHONY: program
program:
	@scripts/build.sh -ldflags "-s -w -X main.version=$(VERSION)" -o bin/missiond ./cmd/missiond

.PHONY: release
release: ## build and pack missiond for all platforms into dist/, with checksums (the first time takes ten minutes)
	go run ./deploy/release $(ARGS)

.PHONY: image
image: ## build the image for linux/amd64 and arm64 into dist/image, an OCI layout, without a daemon
	go run ./deploy/release -programs -platforms linux/amd64,linux/arm64
	go -C deploy/image run . -programs ../../dist/build -o ../../dist/image

.PHONY: test-image
test-image: image ## build the image, test it, and run it with podman if that is installed
	MISSIOND_TEST_IMAGE=$(CURDIR)/dist go -C deploy/image test -v -count=1 ./...

.PHONY: chart
chart: ## render the Helm chart into deploy/kubernetes and the tests' files (builds Helm's engine: a minute the first time)
	go -C deploy/charttest run ./render

.PHONY: test-chart
test-chart: ## test the Helm chart in full: what it renders and refuses, with Helm's engine and lint
	go -C deploy/charttest test -count=1 ./...

.PHONY: test
test: ## run the gate, whose failed tests are tried again (six minutes on two cores); installs or starts missing servers first
	@scripts/check.sh $(TESTS)

# Compilers and tests end soon, and seldom need back what they used: collecting less often is a sixth less CPU after a change.
TEST_GC = 400

# The linter vets, and nobody debugs these programs: to link them without DWARF takes half the time.
GO_TEST = -timeout=15m -vet=off -ldflags=-w $(if $(CI),-count=1)

.PHONY: test-full
test-full: ## run all tests but the nightly ones, part by part; goes on where it was interrupted (ARGS="store test/api", or --list)
	scripts/test-full.sh $(ARGS)

.PHONY: test-tiers
test-tiers: ## list the tests that the gate leaves to the full suite and to the nightly one (ARGS="gate" lists its own)
	@go run ./test/tiers $(ARGS)

.PHONY: test-times
test-times: ## print the 30 dearest packages and tests of the gate's last run, by CPU and by time (ARGS="-of full")
	@go run ./test/runner -times 30 $(ARGS)

# RAPID_SEED has properties draw the same in each run of the gate; elsewhere what they draw is new each time.
.PHONY: test-go
test-go: ## run the Go tests of the gate but for those of programs, and those that failed again
	GOGC=$(TEST_GC) RAPID_SEED=1 go run ./test/runner -part go \
		-- $(GO_TEST) -parallel=$(PARALLEL) $(LONGEST:%=./%) $$(go list ./... | grep -v $(PROGRAMS:%=-e '/%$$'))

.PHONY: test-programs
test-programs: ## run the gate's tests of whole programs and servers, and those that failed again
	RAPID_SEED=1 go run ./test/runner -part programs -- $(GO_TEST) -p=1 -parallel=$(PARALLEL) $(PROGRAMS:%=./%)

.PHONY: test-new
test-new: ## run the tests ten times that are new or changed, as CI does (three minutes at most)
	RAPID_SEED=1 go run ./test/runner -fresh -- -vet=off -ldflags=-w

.PHONY: console
console: ## build the console into web/assets/console (Node)
	scripts/console.sh

.PHONY: test-console
test-console: ## test the journeys of the console in a browser (Node and Chromium; ARGS="e2e/inbox.test.mjs" selects)
	scripts/console-test.sh $(ARGS)

.PHONY: clients
clients: ## generate the clients in clients/ from docs/openapi.json (Node)
	scripts/clients.sh

.PHONY: test-clients
test-clients: ## test the clients in clients/ against missiond dev (Node and Chromium; ARGS="typescript n8n mcp go" selects)
	scripts/clients-test.sh $(ARGS)

.PHONY: pictures
pictures: console build ## take the pictures of the console in docs (Node, Chromium, a font with emoji; two minutes)
	cd web/console && node e2e/pictures.mjs ../../docs/pictures

# The tests of the whole service are left out, and so are the debugger's tables: programs link sooner without.
.PHONY: test-fast
test-fast: ## run the packages' own tests without the long ones (the inner loop)
	GOGC=$(TEST_GC) go test -short -vet=off -ldflags=-w $$(go list ./... | grep -v '^missiond/test/')

.PHONY: nightly
nightly: versitygw ## run for hours: all tests and the benchmark's cases in full, with the race detector, chaos, mutation, fuzzing, the reference PDS, the backup drill
	scripts/services.sh gcc
	MISSIOND_TEST_NIGHTLY=1 MISSIOND_TEST_PATIENCE=10 CGO_ENABLED=1 go test $(RACE) -parallel $(PARALLEL) -timeout 120m -count=1 ./...
	go run ./test/chaos -for 10m -race
	go run ./test/mutation
	scripts/fuzz.sh $(FUZZTIME)
	$(MAKE) test-pds
	$(MAKE) test-mcp
	$(MAKE) test-wordpress
	$(MAKE) test-ghost
	$(MAKE) backup-drill
	$(MAKE) test-previous
	$(MAKE) test-pgbouncer
	$(MAKE) test-patroni
	$(MAKE) test-image
	$(MAKE) test-chart

.PHONY: test-pgbouncer
test-pgbouncer: services ## run the store's tests through a PgBouncer in transaction mode (seconds)
	MISSIOND_TEST_POOLER=1 go test -parallel $(PARALLEL) -timeout 15m -count=1 ./store

.PHONY: test-patroni
test-patroni: ## switch a Postgres under Patroni over, and lose its primary, under load (two minutes; installs Patroni and etcd for root)
	scripts/services.sh patroni etcd
	MISSIOND_TEST_PATRONI=1 go test -v -count=1 -timeout 15m -run '^TestPatroni$$' ./test/servers

.PHONY: test-mcp
test-mcp: ## test the tools and the authorization server with Inspector and the protocol's conformance suite, which it installs (npm, a minute)
	MISSIOND_TEST_MCP=1 go test -v -count=1 -timeout 10m -run '^TestClients$$' ./test/api

.PHONY: test-pds
test-pds: services ## test the Bluesky adapter against the reference PDS, which it installs (npm, minutes)
	MISSIOND_TEST_PDS=1 go test -v -count=1 -timeout 20m -run '^TestReferencePDS$$' ./internal/publisher/bluesky

.PHONY: test-wordpress
test-wordpress: ## test the WordPress adapter against a real WordPress, which it installs (npm and Debian's package, minutes)
	scripts/wordpress-test.sh -v -timeout 15m

.PHONY: test-ghost
test-ghost: ## test the Ghost adapter against a real Ghost, which it installs (npm, ten minutes for the first time)
	scripts/ghost-test.sh -v -timeout 15m

.PHONY: test-previous
test-previous: services ## test with earlier versions, which it builds: whether the one before runs on the new schema, and an old mission goes on
	MISSIOND_TEST_PREVIOUS=1 go test -v -count=1 -timeout 15m -run '^(TestPreviousVersion|TestMissionFromBeforeAccounts)$$' ./test/servers

.PHONY: backup-drill
backup-drill: services ## back up, lose and restore a fleet's database under load; no post may go out twice (four minutes)
	scripts/backup-drill.sh

.PHONY: bench
bench: ## measure the service against its limits (ARGS="-only rest,create -missions 20000 …")
	go run ./bench $(ARGS)

.PHONY: bench-go
bench-go: ## run the Go benchmarks (BENCH=pattern selects)
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME (10s)
	scripts/fuzz.sh $(FUZZTIME)

.PHONY: mutation
mutation: services ## remove each safety check (fence, tenant filter, scope, …) and verify that a test fails (ARGS="fence tenant" selects)
	go run ./test/mutation $(ARGS)

.PHONY: simulation
simulation: ## run the whole service in a time of its own, with faults by seeds (ARGS="-seed 7 -years 10 -cover"; docs/simulation.md)
	MISSIOND_TEST_FULL=1 go test -v -count=1 -timeout 24h -run '^TestSimulation$$' ./test/simulation -args $(ARGS)

.PHONY: chaos
chaos: services ## crash every part of the service under load, and audit the result (ARGS="-for 10m -seed 7 …")
	go run ./test/chaos $(ARGS)

.PHONY: lint
lint: tools ## run the linters
	$(LINT) run
	cd deploy/image && ../../$(LINT) run
	cd deploy/charttest && ../../$(LINT) run .
	cd clients/go && ../../$(LINT) run

.PHONY: vet
vet: ## run go vet
	go vet ./...

.PHONY: fmt
fmt: tools ## format the Go files, and the console's and the clients' (Node)
	$(LINT) fmt
	scripts/console-fmt.sh

.PHONY: fmt-check
fmt-check: tools ## fail if fmt would change a file
	$(LINT) fmt --diff
	scripts/console-fmt.sh --check

.PHONY: generate
generate: ## regenerate the generated files
	go generate ./...

.PHONY: generate-check
generate-check: ## fail if generate changes a file
	scripts/generate-check.sh

.PHONY: check
check: ## run all checks of CI
	@scripts/check.sh $(CHECKS)

.PHONY: services
services: ## check that Postgres and Redis respond; start or install them if missing
	scripts/services.sh

.PHONY: tools
tools: ## build the linter into .tools, once
	@scripts/tools.sh github.com/golangci/golangci-lint/v2/cmd/golangci-lint $(GOLANGCI_LINT_VERSION)

.PHONY: versitygw
versitygw: ## build the S3 server of the full suite into .tools, once (two minutes)
	@scripts/tools.sh github.com/versity/versitygw/cmd/versitygw $(VERSITYGW_VERSION)

.PHONY: clean
clean: ## remove the files of build and the tests
	rm -rf bin dist
	find . -name 'coverage*.out' -not -path './.git/*' -delete
