#include "io/column_summary.h"

#include "expressions/selectivity.h"
#include "io/arrow_pool.h"
#include "io/parquet_statistics.h"
#include "memory/buffer.h"

#include <arrow/io/memory.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/properties.h>

#include <algorithm>
#include <exception>

namespace accelerant::io {

namespace {

using FilePtr = std::shared_ptr<const ParquetFile>;

/// Larger dictionaries are not read for their length.
constexpr int64_t kMaxDictionaryBytes = 64 * 1024;

bool has_plain_pages(const parquet::ColumnChunkMetaData& chunk) {
  return std::ranges::any_of(chunk.encoding_stats(), [](const parquet::PageEncodingStats& pages) {
    return pages.page_type != parquet::PageType::DICTIONARY_PAGE &&
           pages.encoding != parquet::Encoding::RLE_DICTIONARY && pages.encoding != parquet::Encoding::PLAIN_DICTIONARY;
  });
}

/// Returns how many values the dictionary of a chunk has; nullopt where it has none, or a large one.
std::optional<int64_t> dictionary_length(const ParquetFile& file, int row_group, int leaf,
                                         const std::shared_ptr<memory::Budget>& budget) {
  const auto group = file.metadata->RowGroup(row_group);
  const auto chunk = group->ColumnChunk(leaf);
  if (!chunk->has_dictionary_page() || has_plain_pages(*chunk)) return std::nullopt;
  const int64_t offset = chunk->dictionary_page_offset();
  const int64_t num_bytes = chunk->data_page_offset() - offset;
  if (offset <= 0 || num_bytes <= 0 || num_bytes > kMaxDictionaryBytes) return std::nullopt;
  const auto bytes = memory::Buffer::allocate(num_bytes, budget);
  LocalFile(file.uri).read(offset, num_bytes, bytes->mutable_data());
  ArrowPool pool(budget);
  const auto stream =
      std::make_shared<arrow::io::BufferReader>(std::make_shared<arrow::Buffer>(bytes->data(), num_bytes));
  const auto pages =
      parquet::PageReader::Open(stream, file.row_groups[static_cast<size_t>(row_group)].num_rows, chunk->compression(),
                                parquet::ReaderProperties(&pool), *file.metadata->schema()->Column(leaf));
  const auto page = pages->NextPage();
  if (!page || page->type() != parquet::PageType::DICTIONARY_PAGE) return std::nullopt;
  return static_cast<const parquet::DictionaryPage&>(*page).num_values();
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

  ColumnSummary summary() const { return {min_, max_, num_nulls_, std::nullopt}; }

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
std::optional<int64_t> first_dictionary(std::span<const FilePtr> files, size_t column,
                                        const std::shared_ptr<memory::Budget>& budget) {
  const auto found = std::ranges::find_if(
      files, [&](const FilePtr& file) { return !file->row_groups.empty() && file->columns[column].leaf >= 0; });
  if (found == files.end()) return std::nullopt;
  try {
    return dictionary_length(**found, 0, (*found)->columns[column].leaf, budget);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

ColumnSummary summarize(std::span<const FilePtr> files, size_t column, const std::shared_ptr<memory::Budget>& budget) {
  Bounds bounds;
  for (const FilePtr& file : files) {
    for (size_t group = 0; group < file->row_groups.size(); ++group) {
      const FileColumn& source = file->columns[column];
      bounds.add(chunk_statistics(*file, static_cast<int>(group), source, budget));
    }
  }
  ColumnSummary summary = bounds.summary();
  if (!summary.min || !summary.max) summary.num_distinct = first_dictionary(files, column, budget);
  return summary;
}

}  // namespace accelerant::io
