#include "io/orc_pruning.h"

#include "base/error.h"
#include "io/hybrid_calendar.h"
#include "memory/memory_wait.h"

#include <algorithm>
#include <utility>

namespace accelerant::io {

using columns::ColumnPtr;
using expressions::ColumnStatistics;
using expressions::Verdict;
using types::PhysicalType;

namespace {

/// Makes a column of one integer or date.
ColumnPtr one_value(const types::DataType& type, int64_t value, const std::shared_ptr<memory::Budget>& budget) {
  columns::FlatBuilder builder(type, type.physical(), 1, budget);
  const PhysicalType physical = type.physical();
  if (physical == PhysicalType::Int8) {
    *builder.values<int8_t>() = static_cast<int8_t>(value);
  } else if (physical == PhysicalType::Int16) {
    *builder.values<int16_t>() = static_cast<int16_t>(value);
  } else if (physical == PhysicalType::Int32) {
    *builder.values<int32_t>() = static_cast<int32_t>(value);
  } else {
    ACC_CHECK(physical == PhysicalType::Int64);
    *builder.values<int64_t>() = value;
  }
  return builder.finish();
}

bool is_ordered_by_integers(const OrcField& field) {
  const bool is_integer = field.kind >= OrcKind::Byte && field.kind <= OrcKind::Long;
  return !field.is_missing() && (is_integer || field.kind == OrcKind::Date);
}

}  // namespace

OrcPruning::OrcPruning(const ScanSpec& spec, const execution::OperatorContext& ctx)
    : spec_(spec), ctx_(ctx), key_filters_(ctx.key_filters) {}

/// Nothing is known where statistics are corrupt, or there is no memory for them.
bool OrcPruning::keeps(const OrcTask& task) {
  if (spec_.filters.empty() && key_filters_.size() == 0) return true;
  try {
    return may_be_wanted(task);
  } catch (const memory::MemoryWait&) {
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource && error.kind() != ErrorKind::Unsupported) throw;
    return true;
  }
}

bool OrcPruning::may_be_wanted(const OrcTask& task) {
  read_statistics(task);
  bool may_fail = false;
  for (const auto& filter : spec_.filters) {
    std::vector<ColumnStatistics> known(spec_.columns.size());
    for (const int input : filter->inputs()) {
      known[static_cast<size_t>(input)] = statistics(task, static_cast<size_t>(input));
    }
    const Verdict verdict = expressions::prune(*filter, known, task.num_rows());
    if (verdict == Verdict::NoRow) return false;
    may_fail |= verdict == Verdict::Unknown && filter->can_fail();
  }
  if (may_fail) return true;  // a filter that may fail of a row is asked of all of them
  for (size_t i = 0; i < key_filters_.size(); ++i) {
    if (key_filters_.drops_all(i, statistics(task, key_filters_.column(i)), task.num_rows())) return false;
  }
  return true;
}

bool OrcPruning::is_asked_for(size_t column) const {
  for (size_t i = 0; i < key_filters_.size(); ++i) {
    if (key_filters_.column(i) == column) return true;
  }
  return std::ranges::any_of(spec_.filters, [column](const auto& filter) {
    return std::ranges::binary_search(filter->inputs(), static_cast<int>(column));
  });
}

/// Reads the statistics of a file's stripes, unless they were read last.
void OrcPruning::read_statistics(const OrcTask& task) {
  if (file_ == task.file) return;
  file_ = task.file;
  stripes_.clear();
  columns_.clear();
  for (size_t i = 0; i < spec_.columns.size(); ++i) {
    const OrcField& field = file_->columns[i];
    if (is_ordered_by_integers(field) && is_asked_for(i)) columns_.push_back(field.column);
  }
  std::ranges::sort(columns_);
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
  if (columns_.empty()) return;
  stripes_ = read_orc_stripe_statistics(LocalFile(file_->uri), file_->metadata, columns_, ctx_.budget);
}

ColumnStatistics OrcPruning::statistics(const OrcTask& task, size_t column) const {
  const int partition_index = spec_.columns[column].partition_index;
  if (partition_index >= 0) {
    const ColumnPtr& value = task.split->partition_values[static_cast<size_t>(partition_index)];
    if (value->is_null(0)) return {nullptr, nullptr, task.num_rows()};
    return {value, value, 0};
  }
  const OrcField& field = task.file->columns[column];
  if (stripes_.empty() || !is_ordered_by_integers(field)) return {};
  const auto place = std::ranges::lower_bound(columns_, field.column) - columns_.begin();
  const OrcStatistics& stored = stripes_[task.stripe][static_cast<size_t>(place)];
  ColumnStatistics known;
  if (stored.num_values) known.null_count = std::max<int64_t>(task.num_rows() - *stored.num_values, 0);
  if (!stored.min || !stored.max) return known;
  const bool is_julian = field.kind == OrcKind::Date && task.file->times.has_old_calendar;
  known.min = one_value(field.type, is_julian ? day_of_hybrid(*stored.min) : *stored.min, ctx_.budget);
  known.max = one_value(field.type, is_julian ? day_of_hybrid(*stored.max) : *stored.max, ctx_.budget);
  return known;
}

}  // namespace accelerant::io
