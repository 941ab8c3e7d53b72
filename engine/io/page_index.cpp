#include "io/page_index.h"

#include "io/parquet_statistics.h"
#include "io/thrift_limits.h"
#include "memory/budget_ptr.h"

#include <parquet/page_index.h>

#include <optional>

namespace accelerant::io {

using expressions::ColumnStatistics;
using memory::BudgetPtr;
using memory::Buffer;

namespace {

/// Reads an index; nullptr where it lies outside the file.
memory::BufferPtr read_index(const IndexedChunk& chunk, const parquet::IndexLocation& location,
                             const BudgetPtr& budget) {
  const int64_t file_bytes = chunk.file.identity.size_bytes;
  if (location.offset < 0 || location.length <= 0 || location.offset > file_bytes - location.length) return nullptr;
  auto bytes = Buffer::allocate(location.length, budget);
  chunk.bytes.read(location.offset, location.length, bytes->mutable_data());
  return bytes;
}

/// Says whether pages lie one after the other in the chunk, and so do their rows in the row group.
bool are_in_order(const std::vector<parquet::PageLocation>& places, ChunkRange range, int64_t num_rows) {
  int64_t least_offset = range.offset;
  int64_t least_row = 0;
  for (const parquet::PageLocation& place : places) {
    const bool starts_inside = place.offset >= least_offset && place.offset < range.offset + range.num_bytes;
    if (!starts_inside || place.compressed_page_size <= 0) return false;
    if (place.first_row_index < least_row || place.first_row_index > num_rows) return false;
    least_offset = place.offset + place.compressed_page_size;
    least_row = place.first_row_index;
  }
  return !places.empty() && places[0].first_row_index == 0 && least_offset <= range.offset + range.num_bytes;
}

ColumnStatistics statistics_of(const parquet::ColumnIndex& index, size_t page, int64_t num_rows,
                               const IndexedChunk& chunk, const BudgetPtr& budget) {
  ColumnStatistics statistics;
  if (index.null_pages()[page]) {
    statistics.null_count = num_rows;
    return statistics;
  }
  const int64_t null_count = index.has_null_counts() ? index.null_counts()[page] : -1;
  if (null_count >= 0 && null_count <= num_rows) statistics.null_count = null_count;
  const auto& descriptor = *chunk.file.metadata->schema()->Column(chunk.column.leaf);
  set_bounds(statistics, {index.encoded_min_values()[page], index.encoded_max_values()[page]}, chunk.column, descriptor,
             budget);
  return statistics;
}

bool has_pages(const parquet::ColumnIndex& index, size_t n) {
  return index.null_pages().size() == n && index.encoded_min_values().size() == n &&
         index.encoded_max_values().size() == n && (!index.has_null_counts() || index.null_counts().size() == n);
}

}  // namespace

std::vector<PageSpan> read_page_spans(const IndexedChunk& chunk, const BudgetPtr& budget) {
  const auto group = chunk.file.metadata->RowGroup(chunk.row_group);
  const auto location = group->ColumnChunk(chunk.column.leaf)->GetOffsetIndexLocation();
  if (!location) return {};
  const auto bytes = read_index(chunk, *location, budget);
  if (!bytes) return {};
  const memory::Reservation parsed(budget, location->length * kParsedFactor);
  const int64_t num_rows = group->num_rows();
  std::vector<PageSpan> pages;
  try {
    const auto index = parquet::OffsetIndex::Make(bytes->data(), location->length, thrift_limits(location->length));
    const auto& places = index->page_locations();
    if (!are_in_order(places, locate_chunk(chunk.file, chunk.row_group, chunk.column), num_rows)) return {};
    for (size_t i = 0; i < places.size(); ++i) {
      const int64_t first_row = places[i].first_row_index;
      const int64_t end_row = i + 1 < places.size() ? places[i + 1].first_row_index : num_rows;
      pages.push_back({places[i].offset, places[i].compressed_page_size, {first_row, end_row}});
    }
  } catch (const parquet::ParquetException&) {
    return {};
  }
  return pages;
}

std::vector<ColumnStatistics> read_page_statistics(const IndexedChunk& chunk, const std::vector<PageSpan>& pages,
                                                   const BudgetPtr& budget) {
  const auto group = chunk.file.metadata->RowGroup(chunk.row_group);
  const auto location = group->ColumnChunk(chunk.column.leaf)->GetColumnIndexLocation();
  if (pages.empty() || !location) return {};
  const auto bytes = read_index(chunk, *location, budget);
  if (!bytes) return {};
  const memory::Reservation parsed(budget, location->length * kParsedFactor);
  std::vector<ColumnStatistics> statistics;
  try {
    const auto& descriptor = *chunk.file.metadata->schema()->Column(chunk.column.leaf);
    const auto index =
        parquet::ColumnIndex::Make(descriptor, bytes->data(), location->length, thrift_limits(location->length));
    if (!has_pages(*index, pages.size())) return {};
    for (size_t i = 0; i < pages.size(); ++i) {
      statistics.push_back(statistics_of(*index, i, pages[i].rows.end - pages[i].rows.first, chunk, budget));
    }
  } catch (const parquet::ParquetException&) {
    return {};
  }
  return statistics;
}

}  // namespace accelerant::io
