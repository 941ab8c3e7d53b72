#include "io/orc_dataset.h"

#include "base/error.h"
#include "io/file_pruning.h"
#include "io/file_splits.h"
#include "io/for_each_on_threads.h"
#include "io/orc_pruning.h"
#include "io/orc_scan.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace accelerant::io {

OrcDataset::OrcDataset(std::shared_ptr<const ScanSpec> spec, std::vector<std::vector<FileSplit>> partitions,
                       int threads, std::shared_ptr<memory::Budget> budget)
    : spec_(std::move(spec)),
      partitions_(std::make_shared<const std::vector<std::vector<FileSplit>>>(std::move(partitions))),
      threads_(threads),
      budget_(std::move(budget)) {
  ACC_CHECK(spec_->options);
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
  for_each_on_threads(uris_.size(), threads_, [&](size_t i) { files_[i] = read_orc_file(uris_[i], *spec_, budget_); });
}

int64_t OrcDataset::partition_bytes(int partition) const {
  return total_bytes((*partitions_)[static_cast<size_t>(partition)]);
}

int64_t OrcDataset::num_rows(int first, int last) const {
  int64_t rows = 0;
  for (const OrcTask& task : tasks(files_, first, last)) rows += task.num_rows();
  return rows;
}

int64_t OrcDataset::num_morsels() const { return static_cast<int64_t>(tasks(files_, 0, num_partitions()).size()); }

bool OrcDataset::reads_same_files(const Dataset& other) const {
  const auto* orc = dynamic_cast<const OrcDataset*>(&other);
  const auto options = [](const OrcDataset& of) { return static_cast<const OrcReadOptions&>(*of.spec_->options); };
  return orc && options(*this) == options(*orc) && are_same_pieces(*partitions_, *orc->partitions_);
}

ColumnSummary OrcDataset::summarize(int column) const { return summarize_orc(files_, static_cast<size_t>(column)); }

std::vector<OrcTask> OrcDataset::tasks(const Files& files, int first, int last) const {
  ACC_CHECK(first >= 0 && first <= last && last <= num_partitions());
  std::vector<OrcTask> all;
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i) {
    for (size_t j = 0; j < (*partitions_)[i].size(); ++j) {
      const std::shared_ptr<const FileSplit> split(partitions_, &(*partitions_)[i][j]);
      const auto& file = files[file_of_[i][j]];
      for (size_t stripe = 0; stripe < file->metadata.stripes.size(); ++stripe) {
        // As ORC's RecordReaderImpl has it.
        if (contains(*split, file->metadata.stripes[stripe].offset)) {
          all.push_back({file, stripe, split, static_cast<int>(i)});
        }
      }
    }
  }
  return all;
}

/// Returns the files of some partitions as they are now; other places may be stale.
OrcDataset::Files OrcDataset::refresh(int first, int last) const {
  Files files = files_;
  std::vector<bool> used(files.size(), false);
  for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i) {
    for (const size_t file : file_of_[i]) used[file] = true;
  }
  for_each_on_threads(files.size(), threads_, [&](size_t i) {
    if (used[i] && !(LocalFile(uris_[i]).identity() == files[i]->identity)) {
      files[i] = read_orc_file(uris_[i], *spec_, budget_);
    }
  });
  return files;
}

std::unique_ptr<Scan> OrcDataset::scan(int first, int last, const execution::OperatorContext& ctx) const {
  ACC_CHECK(first >= 0 && first <= last && last <= num_partitions());
  std::vector<OrcTask> kept = tasks(refresh(first, last), first, last);
  FilePruning pruning(*spec_, ctx);
  auto num_pruned = std::erase_if(kept, [&](const OrcTask& task) { return !pruning.keeps(*task.split); });
  OrcPruning stripes(*spec_, ctx);
  num_pruned += std::erase_if(kept, [&](const OrcTask& task) { return !stripes.keeps(task); });
  return std::make_unique<OrcScan>(spec_, std::move(kept), static_cast<int64_t>(num_pruned), ctx);
}

std::shared_ptr<const Dataset> open_orc(std::shared_ptr<const ScanSpec> spec,
                                        std::vector<std::vector<FileSplit>> partitions, int threads,
                                        const std::shared_ptr<memory::Budget>& budget) {
  return std::make_shared<OrcDataset>(std::move(spec), std::move(partitions), threads, budget);
}

}  // namespace accelerant::io
