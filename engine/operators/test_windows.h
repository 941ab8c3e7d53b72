#pragma once

#include "aggregates/registry.h"
#include "operators/test_breakers.h"
#include "operators/window.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Makes windows and rows for them: only tests include this.
namespace accelerant::operators::test {

using columns::Batch;
using plan::FrameBound;
using plan::WindowCall;
using plan::WindowKind;
using types::DataType;
using types::TypeId;
using Number = std::optional<int64_t>;

inline const execution::Cancellation kNever;
inline const DataType kLong(TypeId::Long);
inline const DataType kInt(TypeId::Int);
inline const DataType kDouble(TypeId::Double);

/// The columns of the rows: partition, order, value, order - 2, order + 3 and the row's number.
inline constexpr int kValue = 2;
inline constexpr int kNumber = 5;
inline constexpr FrameBound kUnbounded;
inline constexpr FrameBound kPeers{FrameBound::Kind::Peers, 0, -1};
inline constexpr FrameBound kTwoLess{FrameBound::Kind::Value, 0, 3};
inline constexpr FrameBound kThreeMore{FrameBound::Kind::Value, 0, 4};
constexpr FrameBound rows_from(int64_t rows) { return {FrameBound::Kind::Rows, rows, -1}; }

inline WindowCall call_of(WindowKind kind, DataType type, int64_t number = 0) {
  WindowCall call;
  call.kind = kind;
  call.result_type = std::move(type);
  call.number = number;
  return call;
}

inline WindowCall value_of(WindowKind kind, int64_t number, bool ignores_nulls, plan::WindowFrame frame = {}) {
  WindowCall call = call_of(kind, kLong, number);
  call.arguments = {kValue};
  call.ignores_nulls = ignores_nulls;
  call.frame = frame;
  return call;
}

inline WindowCall aggregate_of(std::string_view name, plan::WindowFrame frame) {
  WindowCall call = value_of(WindowKind::Aggregate, 0, false, frame);
  call.aggregate = aggregates::call_of(name, {kLong}, kLong);
  return call;
}

/// Makes a window of rows by partition and order that passes each row's number and its partition.
inline std::shared_ptr<plan::Window> window_of(std::vector<WindowCall> calls, size_t num_partition_keys = 1) {
  auto node = std::make_shared<plan::Window>();
  node->keys = {{0, true, true}, {1, true, true}};
  if (num_partition_keys == 0) node->keys.erase(node->keys.begin());
  node->num_partition_keys = num_partition_keys;
  node->calls = std::move(calls);
  for (WindowCall& call : node->calls) call.num_keys = node->keys.size();
  node->passed = {kNumber, 0};
  return node;
}

/// Rows, and what a window gives of them as plainly as can be.
struct PlainRows {
  std::vector<Number> partition;
  std::vector<Number> order;
  std::vector<Number> value;
  std::vector<size_t> sorted;

  PlainRows(uint32_t seed, size_t num_rows, size_t num_partitions) {
    std::mt19937 random(seed);
    const auto draw = [&](size_t values) {
      const auto drawn = static_cast<int64_t>(random() % (values + 1));
      return drawn == 0 ? Number() : Number(drawn * 2);
    };
    for (size_t i = 0; i < num_rows; ++i) {
      partition.push_back(num_partitions == 0 ? Number(1) : draw(num_partitions));
      order.push_back(draw(num_rows / 3 + 1));
      value.push_back(draw(50));
    }
    sorted.resize(num_rows);
    std::iota(sorted.begin(), sorted.end(), size_t{0});
    std::ranges::stable_sort(sorted, [&](size_t a, size_t b) {
      return std::pair(partition[a], order[a]) < std::pair(partition[b], order[b]);
    });
  }

  std::vector<Batch> batches(size_t rows_per_batch) const {
    std::vector<Batch> batches;
    for (size_t first = 0; first < value.size(); first += rows_per_batch) {
      const size_t end = std::min(value.size(), first + rows_per_batch);
      Batch batch;
      batch.morsel = static_cast<int64_t>(batches.size());
      batch.num_rows = static_cast<int64_t>(end - first);
      const auto cut = [&](const std::vector<Number>& all, int64_t more) {
        std::vector<Number> part;
        for (size_t row = first; row < end; ++row) part.push_back(all[row] ? Number(*all[row] + more) : Number());
        return columns::test::make_longs(part);
      };
      std::vector<Number> numbers;
      for (size_t row = first; row < end; ++row) numbers.emplace_back(static_cast<int64_t>(row));
      batch.columns = {cut(partition, 0), cut(order, 0), cut(value, 0),
                       cut(order, -2),    cut(order, 3), columns::test::make_longs(numbers)};
      batches.push_back(std::move(batch));
    }
    return batches;
  }

  /// Says whether a row, by its place in the order, is in the frame of another one, of its partition.
  using InFrame = std::function<bool(size_t row, size_t of)>;

  /// Returns what `give` makes of the values of each row's frame, in order.
  std::string results(const InFrame& in_frame, const std::function<Number(const std::vector<Number>&)>& give) const {
    std::string text;
    for (size_t of = 0; of < sorted.size(); ++of) {
      std::vector<Number> frame;
      for (size_t row = 0; row < sorted.size(); ++row) {
        if (partition[sorted[row]] == partition[sorted[of]] && in_frame(row, of)) frame.push_back(value[sorted[row]]);
      }
      const Number given = give(frame);
      text += (given ? std::to_string(*given) : "null") + " ";
    }
    return text;
  }

  /// Says whether a row's order lies less than a distance before or behind another one's; nulls are with nulls.
  bool is_near(size_t row, size_t of, int64_t before, int64_t behind) const {
    const Number& a = order[sorted[row]];
    const Number& b = order[sorted[of]];
    return a && b ? *a >= *b - before && *a <= *b + behind : a.has_value() == b.has_value();
  }
};

}  // namespace accelerant::operators::test
