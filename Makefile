# simhash: build, install, test. PGXS habits, without PGXS: cargo is the compiler.
#
#   make                      build for the PostgreSQL of PG_CONFIG
#   make install              install into that PostgreSQL (DESTDIR honoured)
#   make installcheck         run the SQL tests against a running server (PGHOST, PGPORT … honoured)
#   make test                 all tests, on throw-away clusters; TESTS are the only ones to run, SUITES other suites of tests/run
#   make test-crash           kill -9 of the server under load, ROUNDS=100 times
#   make test-assert          the tests of the index and of SQL on a server with assertions, which is built if it is missing
#   make test-attack          random queries, sqlsmith, kill -9, a full disk, little memory, traps; SEED, SECONDS_EACH, ATTACKS
#   make test-attack-assert   the same on the server with assertions
#   make test-matrix          the tests that depend on the version, on PostgreSQL 15 to 18, which are fetched if they are missing
#   make demo                 show the main job on a throw-away cluster
#   make bench, make lab      speeds; quality on corpora. LAB_DATA is a folder with corpora for both
#   make bench-peers          comparison with pgvector and pg_trgm; make bench-versions: comparison of PostgreSQL versions
#   make deb, make test-deb   the Debian package for that PostgreSQL; its installation and a trial in a bare Debian
#   make dist                 the source archive for PGXN

PG_CONFIG ?= pg_config
CARGO ?= cargo
EXTENSION := simhash
VERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" simhash.control)

