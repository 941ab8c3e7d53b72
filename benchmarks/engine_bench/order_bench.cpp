// Sorts and top-k of two columns by the first.
#include "drive.h"
#include "memory_rate.h"
#include "operators/sort.h"
#include "operators/top_k.h"

namespace accelerant::bench {
namespace {

template <class Sink, class Node>
void run(benchmark::State& state, const ColumnMaker& key, const std::shared_ptr<Node>& node) {
  const Table table = make_table({key, longs(1000)});
  node->keys = {{0, true, true}};
  for (auto _ : state) {
    Sink sink(node, context());
    fill(sink, table);
    benchmark::DoNotOptimize(drain(sink));
  }
  count_rates(state, table.num_rows, table.num_bytes);
}

std::shared_ptr<plan::TopK> first_hundred() {
  auto node = std::make_shared<plan::TopK>();
  node->limit = 100;
  return node;
}

void sort_long(benchmark::State& state) {
  run<operators::SortSink>(state, longs(1'000'000), std::make_shared<plan::Sort>());
}

void sort_string(benchmark::State& state) {
  run<operators::SortSink>(state, strings(1'000'000), std::make_shared<plan::Sort>());
}

void top_k_long(benchmark::State& state) { run<operators::TopKSink>(state, longs(1'000'000), first_hundred()); }
void top_k_string(benchmark::State& state) { run<operators::TopKSink>(state, strings(1'000'000), first_hundred()); }

BENCHMARK(sort_long);
BENCHMARK(sort_string);
BENCHMARK(top_k_long);
BENCHMARK(top_k_string);

}  // namespace
}  // namespace accelerant::bench
