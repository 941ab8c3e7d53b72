#include "io/dictionary_pruning.h"

#include "base/error.h"
#include "io/chunk_reader.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace accelerant::io {

using columns::ColumnPtr;
using parquet::Encoding;

namespace {

/// A dictionary is looked at where it takes one of so many bytes of its chunk, or less.
constexpr int64_t kLeastChunk = 2;

/// As parquet-mr's DictionaryFilter: without statistics of encodings a chunk's list of them tells, but only where it
/// names the dictionary's with its old name. Later writers named the new one also where pages fell back to PLAIN.
bool has_only_codes(const parquet::ColumnChunkMetaData& chunk) {
  const auto& statistics = chunk.encoding_stats();
  if (!statistics.empty()) {
    return std::ranges::all_of(statistics, [](const parquet::PageEncodingStats& pages) {
      return pages.page_type == parquet::PageType::DICTIONARY_PAGE || pages.encoding == Encoding::RLE_DICTIONARY ||
             pages.encoding == Encoding::PLAIN_DICTIONARY;
    });
  }
  const auto& encodings = chunk.encodings();
  return std::ranges::find(encodings, Encoding::PLAIN_DICTIONARY) != encodings.end() &&
         std::ranges::all_of(encodings, [](Encoding::type encoding) {
           return encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE ||
                  encoding == Encoding::BIT_PACKED;
         });
}

ColumnPtr read_dictionary(const IndexedChunk& chunk, ChunkRange range, const execution::OperatorContext& ctx) {
  auto bytes = memory::Buffer::allocate(range.num_bytes, ctx.budget);
  chunk.bytes.read(range.offset, range.num_bytes, bytes->mutable_data());
  if (ctx.metrics) ctx.metrics->input_bytes += range.num_bytes;
  const auto stored = chunk.file.metadata->RowGroup(chunk.row_group)->ColumnChunk(chunk.column.leaf);
  ChunkReader reader({&chunk.column, std::move(bytes), 0, range.num_bytes, 0, stored->compression(), false, {}},
                     ctx.budget);
  return reader.dictionary();
}

bool keep_any(std::span<ScanFilter* const> filters, ColumnPtr column, size_t position) {
  columns::Batch batch;
  batch.num_rows = column->length();
  batch.columns.resize(position + 1);
  batch.columns[position] = std::move(column);
  for (ScanFilter* filter : filters) {
    if (batch.num_selected() > 0) batch = filter->evaluator.filter(std::move(batch));
  }
  return batch.num_selected() > 0 || !batch.errors.empty();
}

}  // namespace

std::optional<ChunkRange> find_small_dictionary(const ParquetFile& file, int row_group, const FileColumn& column) {
  if (column.leaf < 0) return std::nullopt;
  const auto group = file.metadata->RowGroup(row_group);
  const auto chunk = group->ColumnChunk(column.leaf);
  if (!chunk->has_dictionary_page() || !has_only_codes(*chunk)) return std::nullopt;
  const ChunkRange whole = locate_chunk(file, row_group, column);
  const ChunkRange range{whole.offset, chunk->data_page_offset() - whole.offset};
  const bool is_first = chunk->dictionary_page_offset() == whole.offset;
  if (!is_first || range.num_bytes <= 0 || range.num_bytes > whole.num_bytes / kLeastChunk) return std::nullopt;
  return range;
}

bool drops_all_values(std::span<ScanFilter* const> filters, const IndexedChunk& chunk, ChunkRange range,
                      size_t position, bool may_have_nulls, const execution::OperatorContext& ctx) {
  if (may_have_nulls && keep_any(filters, columns::Column::nulls(chunk.column.type, 1, ctx.budget), position)) {
    return false;
  }
  try {
    const ColumnPtr dictionary = read_dictionary(chunk, range, ctx);
    return dictionary && !keep_any(filters, dictionary, position);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace accelerant::io
