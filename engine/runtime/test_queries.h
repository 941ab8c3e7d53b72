#pragma once

#include "columns/gather.h"
#include "columns/test_columns.h"
#include "plan/test_plans.h"
#include "runtime/prepared_query.h"
#include "runtime/query.h"
#include "runtime/stream.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

/// Queries over numbers: only tests include this.
namespace accelerant::runtime::test {

using Column = plan::SparkPlan::Column;

inline const types::DataType kLong(types::TypeId::Long);
inline const Column kId{"id", 1, kLong, false};
inline const Column kSum{"sum(id)", 2, kLong};
inline constexpr auto kPatience = std::chrono::seconds(60);

/// Plans over the numbers [0, n), as Spark would send them.
class Numbers {
 public:
  explicit Numbers(int64_t count)
      : range(plan_.builder.plan("RangeExec", {{"start", {int64_t{0}}},
                                               {"end", {count}},
                                               {"step", {int64_t{1}}},
                                               {"numSlices", {int64_t{1}}},
                                               {"output", plan::SparkPlan::nodes({plan_.attribute(kId)})}})) {}

  /// All numbers.
  std::vector<uint8_t> all() const { return plan_.builder.finish(range); }
  /// A group for each number, of which the sum is the number.
  std::vector<uint8_t> grouped() {
    const int key = plan_.attribute(kId);
    const int call = plan_.call(plan_.function("Sum", key, kLong), "Complete", kSum.id);
    const int sum = plan_.attribute(kSum);
    return plan_.builder.finish(plan_.aggregate({key}, {call}, {sum}, {key, sum}, range, {kId, kSum}));
  }
  /// The numbers, each plus the greatest that there is: only the first one does not overflow.
  std::vector<uint8_t> failing() { return plan_.builder.finish(overflowing()); }
  /// A group for each of those.
  std::vector<uint8_t> failing_groups() {
    const int input = overflowing();
    const int key = plan_.attribute(kSum);
    return plan_.builder.finish(plan_.aggregate({key}, {}, {}, {key}, input, {kSum}));
  }
  std::vector<uint8_t> first(int64_t count) {
    return plan_.builder.finish(plan_.limit("CollectLimitExec", count, 0, range, {kId}));
  }

 private:
  int overflowing() {
    const int greatest = plan_.literal(kLong, {std::numeric_limits<int64_t>::max()});
    const int added = plan_.arithmetic("Add", plan_.attribute(kId), greatest, kLong);
    return plan_.project({plan_.alias(added, kSum)}, range, {kSum});
  }

  plan::SparkPlan plan_;

 public:
  const int range;  ///< its index in the messages
};

inline std::shared_ptr<Query> open(const std::vector<uint8_t>& message, const RunOptions& options = {}) {
  const auto prepared = PreparedQuery::make(message, false);
  return Query::open(*prepared, {}, options);
}

/// Returns the rest of a stream's first column.
inline std::vector<int64_t> read(Stream& stream) {
  std::vector<int64_t> rows;
  columns::Batch batch;
  while (stream.next(batch, kPatience) == operators::OutputQueue::Pop::Batch) {
    const columns::ColumnPtr column = columns::flatten(batch.columns[0], columns::test::unlimited());
    const auto* values = column->values<int64_t>();
    rows.insert(rows.end(), values, values + batch.num_rows);
  }
  return rows;
}

inline std::vector<int64_t> read(Query& query, int index, int count) {
  const auto stream = query.open_stream(index, count);
  std::vector<int64_t> rows = read(*stream);
  stream->close();
  return rows;
}

}  // namespace accelerant::runtime::test
