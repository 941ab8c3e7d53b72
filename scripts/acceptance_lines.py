"""What must hold, in groups: each line with the tests, or the measurement, that shows it."""

from collections.abc import Callable
from functools import partial

import bench_figures
import evidence
import extension_figures
import golden_figures
import job_figures
import memory_figures
import pair_figures
import source_evidence
import tpcds_figures
import tpch_figures
from acceptance_tests import (
    DEVICE_TESTS,
    DIFFERENTIAL_TESTS,
    ENVIRONMENT,
    ORACLE,
    SCALE_1_TESTS,
    SOAK,
    SPARK41_TESTS,
    Line,
    bounded,
    tested,
)
from bench_figures import Bench
from evidence import Result, TestRun
from tpch_figures import PRESET

# Readings swing by some MiB over hundreds of queries; one leaked batch a query would be many times this.
MAX_BYTES_PER_QUERY = 50_000

TPCH = [
    tested(
        "TPC-H through PySpark, scale 0.1: nothing but our nodes in the plan; equal to vanilla Spark, ANSI on and off, "
        "1 and 2 threads, batches of 3 rows; every step interrupted",
        f"{ORACLE}/test_tpch.py",
    ),
    tested("the same at scale 1", f"{ORACLE}/test_tpch.py", run=SCALE_1_TESTS),
    tested("the same on Spark 4.1", f"{ORACLE}/test_tpch.py", run=SPARK41_TESTS),
    Line("replay of all queries under ASan and UBSan is clean", lambda: tpch_figures.sanitized_replay("asan")),
    Line("replay of all queries under TSan is clean", lambda: tpch_figures.sanitized_replay("tsan")),
    Line("Q1, scale 1: at most 1/5 of vanilla Spark's CPU seconds", lambda: tpch_figures.against("spark", "q1", 1 / 5)),
    Line("Q6, scale 1: at most 1/2 of vanilla Spark's CPU seconds", lambda: tpch_figures.against("spark", "q6", 1 / 2)),
    Line(
        "Q1, the engine alone: at most 1.5 times DuckDB's CPU seconds",
        lambda: tpch_figures.against("duckdb", "q1", 1.5),
    ),
    Line(
        "Q6, the engine alone: at most 1.5 times DuckDB's CPU seconds",
        lambda: tpch_figures.against("duckdb", "q6", 1.5),
    ),
]


def judged(text: str, judge: Callable[[Bench], Result]) -> list[Line]:
    """Returns two lines of TPC-H: they hold when a judge says so at scale 10, and at scale 1."""
    return [Line(f"{text}, scale {scale}", partial(bench_figures.tpch, scale, judge)) for scale in (10, 1)]


SPEED = [
    *judged("TPC-H on 2 threads: 22 of 22 native and equal", bench_figures.native_and_equal),
    *judged(
        "The engine alone: at most 1.0 times DuckDB, total and geometric mean", bench_figures.engine_against_duckdb
    ),
    *judged("Through PySpark: at most 1/10 of vanilla Spark", bench_figures.total_against("spark", 1 / 10, 1 / 16)),
    *judged("Through PySpark: at most 1.25 times DuckDB", bench_figures.total_against("duckdb", 1.25, 0.9)),
    *judged("No query slower than on vanilla Spark or on Comet", bench_figures.no_query_slower),
    *judged("Peak memory of the engine: at most 1.5 times DuckDB's", bench_figures.peak_memory),
    *judged("From 1 to 2 threads the long queries gain 1.8 times or more", bench_figures.two_threads),
    Line(
        "A tiny query in a warm session: at most plain Spark's time",
        lambda: bench_figures.transfers(bench_figures.tiny_query),
    ),
    Line(
        "toPandas of 10 M rows by 8 columns: at most half of vanilla Spark's time",
        lambda: bench_figures.transfers(bench_figures.way_out("to_pandas")),
    ),
    Line(
        "A Parquet write of 10 M rows by 8 columns: at most half of vanilla Spark's time",
        lambda: bench_figures.transfers(bench_figures.way_out("write")),
    ),
]