# Looked up when a recipe needs it, so that `make test` can install PostgreSQL first.
pg_config = $(shell $(PG_CONFIG) --$(1))
pg_major = $(shell $(PG_CONFIG) --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
# One feature for each server version; pgrx reads the server's headers through this variable.
cargo_flags = --locked --features pg$(pg_major)
export PGRX_PG_CONFIG_PATH = $(shell command -v $(PG_CONFIG))
# The profile of Cargo.toml to build with. The tests use dev by default.
SIMHASH_PROFILE ?= release

CARGO_TARGET_DIR ?= target
export CARGO_TARGET_DIR
# Each server version has its own library. They share the intermediate files of the build, if Cargo knows this variable.
export CARGO_BUILD_BUILD_DIR = $(abspath $(CARGO_TARGET_DIR))/build
target = $(CARGO_TARGET_DIR)/pg$(pg_major)
library = $(target)/$(patsubst dev,debug,$(SIMHASH_PROFILE))/lib$(EXTENSION).$(if $(filter Darwin,$(shell uname -s)),dylib,so)
installed_library = $(EXTENSION)$(if $(filter Darwin,$(shell uname -s)),.dylib,.so)

.PHONY: all
all:
	$(CARGO) build --profile $(SIMHASH_PROFILE) $(cargo_flags) --target-dir $(target)

.PHONY: install
install: all
	install -d '$(DESTDIR)$(call pg_config,pkglibdir)' '$(DESTDIR)$(call pg_config,sharedir)/extension'
	install -m 755 $(library) '$(DESTDIR)$(call pg_config,pkglibdir)/$(installed_library)'
	install -m 644 $(EXTENSION).control sql/$(EXTENSION)--*.sql '$(DESTDIR)$(call pg_config,sharedir)/extension/'

.PHONY: uninstall
uninstall:
	rm -f '$(DESTDIR)$(call pg_config,pkglibdir)/$(installed_library)'
	rm -f '$(DESTDIR)$(call pg_config,sharedir)/extension/$(EXTENSION).control'
	rm -f '$(DESTDIR)$(call pg_config,sharedir)'/extension/$(EXTENSION)--*.sql

REGRESS = $(basename $(notdir $(sort $(wildcard tests/pg_regress/sql/*.sql))))

.PHONY: installcheck
installcheck:
	tests/installcheck '$(PG_CONFIG)' $(REGRESS)

test test-crash test-assert test-attack test-attack-assert test-matrix lint: export SIMHASH_PROFILE = dev

SUITES ?= crates extension
.PHONY: test
test: export CLIENTS = $(filter extension attack,$(SUITES))
test: export SQLSMITH = $(filter attack,$(SUITES))
test: export SERVERS = $(filter 1% upgrade assert,$(SUITES))
test: export PACKAGING = $(filter package,$(SUITES))
test: prerequisites
	@PG_CONFIG='$(PG_CONFIG)' tests/run $(SUITES)

.PHONY: test-crash
test-crash: export ROUNDS ?= 100
test-crash: prerequisites
	PG_CONFIG='$(PG_CONFIG)' tests/cluster/index_crash

.PHONY: test-assert
test-assert: SUITES = assert
test-assert: test

# SEED repeats a run. SECONDS_EACH, or MINUTES for all attacks together, limits it. ATTACKS are the files of tests/attack to run.
# properties, memory and traps try everything once.
ATTACKS ?= properties queries sqlsmith faults disk memory traps
ENDLESS = $(filter-out properties memory traps,$(ATTACKS))
SECONDS_EACH ?= $(if $(and $(MINUTES),$(ENDLESS)),$(shell expr $(MINUTES) \* 60 / $(words $(ENDLESS))),60)
export ATTACKS SECONDS_EACH
.PHONY: test-attack
test-attack: SUITES = attack
test-attack: test

# This server has other headers, so it has its own library.
.PHONY: test-attack-assert
test-attack-assert:
	pg_config=$$(scripts/server assert) && \
		$(MAKE) test-attack PG_CONFIG="$$pg_config" CARGO_TARGET_DIR='$(CARGO_TARGET_DIR)/assert'

VERSIONS ?= 15 16 17 18
.PHONY: test-matrix
test-matrix: SUITES = $(VERSIONS) upgrade
test-matrix: test

.PHONY: demo
demo: prerequisites
	PG_CONFIG='$(PG_CONFIG)' demo/run

.PHONY: demo-stop
demo-stop:
	demo/run stop

# Speeds and memory, as ratios within one run. ROWS are the sizes of the tables that are searched. The texts are those of the
# folder LAB_DATA, or the articles of the demo.
export LAB_DATA
ROWS ?= 1000000
.PHONY: bench
bench: prerequisites
	PG_CONFIG='$(PG_CONFIG)' ROWS='$(ROWS)' bench/run

# Comparison with pgvector, on a PostgreSQL that has it, and with pg_trgm, on the PostgreSQL of PG_CONFIG.
PEERS_PG ?= 18
.PHONY: bench-peers
bench-peers: prerequisites
	PEERS_PG='$(PEERS_PG)' ROWS='$(ROWS)' bench/peers
	PG_CONFIG='$(PG_CONFIG)' bench/peers-trgm

.PHONY: bench-versions
bench-versions: prerequisites
	ROWS='$(ROWS)' VERSIONS='$(VERSIONS)' bench/versions

# The quality of fingerprints on corpora. LAB_DATA is a folder of JSON Lines with gold pairs, LAB_FILES are further files. Without
# either, the articles of the demo are measured, and the report goes to target/lab.
lab_out = docs/quality
.PHONY: lab
ifeq ($(LAB_DATA)$(LAB_FILES),)
lab: lab_out = $(CARGO_TARGET_DIR)/lab
lab: LAB_FILES = $(CARGO_TARGET_DIR)/lab/articles.jsonl
lab: demo-articles
endif
lab:
	$(CARGO) run --locked --release -p simhash-lab -- $(if $(LAB_DATA),--data '$(LAB_DATA)') --out '$(lab_out)' $(LAB_FILES)

.PHONY: demo-articles
demo-articles:
	mkdir -p '$(CARGO_TARGET_DIR)/lab'
	demo/articles-as-json >'$(CARGO_TARGET_DIR)/lab/articles.jsonl'

.PHONY: lint
lint: prerequisites
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path examples/rust/Cargo.toml --check
	$(CARGO) clippy --locked -p simhash-memory -p simhash-text -p simhash-search -p simhash-lab --all-targets -- -D warnings
	$(CARGO) clippy $(cargo_flags) -p $(EXTENSION) --profile $(SIMHASH_PROFILE) --target-dir $(target) -- -D warnings
	$(CARGO) clippy --locked --manifest-path examples/rust/Cargo.toml --target-dir $(CARGO_TARGET_DIR)/examples -- -D warnings
	scripts/check-versions
	scripts/check-dependencies

.PHONY: deb
deb: export PACKAGING = yes
deb: prerequisites
	@PG_CONFIG='$(PG_CONFIG)' packaging/deb

# SUITE is the Debian release to install it in; by default, that of this machine.
export SUITE
.PHONY: test-deb
test-deb: SUITES = package
test-deb: test

.PHONY: dist
dist:
	@packaging/dist

.PHONY: prerequisites
prerequisites:
	@PG_CONFIG='$(PG_CONFIG)' scripts/prerequisites

.PHONY: clean
clean:
	$(CARGO) clean
