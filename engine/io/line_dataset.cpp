#include "io/line_dataset.h"

#include "base/error.h"
#include "io/byte_stream.h"
#include "io/file_pruning.h"
#include "io/file_splits.h"
#include "io/line_scan.h"
#include "io/local_file.h"
#include "io/read_options.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::io {

namespace {

/// Parts of so many bytes are large enough that what starts them costs nothing, and small enough for many workers.
constexpr int64_t kMorselBytes = 4 * 1024 * 1024;
/// Of the first file so much is looked at to guess how long lines are.
constexpr int64_t kSampleBytes = 64 * 1024;
constexpr double kGuessedLineBytes = 100;

/// Endings of the names of files that Spark decompresses, or does where somebody has added the codec.
constexpr std::string_view kCompressedEndings[] = {".br",     ".bz2",  ".deflate", ".gz",          ".gzip",
                                                   ".lz4",    ".lzma", ".lzo",     ".lzo_deflate", ".passthrough",
                                                   ".snappy", ".xz",   ".zst",     ".zstd"};

void require_readable(const std::string& path) {
  if (is_gzip(path)) return;
  const std::string lower = lower_ascii(path);
  for (const std::string_view ending : kCompressedEndings) {
    if (lower.ends_with(ending)) throw_unsupported("compressed text (" + path + ")");
  }
}

/// Files of lines as Spark split them.
class LineDataset final : public Dataset {
 public:
  LineDataset(std::shared_ptr<const ScanSpec> spec, std::vector<std::vector<FileSplit>> partitions, LineFormat format,
              const std::shared_ptr<memory::Budget>& budget)
      : spec_(std::move(spec)),
        partitions_(std::make_shared<const std::vector<std::vector<FileSplit>>>(std::move(partitions))),
        format_(std::move(format)) {
    for (const auto& splits : *partitions_) {
      for (const FileSplit& split : splits) require_readable(local_path(split.path));
    }
    line_bytes_ = sample_line_bytes(budget);
  }

  int num_partitions() const override { return static_cast<int>(partitions_->size()); }
  int64_t partition_bytes(int partition) const override;
  /// Guesses: nothing says how many lines a file has.
  int64_t num_rows(int first, int last) const override;
  int64_t num_morsels() const override { return static_cast<int64_t>(tasks(0, num_partitions()).size()); }
  bool reads_same_files(const Dataset& other) const override;
  ColumnSummary summarize(int column) const override;
  std::unique_ptr<Scan> scan(int first, int last, const execution::OperatorContext& ctx) const override;

 private:
  std::vector<LineTask> tasks(int first, int last) const;
  double sample_line_bytes(const std::shared_ptr<memory::Budget>& budget) const;

  const std::shared_ptr<const ScanSpec> spec_;
  const std::shared_ptr<const std::vector<std::vector<FileSplit>>> partitions_;
  const LineFormat format_;
  double line_bytes_ = kGuessedLineBytes;
};

/// Returns the mean length of the first lines of the first file.
double LineDataset::sample_line_bytes(const std::shared_ptr<memory::Budget>& budget) const {
  for (const auto& splits : *partitions_) {
    if (splits.empty()) continue;
    const auto stream = open_bytes(splits.front().path, 0, budget);
    std::vector<uint8_t> text(static_cast<size_t>(std::min(kSampleBytes, stream->most_bytes())));
    text.resize(static_cast<size_t>(stream->read(static_cast<int64_t>(text.size()), text.data())));
    const auto num_ends = std::ranges::count(text, static_cast<uint8_t>(format_.separator.value_or('\n')));
    return static_cast<double>(text.size()) / static_cast<double>(std::max<int64_t>(num_ends, 1));
  }
  return kGuessedLineBytes;
}

int64_t LineDataset::partition_bytes(int partition) const {
  return total_bytes((*partitions_)[static_cast<size_t>(partition)]);
}

int64_t LineDataset::num_rows(int first, int last) const {
  int64_t bytes = 0;
  for (int i = first; i < last; ++i) bytes += partition_bytes(i);
  return static_cast<int64_t>(static_cast<double>(bytes) / std::max(line_bytes_, 1.0));
}

bool LineDataset::reads_same_files(const Dataset& other) const {
  const auto* lines = dynamic_cast<const LineDataset*>(&other);
  return lines && spec_->format == lines->spec_->format && spec_->options == lines->spec_->options &&
         are_same_pieces(*partitions_, *lines->partitions_);
}

ColumnSummary LineDataset::summarize(int) const {
  ColumnSummary summary;
  int64_t bytes = 0;
  for (int i = 0; i < num_partitions(); ++i) bytes += partition_bytes(i);
  summary.stored_bytes = bytes / std::max<int64_t>(1, static_cast<int64_t>(spec_->columns.size()));
  summary.num_chunks = num_morsels();
  return summary;
}

std::vector<LineTask> LineDataset::tasks(int first, int last) const {
  ACC_CHECK(first >= 0 && first <= last && last <= num_partitions());
  std::vector<LineTask> all;
  for (int i = first; i < last; ++i) {
    for (const FileSplit& split : (*partitions_)[static_cast<size_t>(i)]) {
      const std::shared_ptr<const FileSplit> shared(partitions_, &split);
      const int64_t end = split.start + split.length;
      if (is_gzip(local_path(split.path))) {
        all.push_back({shared, 0, std::numeric_limits<int64_t>::max(), i});
        continue;
      }
      for (int64_t start = split.start; start < end; start += kMorselBytes) {
        all.push_back({shared, start, std::min(end, start + kMorselBytes), i});
      }
    }
  }
  return all;
}

std::unique_ptr<Scan> LineDataset::scan(int first, int last, const execution::OperatorContext& ctx) const {
  std::vector<LineTask> kept = tasks(first, last);
  FilePruning pruning(*spec_, ctx);
  const auto num_pruned = std::erase_if(kept, [&](const LineTask& task) { return !pruning.keeps(*task.split); });
  return std::make_unique<LineScan>(spec_, format_, std::move(kept), static_cast<int64_t>(num_pruned), ctx);
}

}  // namespace

std::shared_ptr<const Dataset> open_lines(std::shared_ptr<const ScanSpec> spec,
                                          std::vector<std::vector<FileSplit>> partitions, LineFormat format,
                                          const std::shared_ptr<memory::Budget>& budget) {
  return std::make_shared<LineDataset>(std::move(spec), std::move(partitions), std::move(format), budget);
}

}  // namespace accelerant::io