CORRECTNESS = [
    bounded(
        "40,000 random queries over flat and nested values equal to vanilla Spark's; of those that ask for what the "
        "engine has at least 95 % native without a bridged call",
        "not_native_share",
        0.05,
        "tests/differential/test_differential.py",
        run=DIFFERENTIAL_TESTS,
    ),
    bounded(
        "The same 40,000 random queries: at least 98 % native, bridged calls included",
        "not_native_or_bridged_share",
        0.02,
        "tests/differential/test_differential.py",
        run=DIFFERENTIAL_TESTS,
    ),
    bounded(
        "The same 40,000 random queries: at least half with bridged calls or islands, so 20,000 of these",
        "without_bridged_or_island_share",
        0.5,
        "tests/differential/test_differential.py",
        run=DIFFERENTIAL_TESTS,
    ),
    tested(
        "The SQL corpus under six configurations: interrupted at every step, on an emulated device and over a tiny "
        "budget among them",
        "tests/sql/test_corpus.py",
    ),
    tested(
        "An unsupported operator or function reverts the query, with the reason",
        f"{ORACLE}/test_glue_explain.py::test_an_unsupported_function_is_named",
        f"{ORACLE}/test_glue_explain.py::test_an_unsupported_operator_is_named",
    ),
    bounded(
        "A plan that is not accelerated costs less than 10 ms more than plain Spark",
        "milliseconds",
        10,
        f"{ORACLE}/test_planning_time.py",
    ),
    tested(
        "Four queries at once under a tight budget finish or fail by name; none hangs",
        f"{ORACLE}/test_four_queries.py",
    ),
]

ONE_QUERY = [
    tested(
        "Order and splits: filter and projection over five files of unequal size, one with 20 row groups, and limit, "
        "in vanilla Spark's order",
        f"{ORACLE}/test_order.py",
    ),
    tested("Write: both cores, as many files as cores", f"{ORACLE}/test_partitions.py::test_write"),
    tested("mapInPandas: both cores, as many partitions", f"{ORACLE}/test_partitions.py::test_map_in_pandas"),
    tested("rdd: both cores, as many partitions", f"{ORACLE}/test_partitions.py::test_rdd"),
    tested("Cache: both cores, as many partitions", f"{ORACLE}/test_partitions.py::test_cache"),
    tested(
        "toLocalIterator abandoned half-way frees everything",
        f"{ORACLE}/test_engine_memory.py::test_abandoned_local_iterator",
        f"{ORACLE}/test_engine_memory.py::test_slow_local_iterator_goes_on",
    ),
    tested("A second action runs again", f"{ORACLE}/test_partitions.py::test_second_action_runs_again"),
    tested(
        "Two queries at once on 2 threads, one with a stopped consumer: the other finishes",
        f"{ORACLE}/test_two_queries.py::test_a_stopped_consumer",
    ),
    bounded(
        "A cancelled query returns within a second", "seconds", 1.0, f"{ORACLE}/test_two_queries.py::test_cancelling"
    ),
    bounded(
        "200 queries leave memory flat (at most 50 KB a query outside the JVM)",
        "bytes_per_query",
        MAX_BYTES_PER_QUERY,
        "tests/soak/test_flat_memory.py",
    ),
    tested("50 JVM exits in mid-query end with code 0", "tests/soak/test_exits.py"),
    tested(
        "SELECT 1/0 over a table, decimal overflow, guarded division, LIMIT before a bad row: as vanilla Spark, class "
        "and message",
        f"{ORACLE}/test_guarded_errors.py",
        f"{ORACLE}/test_glue_errors.py::test_same_error",
        f"{ORACLE}/test_glue_errors.py::test_constant_error",
        f"{ORACLE}/test_glue_errors.py::test_limit_before_a_bad_row",
    ),
    tested(
        "Truncated file, flipped bytes, a file of another schema: an error naming the file, or Spark's own run with "
        "the reason",
        f"{ORACLE}/test_damaged_files.py",
    ),
    tested(
        "A 5,000-term predicate, a 10,000-element IN and 2,000 columns run or revert",
        f"{ORACLE}/test_glue_explain.py::test_wide_deep_and_long_expressions_run_or_revert",
    ),
    tested(
        "A collected query over its budget turns to Spark, naming operator and budget",
        f"{ORACLE}/test_engine_memory.py::test_over_budget",
    ),
]

DEVICE = f"{ORACLE}/test_device.py"

