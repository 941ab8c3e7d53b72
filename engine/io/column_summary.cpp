#include "io/column_summary.h"

#include "expressions/selectivity.h"
#include "io/nested_column.h"
#include "io/page_header.h"
#include "io/parquet_statistics.h"

#include <algorithm>
#include <array>
#include <exception>

namespace accelerant::io {

namespace {

using FilePtr = std::shared_ptr<const ParquetFile>;

/// A dictionary's header is a handful of small numbers.
constexpr int64_t kMaxHeaderBytes = 128;

bool has_plain_pages(const parquet::ColumnChunkMetaData& chunk) {
  return std::ranges::any_of(chunk.encoding_stats(), [](const parquet::PageEncodingStats& pages) {
    return pages.page_type != parquet::PageType::DICTIONARY_PAGE &&
           pages.encoding != parquet::Encoding::RLE_DICTIONARY && pages.encoding != parquet::Encoding::PLAIN_DICTIONARY;
  });
}

/// Returns how many values the dictionary of a chunk has, as its header says; nullopt where it has none, or not all
/// values come from it.
std::optional<int64_t> dictionary_length(const ParquetFile& file, int row_group, int leaf) {
  const auto group = file.metadata->RowGroup(row_group);
  const auto chunk = group->ColumnChunk(leaf);
  if (!chunk->has_dictionary_page() || has_plain_pages(*chunk)) return std::nullopt;
  const int64_t offset = chunk->dictionary_page_offset();
  if (offset <= 0 || offset >= file.identity.size_bytes) return std::nullopt;
  std::array<uint8_t, kMaxHeaderBytes> bytes;
  const int64_t num_bytes = std::min<int64_t>(kMaxHeaderBytes, file.identity.size_bytes - offset);
  LocalFile(file.uri).read(offset, num_bytes, bytes.data());
  const uint8_t* data = bytes.data();
  PageHeader header;
  if (!read_page_header(data, data + num_bytes, header) || header.type != PageHeader::kDictionary) return std::nullopt;
  return std::max(header.num_values, 0);
}

/// Bounds and nulls over all row groups; what one of them lacks is unknown of all.
class Bounds {
 public:
  void add(const expressions::ColumnStatistics& statistics) {
    const auto number = [](const columns::ColumnPtr& bound) {
      return bound ? expressions::as_number(*bound) : std::nullopt;
    };
    widen(min_, number(statistics.min), [](double a, double b) { return std::min(a, b); });
    widen(max_, number(statistics.max), [](double a, double b) { return std::max(a, b); });
    widen(num_nulls_, statistics.null_count, [](int64_t a, int64_t b) { return a + b; });
    is_first_ = false;
  }

  ColumnSummary summary() const { return {min_, max_, num_nulls_, std::nullopt, 0, 0}; }

 private:
  template <class T>
  void widen(std::optional<T>& known, std::optional<T> value, auto combine) const {
    if (is_first_) {
      known = value;
    } else if (known && value) {
      known = combine(*known, *value);
    } else {
      known.reset();
    }
  }

  bool is_first_ = true;
  std::optional<double> min_;
  std::optional<double> max_;
  std::optional<int64_t> num_nulls_;
};

/// Looks at the first file that has rows; a file that cannot be read tells nothing here, and its reader says why.
std::optional<int64_t> first_dictionary(std::span<const FilePtr> files, size_t column) {
  const auto found = std::ranges::find_if(
      files, [&](const FilePtr& file) { return !file->row_groups.empty() && file->columns[column].leaf >= 0; });
  if (found == files.end()) return std::nullopt;
  try {
    return dictionary_length(**found, 0, (*found)->columns[column].leaf);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

ColumnSummary summarize(std::span<const FilePtr> files, size_t column, const std::shared_ptr<memory::Budget>& budget) {
  Bounds bounds;
  int64_t stored_bytes = 0;
  int64_t num_chunks = 0;
  for (const FilePtr& file : files) {
    for (size_t group = 0; group < file->row_groups.size(); ++group) {
      const FileColumn& source = file->columns[column];
      bounds.add(chunk_statistics(*file, static_cast<int>(group), source, budget));
      const auto row_group = file->metadata->RowGroup(static_cast<int>(group));
      for (const FileColumn* stored : stored_columns(source)) {
        stored_bytes += row_group->ColumnChunk(stored->leaf)->total_compressed_size();
      }
      num_chunks += source.leaf >= 0;
    }
  }
  ColumnSummary summary = bounds.summary();
  summary.stored_bytes = stored_bytes;
  summary.num_chunks = num_chunks;
  if (!summary.min || !summary.max) summary.num_distinct = first_dictionary(files, column);
  return summary;
}

}  // namespace accelerant::io
