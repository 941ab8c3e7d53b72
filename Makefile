# Verbs: setup build test record differential spark-tests spark-suites spark-examples demo bench tpcds microbench lint
# sanitize fuzz gpu gpu-check wheel acceptance.
# `make build PRESET=release` builds another preset of CMakePresets.json; JOBS limits the compilers at work; TARGETS names
# what is built of the engine (all of it, its tests too, by default); SETUP what is installed (see scripts/setup).

PRESET ?= dev
JOBS ?= $(shell nproc)
TARGETS :=
SETUP :=
VENV := .venv

# What a job on Spark needs of the engine, and what measuring and shipping it needs besides.
LIBRARY := accelerant
PROGRAMS := accelerant accelerant-replay

.PHONY: help setup build native jvm python test record differential spark-tests spark-suites spark-examples demo bench tpcds microbench lint sanitize fuzz gpu gpu-check wheel acceptance clean

help:
	@echo 'make setup       install Debian packages and Python environments (done once)'
	@echo 'make build       build the engine, the jar and the command .venv/bin/accelerant (PRESET=dev)'
	@echo 'make test        build, run every test and the checks of what changed'
	@echo 'make record      record the answers of plain Spark to the SQL corpus'
	@echo 'make differential QUERIES=20000 SEED=7   compare random queries with plain Spark (FIRST=31 QUERIES=1: that one)'
	@echo 'make spark-tests run Spark'"'"'s own SQL tests plain and accelerated, and compare (ARGUMENTS="--only join": some)'
	@echo 'make spark-suites run suites of Spark'"'"'s own Scala tests accelerated (ARGUMENTS="--only JoinSuite": some)'
	@echo 'make spark-examples  run the examples of PySpark'"'"'s documentation plain and accelerated, and compare'
	@echo 'make demo        run one unchanged PySpark job plain and accelerated, and compare'
	@echo 'make bench       measure against vanilla Spark and DuckDB'
	@echo 'make tpcds       run the queries of TPC-DS plain and accelerated, and compare (ARGUMENTS="--queries q1,q72": some)'
	@echo 'make microbench  measure the hot operators and functions alone, against the bandwidth of memory'
	@echo 'make lint        check format, names, layout, sizes'
	@echo 'make sanitize    run the engine tests under ASan+UBSan and TSan'
	@echo 'make fuzz        run the fuzzers under ASan+UBSan, SECONDS=60 each (FUZZERS="scan_fuzz snappy_fuzz": these alone)'
	@echo 'make gpu         compile every kernel, and those of the tests'"'"' pipelines, for each supported GPU, which needs none'
	@echo 'make gpu-check   make dist/accelerant-gpu-check, which proves and measures all kernels on a machine with a GPU'
	@echo 'make wheel       make dist/accelerant-*.whl'
	@echo 'make acceptance  print what must hold, each line with its figure'

setup:
	@scripts/setup $(SETUP)

build: native jvm python

# One ninja at a time in a build folder: a second caller waits.
native: setup
	@mkdir -p build
	@flock build/$(PRESET).lock sh -c \
	  '{ test -f build/$(PRESET)/build.ninja || cmake --preset $(PRESET); } && cmake --build --preset $(PRESET) -j $(JOBS) $(addprefix --target ,$(TARGETS))'

jvm: setup
	@mkdir -p build
	@flock build/jvm.lock $(VENV)/bin/python jvm/build.py

# The command .venv/bin/accelerant, running from this checkout.
python: setup
	@test -x $(VENV)/bin/accelerant || $(VENV)/bin/pip install --quiet --no-build-isolation --no-deps --editable python

test: build
	@$(VENV)/bin/python scripts/run_tests.py --preset $(PRESET)

record: build
	@ACCELERANT_BUILD=$(PRESET) ACCELERANT_RECORD=1 $(VENV)/bin/python -m pytest -q tests/sql

differential: QUERIES ?= 20000
differential: SEED ?= $(shell date +%s)
differential: FIRST ?= 0
differential: build
	@ACCELERANT_BUILD=$(PRESET) ACCELERANT_DIFFERENTIAL_QUERIES=$(QUERIES) ACCELERANT_DIFFERENTIAL_SEED=$(SEED) \
	  ACCELERANT_DIFFERENTIAL_FIRST=$(FIRST) \
	  $(VENV)/bin/python -m pytest -q -s tests/differential