GPU = [
    tested(
        "Q1 and Q6 on an emulated device, scale 0.01: pages decoded, rows filtered and grouped there alone (strict), "
        "equal to vanilla Spark; batch sizes, threads, ANSI on and off",
        f"{DEVICE}::test_tpch",
    ),
    tested(
        "Other shapes there: nulls, strings, decimals to 38, dates, no keys, no rows, many groups, equal to vanilla "
        "Spark",
        f"{DEVICE}::test_shape",
    ),
    tested(
        "2,000 random pipelines there equal to vanilla Spark's, at least 60 % of them on the device (strict)",
        "tests/differential/test_device_differential.py",
        run=DEVICE_TESTS,
    ),
    tested(
        "Pipelines that end in rows there: filters, projections, strings, decimals to 38, sides of joins, equal to "
        "vanilla Spark, in its order",
        f"{DEVICE}::test_rows",
        f"{DEVICE}::test_rows_keep_their_order",
    ),
    tested("All of TPC-H, what a device can do of it there", f"{DEVICE}::test_tpch_in_parts"),
    tested(
        "Floating sums of many rows there are the host's, bit for bit", f"{DEVICE}::test_floating_sums_are_the_hosts"
    ),
    tested(
        "Errors are Spark's, and rows that are filtered do not fail",
        f"{DEVICE}::test_errors_are_sparks",
        f"{DEVICE}::test_rows_that_are_filtered_do_not_fail",
    ),
    tested(
        "No driver: the CPU answers, one line says why; strict mode refuses with it; explain says where a pipeline "
        "runs",
        f"{DEVICE}::test_a_device_that_is_not_there",
        f"{DEVICE}::test_strict_mode_names_what_no_device_does",
        f"{DEVICE}::test_explain_says_where_a_pipeline_runs",
    ),
    Line(
        "A driver that fails at each call in turn or lacks each function, no NVRTC, no kernels: one line says it",
        partial(evidence.engine_tests, "engine_tests", PRESET, "GpuAcceleratorTest.*", "CudaDeviceTest.*"),
    ),
    Line(
        "A device that fails after each call of a pipeline, and has no room at each allocation: the host's answer; no "
        "step allocates more than it reserved",
        partial(
            evidence.engine_tests,
            "engine_tests",
            PRESET,
            "DevicePipelineTest.*",
            "FailingRowsTest.*",
            "FusedGroupsTest.*Failures",
            "StreamReservationTest.*",
        ),
    ),
    Line(
        "Every function that has examples, called in kernels with theirs and other arguments in all modes, is the "
        "host's; those a device refuses are listed",
        partial(evidence.engine_tests, "engine_tests", PRESET, "*RowCall*"),
    ),
    tested(
        "accelerant-gpu-check: its whole course in the emulator, each of its checks fails on damaged memory, its plans "
        "are Spark's",
        "tests/device/test_gpu_check.py",
        "tests/device/test_captured_plans.py",
    ),
    Line(
        "Every kernel, and every generated pipeline of the tests, compiles for sm_75, sm_80, sm_90, sm_100 within 64 "
        "registers, without a spill or, of pipelines of up to 12 calls, with 128 bytes at most",
        evidence.compiled_kernels,
    ),
    *(
        Line(f"{what} clean under {preset}", partial(evidence.kernel_tests, program, preset))
        for preset in ("asan", "tsan")
        for program, what in (("device_tests", "Kernels, planted faults caught,"), ("codegen_tests", "Pipelines"))
    ),
]

SIZES = [
    Line("JVM code under 5,000 lines", evidence.jvm_lines),
    Line("Layout, sizes and formats as the style says", evidence.cheap_lint),
    Line("A scalar function added in two files, shown in CONTRIBUTING on a real commit", evidence.function_commit),
    Line(
        "An aggregate added in two files, shown in CONTRIBUTING on three real commits: over doubles, over strings, one "
        "whose state is a list",
        evidence.aggregate_commits,
    ),
    Line("An operator added in six files or fewer, shown in CONTRIBUTING on a real commit", evidence.operator_commit),
    Line("After editing one function the rebuild compiles at most 3 files", lambda: evidence.rebuilt_files(PRESET)),
    Line(
        "No file takes more than 60 s to compile (two at a time); build time and size of the library",
        lambda: evidence.slowest_unit(PRESET, 60),
    ),
    Line("First build on two cores: at most 15 minutes", lambda: evidence.cold_time("build", 15)),
    Line("make test cold: at most 45 minutes", lambda: evidence.cold_time("test", 45)),
    Line("make demo from nothing: at most 60 % of what it took before", lambda: evidence.cold_demo(0.6)),
]

EVERY_FUNCTION_TESTS = TestRun("every-function", ENVIRONMENT | {"ACCELERANT_EVERY_FUNCTION": "1"})

