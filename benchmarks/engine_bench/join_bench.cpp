// Hash joins by a bigint: building a table of few and of many rows, and looking kRows rows up in it.
#include "drive.h"
#include "memory_rate.h"
#include "operators/join_build.h"
#include "operators/join_keys.h"
#include "operators/join_probe.h"
#include "plan/range.h"

namespace accelerant::bench {
namespace {

/// The inner join of two tables [key, value] that builds the right one.
std::shared_ptr<const plan::Join> node_of(const Table& probe, const Table& build) {
  auto node = std::make_shared<plan::Join>();
  for (const Table* side : {&probe, &build}) {
    auto input = std::make_shared<plan::Range>();
    for (const types::DataType& type : side->types) input->output.push_back({"column", type, false});
    node->output.insert(node->output.end(), input->output.begin(), input->output.end());
    node->inputs.push_back(input);
  }
  node->left_keys = columns_of(probe, {0});
  node->right_keys = columns_of(build, {0});
  return node;
}

Table build_side(int64_t rows) { return make_table({unique_longs(), longs(1000)}, rows); }
Table probe_side() { return make_table({longs(kRows), longs(1000)}); }

std::shared_ptr<spill::SpillTarget> spill_target() {
  return std::make_shared<spill::SpillTarget>("join", context().budget);
}

void join_build(benchmark::State& state) {
  const Table build = build_side(state.range(0));
  const auto node = node_of(probe_side(), build);
  for (auto _ : state) {
    operators::JoinBuild sink(node, context(), spill_target());
    fill(sink, build);
    operators::StageResults results;
    sink.hand_on(*node, results);
    benchmark::DoNotOptimize(results.built_sides);
  }
  count_rates(state, build.num_rows, build.num_bytes);
}

void join_probe(benchmark::State& state) {
  const Table build = build_side(state.range(0));
  const Table probe = probe_side();
  const auto node = node_of(probe, build);
  operators::JoinBuild sink(node, context(), spill_target());
  fill(sink, build);
  operators::StageResults results;
  sink.hand_on(*node, results);
  const operators::JoinProbe transform(node, results.built_sides.at(node.get()), context());
  for (auto _ : state) benchmark::DoNotOptimize(pass(transform, probe));
  count_rates(state, probe.num_rows, probe.num_bytes);
}

/// Keys as a join encodes and hashes them.
void hash_strings(benchmark::State& state) {
  const Table table = make_table({strings(100'000)});
  operators::JoinKeys keys(table.types, budget());
  for (auto _ : state) {
    for (const columns::Batch& batch : table.batches) keys.encode(batch.columns, batch.num_rows);
    benchmark::DoNotOptimize(keys.hash(0));
  }
  count_rates(state, table.num_rows, table.num_bytes);
}

BENCHMARK(join_build)->Arg(1000)->Arg(kRows);
BENCHMARK(join_probe)->Arg(1000)->Arg(kRows);
BENCHMARK(hash_strings);

}  // namespace
}  // namespace accelerant::bench
