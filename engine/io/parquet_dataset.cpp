#include "io/parquet_dataset.h"

#include "base/error.h"
#include "io/column_summary.h"
#include "io/file_pruning.h"
#include "io/file_splits.h"
#include "io/for_each_on_threads.h"
#include "io/parquet_scan.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace accelerant::io {

ParquetDataset::ParquetDataset(std::shared_ptr<const ScanSpec> spec, std::vector<std::vector<FileSplit>> partitions,
                               int threads, std::shared_ptr<memory::Budget> budget)
    : spec_(std::move(spec)),
      partitions_(std::make_shared<const std::vector<std::vector<FileSplit>>>(std::move(partitions))),
      threads_(threads),
      budget_(std::move(budget)) {
  std::unordered_map<std::string, size_t> known;
  for (const auto& splits : *partitions_) {
    file_of_.emplace_back();
    for (const FileSplit& split : splits) {
      const auto [place, is_new] = known.try_emplace(split.path, uris_.size());
      if (is_new) uris_.push_back(split.path);
      file_of_.back().push_back(place->second);
    }
  }
  files_.resize(uris_.size());
  for_each_on_threads(uris_.size(), threads_,
                      [&](size_t i) { files_[i] = read_parquet_file(uris_[i], *spec_, budget_); });
}

int64_t ParquetDataset::partition_bytes(int partition) const {
  return total_bytes((*partitions_)[static_cast<size_t>(partition)]);
}

int64_t ParquetDataset::num_rows(int first, int last) const {
  int64_t rows = 0;
  for (const RowGroupTask& task : tasks(files_, first, last)) {
    rows += task.file->row_groups[static_cast<size_t>(task.row_group)].num_rows;
  }
  return rows;
}

int64_t ParquetDataset::num_morsels() const { return static_cast<int64_t>(tasks(files_, 0, num_partitions()).size()); }

bool ParquetDataset::reads_same_files(const Dataset& other) const {
  const auto* parquet = dynamic_cast<const ParquetDataset*>(&other);
  return parquet && are_same_pieces(*partitions_, *parquet->partitions_);
}

ColumnSummary ParquetDataset::summarize(int column) const {
  std::lock_guard lock(mutex_);
  const auto [place, is_new] = summaries_.try_emplace(column);
  if (is_new) place->second = io::summarize(files_, static_cast<size_t>(column), budget_);
  return place->second;
}

/// Members of structs are put together from levels, which the host alone does.
bool ParquetDataset::has_encoded_scans() const {
  return std::ranges::all_of(spec_->columns, [](const ScanColumn& column) { return column.members.empty(); });
}

std::vector<RowGroupTask> ParquetDataset::tasks(const Files& files, int first, int last) const {
  ACC_CHECK(first >= 0 && first <= last && last <= num_partitions());
  std::vector<RowGroupTask> all;
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i) {
    for (size_t j = 0; j < (*partitions_)[i].size(); ++j) {
      const std::shared_ptr<const FileSplit> split(partitions_, &(*partitions_)[i][j]);
      const auto& file = files[file_of_[i][j]];
      for (size_t group = 0; group < file->row_groups.size(); ++group) {
        if (contains(*split, file->row_groups[group].midpoint)) {
          all.push_back({file, static_cast<int>(group), split, static_cast<int>(i)});
        }
      }
    }
  }
  return all;
}

/// Returns the files of some partitions as they are now; other places may be stale.
ParquetDataset::Files ParquetDataset::refresh(int first, int last) const {
  Files files = files_;
  std::vector<bool> used(files.size(), false);
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i) {
    for (const size_t file : file_of_[i]) used[file] = true;
  }
  for_each_on_threads(files.size(), threads_, [&](size_t i) {
    if (used[i] && !(LocalFile(uris_[i]).identity() == files[i]->identity)) {
      files[i] = read_parquet_file(uris_[i], *spec_, budget_);
    }
  });
  return files;
}

std::unique_ptr<Scan> ParquetDataset::scan(int first, int last, const execution::OperatorContext& ctx) const {
  ACC_CHECK(first >= 0 && first <= last && last <= num_partitions());
  std::vector<RowGroupTask> kept = tasks(refresh(first, last), first, last);
  FilePruning pruning(*spec_, ctx);
  const auto num_pruned = std::erase_if(kept, [&](const RowGroupTask& task) { return !pruning.keeps(*task.split); });
  return std::make_unique<ParquetScan>(spec_, std::move(kept), static_cast<int64_t>(num_pruned), ctx);
}

std::shared_ptr<const Dataset> open_parquet(std::shared_ptr<const ScanSpec> spec,
                                            std::vector<std::vector<FileSplit>> partitions, int threads,
                                            const std::shared_ptr<memory::Budget>& budget) {
  return std::make_shared<ParquetDataset>(std::move(spec), std::move(partitions), threads, budget);
}

}  // namespace accelerant::io