BRIDGE = [
    tested(
        "Expressions that the engine lacks run Spark's own code in native queries, wherever expressions stand, with "
        "errors as data; on Spark 4.3",
        f"{ORACLE}/test_bridge.py",
    ),
    tested("the same on Spark 4.1", f"{ORACLE}/test_bridge.py", run=SPARK41_TESTS),
    tested(
        "Functions of users: a copy for each worker, the session's jars and settings, failures kept, sleep interrupted",
        f"{ORACLE}/test_bridge_udfs.py",
    ),
    tested(
        "All deterministic scalar functions of 4.3 over flat types, called with columns and nulls, ANSI on and off: "
        "native or bridged, equal to Spark",
        f"{ORACLE}/test_every_function.py",
        run=EVERY_FUNCTION_TESTS,
    ),
    tested(
        "The page of Spark's 581 functions says of each, by types, whether it is native, bridged or an island",
        f"{ORACLE}/test_function_reference.py",
        run=EVERY_FUNCTION_TESTS,
    ),
    Line(
        "A bridged call of two numbers costs at most 60 ns a row more than Spark's own code takes, of strings 200 ns",
        evidence.bridged_calls,
    ),
]

MIXES_TESTS = TestRun("island-mixes", ENVIRONMENT | {"ACCELERANT_ISLAND_MIXES": "170"})

ISLANDS = [
    tested(
        "Native pieces around operators that stay Spark's: files of other formats, Python, windows, generators, RDDs; "
        "adaptive execution on and off; limits, errors, writes, caches, range sorts, iterators; on Spark 4.3",
        f"{ORACLE}/test_islands.py",
    ),
    tested("the same on Spark 4.1", f"{ORACLE}/test_islands.py", run=SPARK41_TESTS),
    tested(
        "500 random mixes on local[1], local[2] and local[*]: no difference, no hang, nothing left",
        f"{ORACLE}/test_island_mixes.py",
        run=MIXES_TESTS,
    ),
    tested(
        "Columns of arrays, maps and structs pass through operators, caches, islands, files and results; Spark's code "
        "computes with them; on Spark 4.3",
        f"{ORACLE}/test_nested_columns.py",
    ),
    tested("the same on Spark 4.1", f"{ORACLE}/test_nested_columns.py", run=SPARK41_TESTS),
    tested(
        "A function of a user's is called on at most 1,000 rows under show()",
        f"{ORACLE}/test_bridge_udfs.py::test_show_calls_few",
    ),
    tested(
        "Consumers that ask for one native result several times: what comes before its first row is done once",
        f"{ORACLE}/test_once.py",
    ),
    Line("Rows of eight columns from Spark into the engine: at least 5 M a second and core", evidence.rows_into_engine),
]

CACHES_FILES_PYTHON = [
    tested(
        "Cached relations are read as Spark keeps them: all types and compressions, storage levels, lost blocks, "
        "pruning; on Spark 4.3",
        f"{ORACLE}/test_cached_relations.py",
    ),
    tested("the same on Spark 4.1", f"{ORACLE}/test_cached_relations.py", run=SPARK41_TESTS),
    Line(
        "Ten queries over a cached relation: each at most plain Spark's CPU, all at most half",
        evidence.queries_over_caches,
    ),
    Line("Filling it: at most plain Spark's CPU", evidence.filling_a_cache),
    tested(
        "Files in folders (partitionBy, partitioned tables) are the engine's, in Spark's folders, in bounded memory; "
        "on Spark 4.3",
        f"{ORACLE}/test_partitioned_write.py",
    ),
    tested("the same on Spark 4.1", f"{ORACLE}/test_partitioned_write.py", run=SPARK41_TESTS),
    tested(
        "mapInArrow and mapInPandas get the engine's batches, with Spark's schema, limits and errors; on Spark 4.3",
        f"{ORACLE}/test_arrow_python.py",
    ),
    tested("the same on Spark 4.1", f"{ORACLE}/test_arrow_python.py", run=SPARK41_TESTS),
    Line("mapInArrow and a scalar pandas UDF, end to end: less than plain Spark's CPU", evidence.functions_of_python),
]

