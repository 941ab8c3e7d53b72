// Measures the engine's hot operators and functions, each alone on one thread: engine_bench [FOLDER] [options of Google
// Benchmark]. With a folder of benchmarks/encoded_files.py it measures the decoding of its files, too.
#include "decode_bench.h"
#include "memory_rate.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <string>

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  try {
    if (count == 2) accelerant::bench::register_decoding(arguments[1]);
    benchmark::AddCustomContext("memory_bytes_per_second",
                                std::to_string(accelerant::bench::memory_bytes_per_second()));
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "engine_bench: %s\n", error.what());
    return 1;
  }
  benchmark::Shutdown();
  return 0;
}
