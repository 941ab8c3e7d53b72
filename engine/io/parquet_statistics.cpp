#include "io/parquet_statistics.h"

#include "io/nested_column.h"
#include "io/value_decoder.h"
#include "memory/budget_ptr.h"

#include <parquet/statistics.h>

#include <cmath>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

namespace accelerant::io {

using columns::ColumnPtr;
using expressions::ColumnStatistics;
using memory::BudgetPtr;
using types::PhysicalType;

namespace {

/// Says whether the order of stored values, which statistics follow, is the order of converted ones.
bool keeps_order(ValueKind kind, parquet::SortOrder::type order) {
  switch (kind) {
    case ValueKind::Int32ToInt8:
    case ValueKind::Int32ToInt16:
    case ValueKind::Int96ToMicros:
      return false;
    case ValueKind::UInt32ToInt64:
    case ValueKind::UInt64ToInt128:
    case ValueKind::Bytes:
    case ValueKind::FixedBytes:
      return order == parquet::SortOrder::UNSIGNED;
    case ValueKind::Boolean:
    case ValueKind::Int32ToInt32:
    case ValueKind::Int32ToInt64:
    case ValueKind::Int32ToInt128:
    case ValueKind::Int32ToDouble:
    case ValueKind::Int64ToInt64:
    case ValueKind::Int64ToInt128:
    case ValueKind::Int64MillisToMicros:
    case ValueKind::Float:
    case ValueKind::FloatToDouble:
    case ValueKind::Double:
    case ValueKind::BytesToInt128:
    case ValueKind::FixedBytesToInt64:
    case ValueKind::FixedBytesToInt128:
      return order == parquet::SortOrder::SIGNED;
  }
  return false;
}

bool is_nan(const columns::Column& bound) {
  if (bound.physical() == PhysicalType::Float32) return std::isnan(bound.values<float>()[0]);
  if (bound.physical() == PhysicalType::Float64) return std::isnan(bound.values<double>()[0]);
  return false;
}

/// Decodes a bound like a plain page of one value; nullptr when it is malformed.
ColumnPtr decode_bound(const std::string& stored, const FileColumn& column, const parquet::ColumnDescriptor& descriptor,
                       const BudgetPtr& budget) {
  const bool has_length = descriptor.physical_type() == parquet::Type::BYTE_ARRAY;
  const auto length = static_cast<uint32_t>(stored.size());
  auto page = memory::Buffer::allocate_zeroed(static_cast<int64_t>(sizeof length + stored.size()), budget);
  uint8_t* to = page->mutable_data();
  if (has_length) std::memcpy(to, &length, sizeof length);
  std::memcpy(to + (has_length ? sizeof length : 0), stored.data(), stored.size());
  const auto decoder = make_value_decoder(column, budget);
  columns::FlatBuilder builder(column.type, column.physical(), 1, budget);
  std::vector<memory::BufferPtr> heap;
  const auto num_bytes = static_cast<int64_t>(stored.size() + (has_length ? sizeof length : 0));
  try {
    decoder->start_page(parquet::Encoding::PLAIN, page->data(), num_bytes);
    decoder->read(1, {builder.values<uint8_t>(), heap});
  } catch (const std::exception&) {
    return nullptr;
  }
  builder.set_heap(std::move(heap));
  ColumnPtr bound = builder.finish();
  return is_nan(*bound) ? nullptr : bound;
}

}  // namespace

void set_bounds(ColumnStatistics& statistics, const StoredBounds& stored, const FileColumn& column,
                const parquet::ColumnDescriptor& descriptor, const BudgetPtr& budget) {
  const bool has_order = descriptor.column_order().get_order() == parquet::ColumnOrder::TYPE_DEFINED_ORDER;
  if (!has_order || !keeps_order(column.kind, descriptor.sort_order())) return;
  ColumnPtr min = decode_bound(stored.min, column, descriptor, budget);
  ColumnPtr max = decode_bound(stored.max, column, descriptor, budget);
  if (!min || !max) return;
  statistics.min = std::move(min);
  statistics.max = std::move(max);
}

namespace {

/// Returns the bounds of a member of structs; nothing of other nested columns. Which nulls of a leaf are counted is up
/// to the writer.
ColumnStatistics member_statistics(const ParquetFile& file, int row_group, const NestedColumn& column,
                                   const BudgetPtr& budget) {
  if (!column.root.children.empty() || column.root.is_missing()) return {};
  ColumnStatistics statistics = chunk_statistics(file, row_group, column.leaves.front().column, budget);
  statistics.null_count.reset();
  return statistics;
}

}  // namespace

ColumnStatistics chunk_statistics(const ParquetFile& file, int row_group, const FileColumn& column,
                                  const BudgetPtr& budget) {
  if (column.is_nested()) return member_statistics(file, row_group, *column.nested, budget);
  ColumnStatistics statistics;
  const int64_t num_rows = file.row_groups[static_cast<size_t>(row_group)].num_rows;
  if (column.is_missing()) {
    statistics.null_count = column.is_row_index ? 0 : num_rows;
    return statistics;
  }
  const auto& descriptor = *file.metadata->schema()->Column(column.leaf);
  const auto group = file.metadata->RowGroup(row_group);
  const auto chunk = group->ColumnChunk(column.leaf);
  if (!chunk->is_stats_set()) return statistics;
  const auto stored = chunk->encoded_statistics();
  if (stored->has_null_count && stored->null_count >= 0 && stored->null_count <= num_rows) {
    statistics.null_count = stored->null_count;
  }
  if (stored->has_min && stored->has_max)
    set_bounds(statistics, {stored->min(), stored->max()}, column, descriptor, budget);
  return statistics;
}

}  // namespace accelerant::io