# Spark's own SQL tests; an hour, most of it Spark's.
spark-tests:
	@$(MAKE) --no-print-directory build TARGETS='$(LIBRARY)'
	@scripts/setup spark-tests
	@ACCELERANT_BUILD=$(PRESET) PYTHONPATH=python $(VENV)/bin/python tests/spark/spark_sql_tests.py $(ARGUMENTS)

# Suites of Spark's own Scala tests: hours; ARGUMENTS="--only JoinSuite,SubquerySuite" runs some.
spark-suites:
	@$(MAKE) --no-print-directory build TARGETS='$(LIBRARY)'
	@scripts/setup spark-tests
	@ACCELERANT_BUILD=$(PRESET) PYTHONPATH=python $(VENV)/bin/python tests/spark/spark_suites.py $(ARGUMENTS)

# The examples of PySpark's documentation, on both versions of Spark.
spark-examples:
	@$(MAKE) --no-print-directory build TARGETS='$(LIBRARY)'
	@ACCELERANT_BUILD=$(PRESET) PYTHONPATH=python $(VENV)/bin/python tests/spark/spark_examples.py $(ARGUMENTS)

demo:
	@echo 'demo: 1 of 3: setup, which installs what is missing'
	@$(MAKE) --no-print-directory setup SETUP=demo
	@echo 'demo: 2 of 3: build of what the job needs, a matter of minutes the first time'
	@$(MAKE) --no-print-directory build PRESET=release SETUP=demo TARGETS='$(LIBRARY)'
	@echo 'demo: 3 of 3: the job, plain and accelerated'
	@ACCELERANT_BUILD=release $(VENV)/bin/python demo/run.py

# What the previous commit's figures are, where some are committed.
bench: FIGURES := benchmarks/results/tpch-sf1.json
bench:
	@$(MAKE) --no-print-directory build PRESET=release TARGETS='$(PROGRAMS)'
	@ACCELERANT_BUILD=release $(VENV)/bin/accelerant bench tpch --against spark,duckdb,engine \
	  $(if $(wildcard $(FIGURES)),--before $(FIGURES)) --json build/bench/tpch-sf1.json

# All queries at scale 1 in some hours; ARGUMENTS="--pairs 0" only compares answers, --help has more.
tpcds:
	@$(MAKE) --no-print-directory build PRESET=release TARGETS='$(PROGRAMS)'
	@ACCELERANT_BUILD=release $(VENV)/bin/python benchmarks/tpcds/run.py --json build/tpcds/figures.json $(ARGUMENTS)

microbench:
	@$(MAKE) --no-print-directory native PRESET=release TARGETS=engine_bench
	@$(VENV)/bin/python benchmarks/microbench.py

lint: native
	@ACCELERANT_BUILD=$(PRESET) scripts/lint

sanitize:
	@$(MAKE) --no-print-directory native PRESET=asan
	@$(MAKE) --no-print-directory native PRESET=tsan
	@scripts/sanitize

fuzz: SECONDS ?= 60
fuzz: setup
	@scripts/setup fuzz
	@$(MAKE) --no-print-directory native PRESET=fuzz
	@scripts/fuzz $(SECONDS) $(FUZZERS)

# ARCHITECTURES="sm_90" for some only. Pipelines are those of codegen_tests, and of the last `make test`.
gpu:
	@$(MAKE) --no-print-directory native TARGETS='codegen_tests accelerant-kernel-check'
	@scripts/setup gpu
	@ACCELERANT_KERNELS=$(CURDIR)/build/kernels build/$(PRESET)/codegen_tests --gtest_brief=1
	@$(VENV)/bin/python scripts/compile_kernels.py --preset $(PRESET) $(ARCHITECTURES)

# One program with everything in it, for a machine with a GPU.
gpu-check: gpu
	@$(MAKE) --no-print-directory native PRESET=release TARGETS='accelerant-gpu-check accelerant-kernel-check'
	@$(VENV)/bin/python scripts/make_gpu_check.py $(ARCHITECTURES)

wheel:
	@$(MAKE) --no-print-directory setup
	@scripts/setup gpu
	@$(VENV)/bin/python scripts/compile_kernels.py --own
	@$(MAKE) --no-print-directory native PRESET=release TARGETS='$(PROGRAMS)'
	@$(MAKE) --no-print-directory jvm
	@$(VENV)/bin/python scripts/make_wheel.py

acceptance:
	@$(MAKE) --no-print-directory build PRESET=release
	@ACCELERANT_BUILD=release $(VENV)/bin/python scripts/acceptance.py $(if $(GROUP),--only "$(GROUP)")

clean:
	rm -rf build dist
