#include "io/row_group_pruning.h"

#include "io/bloom_filter.h"
#include "io/dictionary_pruning.h"
#include "io/parquet_statistics.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace accelerant::io {

using expressions::ColumnStatistics;
using expressions::Program;
using expressions::Verdict;

namespace {

/// Row groups of fewer rows are read at once: their pages are hardly more than one.
constexpr int64_t kLeastIndexedRows = 4096;

bool any_can_fail(std::span<ScanFilter* const> filters) {
  return std::any_of(filters.begin(), filters.end(), [](const ScanFilter* f) { return f->program->can_fail(); });
}

/// Restricts what is known of a page to a part of its rows.
ColumnStatistics restrict_to(ColumnStatistics statistics, int64_t page_rows, int64_t num_rows) {
  if (statistics.null_count == page_rows) {
    statistics.null_count = num_rows;
  } else if (statistics.null_count != 0) {
    statistics.null_count.reset();
  }
  return statistics;
}

}  // namespace

/// What is known of a column's pages.
struct RowGroupPruning::IndexedColumn {
  std::vector<PageSpan> pages;               ///< empty: the file has no index of them
  std::vector<ColumnStatistics> statistics;  ///< one a page; of the whole row group where there are no pages

  /// Returns what is known of rows that lie in one page.
  ColumnStatistics of(RowRange rows, int64_t group_rows) const {
    const int64_t num_rows = rows.end - rows.first;
    if (pages.empty()) return restrict_to(statistics[0], group_rows, num_rows);
    const auto page = std::upper_bound(pages.begin(), pages.end(), rows.first,
                                       [](int64_t row, const PageSpan& span) { return row < span.rows.end; });
    const int64_t page_rows = page->rows.end - page->rows.first;
    return restrict_to(statistics[static_cast<size_t>(page - pages.begin())], page_rows, num_rows);
  }
};

/// The indexes of the scan's columns, each read when it is first asked for.
class RowGroupPruning::PageIndexes {
 public:
  PageIndexes(const RowGroupPruning& pruning, const LocalFile& bytes)
      : pruning_(pruning), bytes_(bytes), columns_(pruning.spec_.columns.size()) {}

  const IndexedColumn& of(size_t column) {
    if (!columns_[column]) columns_[column] = read(column);
    return *columns_[column];
  }

 private:
  IndexedColumn read(size_t column) const {
    const RowGroupTask& task = pruning_.task_;
    const FileColumn& source = task.file->columns[column];
    if (source.leaf < 0) return {{}, {pruning_.statistics(column)}};
    const IndexedChunk chunk{*task.file, bytes_, task.row_group, source};
    IndexedColumn indexed{read_page_spans(chunk, pruning_.ctx_.budget), {}};
    if (indexed.pages.size() > 1) {
      indexed.statistics = read_page_statistics(chunk, indexed.pages, pruning_.ctx_.budget);
    }
    if (!indexed.statistics.empty()) return indexed;
    return {{}, {pruning_.statistics(column)}};
  }

  const RowGroupPruning& pruning_;
  const LocalFile& bytes_;
  std::vector<std::optional<IndexedColumn>> columns_;
};

ColumnStatistics RowGroupPruning::statistics(size_t column) const {
  const int partition_index = spec_.columns[column].partition_index;
  if (partition_index < 0) {
    return chunk_statistics(*task_.file, task_.row_group, task_.file->columns[column], ctx_.budget);
  }
  const columns::ColumnPtr& value = task_.split->partition_values[static_cast<size_t>(partition_index)];
  if (value->is_null(0)) return {nullptr, nullptr, task_.num_rows()};
  return {value, value, 0};
}

std::vector<ScanFilter*> RowGroupPruning::decide(std::vector<ScanFilter>& filters, RowRanges& rows) const {
  std::vector<ColumnStatistics> known(spec_.columns.size());
  for (const ScanFilter& filter : filters) {
    for (const int input : filter.program->inputs())
      known[static_cast<size_t>(input)] = statistics(static_cast<size_t>(input));
  }
  std::vector<ScanFilter*> undecided;
  for (ScanFilter& filter : filters) {
    const Verdict verdict = expressions::prune(*filter.program, known, task_.num_rows());
    if (verdict == Verdict::NoRow) {
      rows.drop({0, task_.num_rows()});
      return {};
    }
    if (verdict == Verdict::Unknown) undecided.push_back(&filter);
  }
  // A filter that may fail of a row is asked of all of them.
  if (!any_can_fail(undecided) && drops_all_keys()) rows.drop({0, task_.num_rows()});
  return undecided;
}

