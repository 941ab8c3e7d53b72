// Hash aggregates: count and sum by a key of few, some and many values.
#include "drive.h"
#include "memory_rate.h"
#include "operators/aggregate.h"

namespace accelerant::bench {
namespace {

using types::DataType;
using types::TypeId;

/// SELECT key, count(*), sum(value) GROUP BY key, of the columns [key, value].
std::shared_ptr<const plan::Aggregate> node_of(const Table& table) {
  auto node = std::make_shared<plan::Aggregate>();
  node->input = columns_of(table, {0, 1});
  node->keys = {{"key", table.types[0], false}};
  const DataType kLong(TypeId::Long);
  node->calls = {plan::aggregate_call("count", {}, {}, kLong), plan::aggregate_call("sum", {1}, {kLong}, kLong)};
  node->output = {{"key", table.types[0], false}, {"count", kLong, false}, {"sum", kLong}};
  expressions::ProgramBuilder builder;
  std::vector<expressions::Slot> outputs;
  for (size_t i = 0; i < node->output.size(); ++i) {
    outputs.push_back(builder.input(static_cast<int>(i), node->output[i].type, node->output[i].nullable));
  }
  node->result = std::move(builder).finish(outputs);
  return node;
}

void run(benchmark::State& state, const ColumnMaker& key) {
  const Table table = make_table({key, longs(1000)});
  const auto node = node_of(table);
  for (auto _ : state) {
    operators::AggregateSink sink(node, context(), std::make_shared<spill::SpillTarget>("aggregate", context().budget));
    fill(sink, table);
    benchmark::DoNotOptimize(drain(sink));
  }
  count_rates(state, table.num_rows, table.num_bytes);
}

void aggregate_int(benchmark::State& state) { run(state, ints(state.range(0))); }
void aggregate_string(benchmark::State& state) { run(state, strings(state.range(0))); }

BENCHMARK(aggregate_int)->Arg(4)->Arg(1000)->Arg(1'000'000);
BENCHMARK(aggregate_string)->Arg(4)->Arg(1000)->Arg(1'000'000);

}  // namespace
}  // namespace accelerant::bench