JOBS = [
    Line(
        "30 PySpark jobs as engineers write them: all answers and files are plain Spark's",
        job_figures.in_pairs(job_figures.equal),
    ),
    Line(
        "Of the operators that the engine has, at least 97 % run natively in them",
        job_figures.in_pairs(job_figures.native),
    ),
    Line("Of all operators in them at least 90 % run natively", job_figures.in_pairs(job_figures.native_of_all)),
    Line(
        "CPU of the whole process tree, five interleaved pairs a job: geometric mean at most 0.8 of plain Spark",
        job_figures.in_pairs(job_figures.cheaper),
    ),
    Line("Bridged calls in them: at most 15 % of the CPU", job_figures.in_pairs(job_figures.bridged)),
    Line(
        "In total at most half of plain Spark's CPU over the jobs without text sources and Python",
        job_figures.in_pairs(job_figures.cheaper_without),
    ),
    Line("and at most 0.85 over those with them", job_figures.in_pairs(job_figures.cheaper_with)),
    Line("No job whose 95 % interval lies above 1.03", job_figures.in_pairs(job_figures.none_slower)),
    Line(
        "With a heap of 1 GB none fails that plain Spark finishes", job_figures.in_a_small_heap(job_figures.none_fails)
    ),
]

TPCDS = [
    Line(
        "TPC-DS, Spark's 103 query files and its schema at scale 1: native from scan to root",
        tpcds_figures.in_pairs(tpcds_figures.native),
    ),
    Line("Bridged calls in them: at most 2 % of the CPU", tpcds_figures.in_pairs(tpcds_figures.bridged)),
    Line(
        "Equal to vanilla Spark: the same rows, ties at a limit judged by the sort keys",
        tpcds_figures.in_pairs(tpcds_figures.equal),
    ),
    Line("the same with ANSI off", tpcds_figures.compared(tpcds_figures.equal, "legacy", "--ansi", "off")),
    Line("the same on Spark 4.1", tpcds_figures.compared(tpcds_figures.equal, "spark41", "--spark", "4.1")),
    Line(
        "CPU through PySpark: in total at most a fifth of vanilla Spark's",
        tpcds_figures.in_pairs(tpcds_figures.cheaper),
    ),
    Line("No query slower than on vanilla Spark, the least of 3", tpcds_figures.in_pairs(tpcds_figures.none_slower)),
    Line(
        "The engine alone: at most 1.0 times DuckDB's CPU on those that DuckDB runs",
        tpcds_figures.in_pairs(tpcds_figures.engine_alone),
    ),
]

ALONE = [
    Line(
        f"{text}, the engine alone without a bridged call: CPU at most 1.0 times DuckDB's",
        partial(bench_figures.group, workload),
    )
    for workload, text in (
        ("windows", "Ten queries with windows over 10 M rows"),
        ("nested", "Ten over arrays, structs and maps"),
        ("dates", "Ten with dates as texts"),
    )
]

NESTED_FUZZERS = ("nested_fuzz", "nested_scan_fuzz", "level_fuzz")

SANITIZED = [
    *(
        Line(f"Unit tests of the whole engine clean under {preset}", partial(evidence.sanitized, preset))
        for preset in ("asan", "tsan")
    ),
    Line("Parquet with nested columns fuzzed, five minutes each", partial(evidence.fuzzed, 300, *NESTED_FUZZERS)),
]

GOLDEN = [
    Line(
        "Golden files of Spark's SQL tests: every statement that plain Spark passes passes; on 4.3 none differs",
        golden_figures.golden(golden_figures.passing),
    ),
    Line("At least 8,000 of them are native throughout", golden_figures.golden(golden_figures.native)),
    Line(
        "Of those that compute rows at least 90 % are native or bridged throughout, the two counted apart",
        golden_figures.golden(golden_figures.computing),
    ),
    Line("The examples of PySpark's documentation print what they print on plain Spark", golden_figures.examples),
]

STAIRWELL = [
    Line(
        "An operator in at most six files, its failure, estimate and origin behaviour among them",
        extension_figures.operator,
    ),
    Line("A format of files in at most four edits beside its reader", extension_figures.file_format),
    Line("A data type in at most four edits, the compiler naming those beside its list", extension_figures.data_type),
    tested("A second action, a part, a retry: nothing is bound or planned again", f"{ORACLE}/test_prepared.py"),
    Line("The planner and the runtime ask no operator what it is", source_evidence.operators_unasked),
    Line(
        "TPC-H at scale 1: no operator works longer than 10 ms between two looks at cancellation",
        partial(tpch_figures.longest_stretches, 10),
    ),
    Line("No switch over kinds of aggregates outside of them", source_evidence.aggregates_untold),
    Line("Functions of the engine: p90 at most 16 lines, none over 60", source_evidence.functions_short),
    Line("All sources clean by clang-tidy, every header alone", source_evidence.sources_clean),
]