bool RowGroupPruning::drops_all_keys() const {
  for (size_t i = 0; i < key_filters_.size(); ++i) {
    if (key_filters_.drops_all(i, statistics(key_filters_.column(i)), task_.num_rows())) return true;
  }
  return false;
}

void RowGroupPruning::prune_by_indexes(std::span<ScanFilter* const> filters, const LocalFile& bytes,
                                       RowRanges& rows) const {
  if (task_.num_rows() < kLeastIndexedRows) return;
  for (const ScanFilter* filter : filters) {
    if (has_no_such_value(*filter->program, bytes)) return rows.drop({0, task_.num_rows()});
  }
  PageIndexes indexes(*this, bytes);
  for (const ScanFilter* filter : filters) prune_by_filter(*filter->program, indexes, rows);
  if (any_can_fail(filters)) return;
  for (size_t i = 0; i < key_filters_.size(); ++i) prune_by_keys(i, indexes, rows);
}

bool RowGroupPruning::has_no_such_value(const Program& filter, const LocalFile& bytes) const {
  std::vector<ColumnStatistics> known(spec_.columns.size());
  bool has_values = false;
  for (const int input : filter.inputs()) {
    const auto column = static_cast<size_t>(input);
    const IndexedChunk chunk{*task_.file, bytes, task_.row_group, task_.file->columns[column]};
    known[column].values = find_bloom_filter(chunk, ctx_.budget);
    has_values |= known[column].values != nullptr;
  }
  return has_values && expressions::prune(filter, known, task_.num_rows()) == Verdict::NoRow;
}

void RowGroupPruning::prune_by_dictionaries(std::span<ScanFilter* const> filters, const LocalFile& bytes,
                                            PruningTrial& trial, RowRanges& rows) const {
  if (task_.num_rows() < kLeastIndexedRows) return;
  std::map<size_t, std::vector<ScanFilter*>> by_column;
  for (ScanFilter* filter : filters) {
    const auto& inputs = filter->program->inputs();
    if (inputs.size() == 1 && !filter->program->can_fail()) by_column[static_cast<size_t>(inputs[0])].push_back(filter);
  }
  for (const auto& [column, of_column] : by_column) {
    const FileColumn& source = task_.file->columns[column];
    const auto dictionary = find_small_dictionary(*task_.file, task_.row_group, source);
    if (!dictionary) continue;
    const bool may_have_nulls = source.is_optional && statistics(column).null_count != 0;
    const IndexedChunk chunk{*task_.file, bytes, task_.row_group, source};
    const bool drops = drops_all_values(of_column, chunk, *dictionary, column, may_have_nulls, ctx_);
    trial.note(task_.num_rows(), drops ? task_.num_rows() : 0);
    if (drops) return rows.drop({0, task_.num_rows()});
  }
}

/// Asks the filter of the rows between all places where a page of one of its columns starts.
void RowGroupPruning::prune_by_filter(const Program& filter, PageIndexes& indexes, RowRanges& rows) const {
  std::set<int64_t> starts;
  for (const int input : filter.inputs()) {
    for (const PageSpan& page : indexes.of(static_cast<size_t>(input)).pages) starts.insert(page.rows.first);
  }
  if (starts.empty()) return;
  starts.insert(task_.num_rows());
  std::vector<ColumnStatistics> known(spec_.columns.size());
  int64_t first = 0;
  for (const int64_t end : starts) {
    const RowRange part{first, end};
    first = end;
    if (part.first == part.end || !rows.meets(part)) continue;
    for (const int input : filter.inputs()) {
      const auto column = static_cast<size_t>(input);
      known[column] = indexes.of(column).of(part, task_.num_rows());
    }
    if (expressions::prune(filter, known, end - part.first) == Verdict::NoRow) rows.drop(part);
  }
}

void RowGroupPruning::prune_by_keys(size_t filter, PageIndexes& indexes, RowRanges& rows) const {
  const IndexedColumn& column = indexes.of(key_filters_.column(filter));
  for (size_t i = 0; i < column.pages.size(); ++i) {
    const RowRange page = column.pages[i].rows;
    if (key_filters_.drops_all(filter, column.statistics[i], page.end - page.first)) rows.drop(page);
  }
}

}  // namespace accelerant::io
