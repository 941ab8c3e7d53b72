#pragma once

#include "operators/island_table.h"
#include "plan/test_plans.h"
#include "runtime/prepared_query.h"
#include "runtime/query.h"
#include "runtime/test_queries.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

/// Queries over islands, whose rows of bigints tests compute: only tests include this.
namespace accelerant::runtime::test {

/// Rows of one or more columns.
using Rows = std::vector<std::vector<int64_t>>;

/// Adds an island to a plan; returns its index.
inline int add_island(plan::SparkPlan& plan, const std::vector<Column>& columns) {
  std::vector<int> output;
  for (const Column& column : columns) output.push_back(plan.attribute(column));
  return plan.builder.plan("io.accelerant.spark.IslandExec", {{"output", plan::SparkPlan::nodes(output)}});
}

/// How many partitions an island has, and an estimate of their rows.
struct IslandSize {
  int partitions = 1;
  int64_t num_rows = 0;
};

/// Opens a query over islands.
/// @param sizes by the islands' indexes in the message
inline std::shared_ptr<Query> open_over_islands(const std::vector<uint8_t>& message,
                                                const std::vector<std::pair<int, IslandSize>>& sizes,
                                                const RunOptions& options = {}) {
  planner::Inputs inputs;
  inputs.islands.bell = std::make_shared<operators::IslandBell>();
  for (const auto& [node, size] : sizes) {
    inputs.islands.tables[node] =
        std::make_shared<operators::IslandTable>(size.partitions, size.num_rows, inputs.islands.bell);
  }
  const auto prepared = PreparedQuery::make(message, false);
  return Query::open(*prepared, inputs, options);
}

/// Claims a partition that a stream reads, as soon as it does.
inline IslandClaim claim(Query& query) {
  for (uint64_t rings = 0;;) {
    if (auto claimed = query.claim(0, 1)) return std::move(*claimed);
    const uint64_t rung = query.island_bell()->wait(rings, kPatience);
    if (rung == rings) throw std::runtime_error("nobody reads an island");
    rings = rung;
  }
}

/// Returns rows as Spark's UnsafeRow has them, each behind its size in bytes: no nulls, and a word for each value.
inline std::vector<int64_t> unsafe_rows(std::span<const std::vector<int64_t>> rows) {
  std::vector<int64_t> words;
  for (const std::vector<int64_t>& row : rows) {
    words.push_back(static_cast<int64_t>((1 + row.size()) * sizeof(int64_t)));
    words.push_back(0);
    words.insert(words.end(), row.begin(), row.end());
  }
  return words;
}

/// Hands rows over for a partition.
inline void put(operators::IslandRows& partition, std::span<const std::vector<int64_t>> rows) {
  const std::vector<int64_t> words = unsafe_rows(rows);
  const auto size = static_cast<int64_t>(words.size() * sizeof(int64_t));
  auto bytes = memory::Buffer::allocate(size, columns::test::unlimited());
  std::memcpy(bytes->mutable_data(), words.data(), static_cast<size_t>(size));
  partition.put({std::move(bytes), static_cast<int64_t>(rows.size())});
}

inline void append(const columns::Batch& batch, Rows& rows) {
  const size_t first = rows.size();
  rows.resize(first + static_cast<size_t>(batch.num_rows));
  for (const auto& column : batch.columns) {
    const columns::ColumnPtr flat = columns::flatten(column, columns::test::unlimited());
    for (size_t i = first; i < rows.size(); ++i) rows[i].push_back(flat->values<int64_t>()[i - first]);
  }
}

/// Reads to the end what a stream over islands gives. Who reads is woken early whenever rows of an island are taken.
/// @param next as Stream::next, without a timeout
template <class Next>
Rows read_rows(const Next& next) {
  Rows rows;
  columns::Batch batch;
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (auto popped = next(batch); popped != operators::OutputQueue::Pop::End; popped = next(batch)) {
    if (popped == operators::OutputQueue::Pop::Batch) append(batch, rows);
    if (std::chrono::steady_clock::now() > deadline) throw std::runtime_error("the rows do not come to their end");
  }
  return rows;
}

}  // namespace accelerant::runtime::test