AGAINST_BEFORE = [
    Line(
        "TPC-H at scale 10, the engine alone, in pairs with the build before: median of the total at most 1.01, its 95 "
        "% interval below 1.03",
        pair_figures.judged(pair_figures.TPCH, pair_figures.total),
    ),
    Line("No query of it whose interval lies above 1.05", pair_figures.judged(pair_figures.TPCH, pair_figures.each)),
    Line("Clicks likewise: the total", pair_figures.judged(pair_figures.CLICKS, pair_figures.total)),
    Line("Clicks likewise: each query", pair_figures.judged(pair_figures.CLICKS, pair_figures.each)),
    Line("The tiny query: its interval below 1.05", pair_figures.judged(pair_figures.TINY, pair_figures.tiny)),
]

# Memory that the engine may hold, and threads.
BUDGETS = (("64m", 2), ("256m", 1), ("256m", 8), ("1g", 1), ("1g", 8))

MORE_THAN_MEMORY = [
    tested(
        "Sorts, aggregates, joins and windows of more than the engine may hold: on disk, native, equal, nothing left",
        f"{ORACLE}/test_spilling.py",
    ),
    tested(
        "Whatever takes their rows, files, Python, RDDs, caches: those that spill stay native, others turn to Spark",
        f"{ORACLE}/test_over_budget.py",
    ),
    Line(
        "TPC-H, scale 1, the engine alone: in 64 MB on 2 threads, in 256 MB and 1 GB on 1 and 8: Spark's answers",
        lambda: memory_figures.equal_in(1, BUDGETS),
    ),
    Line(
        "TPC-DS, scale 1, through PySpark, likewise: Spark's answers, native",
        lambda: tpcds_figures.in_little_memory(BUDGETS),
    ),
    Line("TPC-H at scale 10 in 512 MB", lambda: memory_figures.equal_in(10, [("512m", 2)])),
    Line(
        "Queries of it, scale 10, that take 256 MB or more: in a quarter of that 1.6 times the time, in a sixteenth 3 "
        "times, the median",
        lambda: memory_figures.slower_in_less(10),
    ),
    Line(
        "In these shares none longer than plain Spark, whose heap has that and 1 GB more",
        lambda: memory_figures.against_spark(10),
    ),
    Line(
        "Every place that reserves made to fail, and pairs, in all of TPC-H at scale 0.01: Spark's answer or a named "
        "error, nothing leaked, nothing hung",
        partial(evidence.faults, "tpch"),
    ),
    Line("the same in all queries of the SQL corpus", partial(evidence.faults, "corpus")),
    Line(
        "A disk that is full at each tenth write, or flips a bit, in what spills of TPC-H, scale 1, in 16 MB: likewise",
        partial(evidence.faults, "disk"),
    ),
    tested("kill -9 in mid-spill leaves no spilled row on disk", f"{SOAK}/test_killed.py"),
    Line(
        "TPC-H at scale 10, and clicks, with a heap of 1 GB in a control group of 4 GB: none killed, native, DuckDB's "
        "answers; Java's process at most 5 % above that",
        evidence.under_limit,
    ),
    Line("Eight queries at once in 256 MB, over TPC-H at scale 1: all end native, and equal", evidence.queries_at_once),
    Line(
        "60 M rows in 1 GB, sort, groups, join, distinct counts, a window over all: each at most DuckDB's CPU and time",
        bench_figures.more_than_memory,
    ),
]

EVERY_CASE = [
    Line(
        "make test, of whose tests it is a sample, with every case of every test: none fails, on Spark 4.3 and 4.1",
        lambda: evidence.every_case(PRESET),
    )
]

# They take an hour or more each, and run only where they are named.
LONG_GROUPS = {
    "Every case",
    "More than memory",
    "Jobs",
    "TPC-DS",
    "Windows, nested values, dates as texts",
    "Golden files",
    "Sanitizers and fuzzers",
    "Against the build before",
}

GROUPS = {
    "TPC-H": TPCH,
    "Speed on one machine": SPEED,
    "Correctness": CORRECTNESS,
    "Every case": EVERY_CASE,
    "More than memory": MORE_THAN_MEMORY,
    "One query, and everything around it": ONE_QUERY,
    "Bridge": BRIDGE,
    "Islands": ISLANDS,
    "Caches, files, Python": CACHES_FILES_PYTHON,
    "Jobs": JOBS,
    "TPC-DS": TPCDS,
    "Windows, nested values, dates as texts": ALONE,
    "Golden files": GOLDEN,
    "Sanitizers and fuzzers": SANITIZED,
    "Stairwell": STAIRWELL,
    "Against the build before": AGAINST_BEFORE,
    "GPU, first light": GPU,
    "Sizes and times": SIZES,
}
