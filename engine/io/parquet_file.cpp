#include "io/parquet_file.h"

#include "base/error.h"
#include "io/nested_column.h"
#include "io/parquet_schema.h"
#include "io/read_sizes.h"
#include "io/row_group_fields.h"
#include "io/thrift_limits.h"
#include "memory/buffer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace accelerant::io {

using memory::Buffer;

namespace {

constexpr int64_t kTrailerBytes = 8;  ///< footer length and magic

/// Spark may not come to the file, and else says itself what is wrong with it.
[[noreturn]] void refuse_file(const std::string& what) { throw_unsupported(what); }

/// The serialised footer, in a buffer together with what lies before it.
struct Footer {
  memory::BufferPtr buffer;
  const uint8_t* data;
  int64_t num_bytes;
};

Footer read_footer(const LocalFile& file, int64_t file_bytes, const std::shared_ptr<memory::Budget>& budget) {
  if (file_bytes < kTrailerBytes + 4)
    refuse_file("it is no Parquet file: " + std::to_string(file_bytes) + " bytes long");
  int64_t tail_bytes = std::min(file_bytes, kTailBytes);
  auto tail = Buffer::allocate(tail_bytes, budget);
  file.read(file_bytes - tail_bytes, tail_bytes, tail->mutable_data());
  const uint8_t* trailer = tail->data() + tail_bytes - kTrailerBytes;
  uint32_t footer_bytes;
  std::memcpy(&footer_bytes, trailer, sizeof footer_bytes);
  if (std::memcmp(trailer + 4, "PARE", 4) == 0) throw_unsupported("encrypted Parquet");
  if (std::memcmp(trailer + 4, "PAR1", 4) != 0)
    refuse_file("it is no Parquet file: the magic number at its end is missing");
  if (footer_bytes > file_bytes - kTrailerBytes - 4) refuse_file("its footer is longer than the file");
  if (footer_bytes + kTrailerBytes > tail_bytes) {
    tail_bytes = footer_bytes + kTrailerBytes;
    tail = Buffer::allocate(tail_bytes, budget);
    file.read(file_bytes - tail_bytes, tail_bytes, tail->mutable_data());
  }
  const uint8_t* data = tail->data() + tail_bytes - kTrailerBytes - footer_bytes;
  return {std::move(tail), data, footer_bytes};
}

/// Returns the first byte of a chunk, as parquet-mr's ColumnChunkMetaData.getStartingPos.
int64_t first_byte(const parquet::ColumnChunkMetaData& chunk) {
  const int64_t data = chunk.data_page_offset();
  if (!chunk.has_dictionary_page() || chunk.dictionary_page_offset() <= 0) return data;
  return std::min(data, chunk.dictionary_page_offset());
}

/// Adds as Java does.
int64_t wrapping_sum(int64_t lhs, int64_t rhs) {
  int64_t sum;
  static_cast<void>(__builtin_add_overflow(lhs, rhs, &sum));
  return sum;
}

/// Finds to which splits row groups belong, as parquet-mr's ParquetMetadataConverter.filterFileMetaDataByMidpoint.
class Midpoints {
 public:
  Midpoints(const Footer& footer, const parquet::FileMetaData& metadata) : footer_(footer), metadata_(metadata) {}

  int64_t of(int row_group) {
    const auto group = metadata_.RowGroup(row_group);
    if (group->num_columns() == 0) refuse_file("a row group has no columns");
    const auto chunk = group->ColumnChunk(0);
    int64_t start = chunk->data_page_offset();
    // Even where the offset is 0, which stands for none where pages are read.
    if (chunk->has_dictionary_page()) start = std::min(start, chunk->dictionary_page_offset());
    return wrapping_sum(start, num_bytes_of(*group, row_group) / 2);
  }

 private:
  int64_t num_bytes_of(const parquet::RowGroupMetaData& group, int row_group) {
    if (group.total_compressed_size() != 0) return group.total_compressed_size();
    int64_t num_bytes = 0;
    for (int i = 0; i < group.num_columns(); ++i) {
      num_bytes = wrapping_sum(num_bytes, group.ColumnChunk(i)->total_compressed_size());
    }
    return num_bytes == 0 || is_sized(row_group) ? 0 : num_bytes;
  }

  bool is_sized(int row_group) {
    if (sized_.empty()) sized_ = sized_row_groups({footer_.data, static_cast<size_t>(footer_.num_bytes)});
    if (static_cast<size_t>(row_group) >= sized_.size()) refuse_file("its footer is corrupt");
    return sized_[static_cast<size_t>(row_group)];
  }

  const Footer& footer_;
  const parquet::FileMetaData& metadata_;
  std::vector<bool> sized_;  ///< empty: not asked for yet
};

void read_row_groups(ParquetFile& file, const Footer& footer) {
  const parquet::FileMetaData& metadata = *file.metadata;
  Midpoints midpoints(footer, metadata);
  int64_t total_rows = 0;
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const auto group = metadata.RowGroup(i);
    if (group->num_columns() != metadata.num_columns()) refuse_file("a row group's columns are not the schema's");
    if (group->num_rows() < 0 || __builtin_add_overflow(total_rows, group->num_rows(), &total_rows)) {
      refuse_file("a row group's number of rows is out of range");
    }
    file.row_groups.push_back({group->num_rows(), midpoints.of(i)});
  }
  if (total_rows != metadata.num_rows()) refuse_file("its row groups do not add up to its number of rows");
}

/// Refuses columns of types that Parquet does not have, read or not: parquet-mr opens no such file.
void check_column_types(const parquet::FileMetaData& metadata) {
  for (int i = 0; i < metadata.num_columns(); ++i) {
    if (metadata.schema()->Column(i)->physical_type() == parquet::Type::UNDEFINED)
      refuse_file("a column's type is unknown");
  }
}

/// Checks a column that every scan can see, so that counting rows notices a broken footer.
void check_first_column(const ParquetFile& file) {
  if (file.metadata->num_columns() == 0) return;
  const auto& descriptor = *file.metadata->schema()->Column(0);
  if (descriptor.max_repetition_level() > 0) return;
  for (size_t i = 0; i < file.row_groups.size(); ++i) {
    if (file.metadata->RowGroup(static_cast<int>(i))->ColumnChunk(0)->num_values() != file.row_groups[i].num_rows) {
      refuse_file("a column has other rows than its row group");
    }
  }
}

bool is_supported(parquet::Encoding::type encoding) {
  using parquet::Encoding;
  static constexpr std::array kSupported = {Encoding::PLAIN,
                                            Encoding::PLAIN_DICTIONARY,
                                            Encoding::RLE_DICTIONARY,
                                            Encoding::RLE,
                                            Encoding::BIT_PACKED,
                                            Encoding::BYTE_STREAM_SPLIT,
                                            Encoding::DELTA_BINARY_PACKED,
                                            Encoding::DELTA_LENGTH_BYTE_ARRAY,
                                            Encoding::DELTA_BYTE_ARRAY};
  return std::find(kSupported.begin(), kSupported.end(), encoding) != kSupported.end();
}

void check_chunk_support(const parquet::ColumnChunkMetaData& chunk) {
  if (chunk.crypto_metadata()) throw_unsupported("encrypted Parquet columns");
  if (!chunk.file_path().empty()) throw_unsupported("column chunks in another file");
  if (!chunk.can_decompress()) throw_unsupported("compression codec " + std::to_string(chunk.compression()));
  for (const auto encoding : chunk.encodings()) {
    if (!is_supported(encoding)) throw_unsupported("Parquet encoding " + std::to_string(encoding));
  }
}

/// Returns where a leaf column's chunk lies, having checked what the footer says about it.
ChunkRange locate_leaf(const ParquetFile& file, int row_group, int leaf) {
  const auto group = file.metadata->RowGroup(row_group);
  const auto chunk = group->ColumnChunk(leaf);
  check_chunk_support(*chunk);
  if (chunk->type() != file.metadata->schema()->Column(leaf)->physical_type())
    refuse_file("a column chunk is of another type");
  // Sizes may lack the header of the dictionary page (PARQUET-816), and how Spark reads on depends on its reader.
  if (file.metadata->writer_version().VersionLt(parquet::ApplicationVersion::PARQUET_816_FIXED_VERSION())) {
    throw_unsupported("a file of parquet-mr before 1.2.9");
  }
  const ChunkRange range{first_byte(*chunk), chunk->total_compressed_size()};
  const int64_t file_bytes = file.identity.size_bytes;
  if (range.offset < 0 || range.num_bytes < 0 || range.offset > file_bytes ||
      range.num_bytes > file_bytes - range.offset) {
    refuse_file("a column chunk lies outside the file");
  }
  return range;
}

void check_chunks(const ParquetFile& file) {
  for (const FileColumn& column : file.columns) {
    try {
      for (const FileColumn* stored : stored_columns(column)) {
        for (size_t i = 0; i < file.row_groups.size(); ++i) locate_chunk(file, static_cast<int>(i), *stored);
      }
    } catch (Error& error) {
      error.with_context("column " + column.name);
      throw;
    }
  }
}

void parse_file(ParquetFile& file, const LocalFile& local, const ScanSpec& spec,
                const std::shared_ptr<memory::Budget>& budget) {
  const Footer footer = read_footer(local, file.identity.size_bytes, budget);
  file.footer_memory = memory::Reservation(budget, footer.num_bytes * kParsedFactor);
  file.metadata = parquet::FileMetaData::Make(footer.data, footer.num_bytes, thrift_limits(footer.num_bytes));
  if (file.metadata->is_encryption_algorithm_set()) throw_unsupported("encrypted Parquet");
  check_column_types(*file.metadata);
  read_row_groups(file, footer);
  check_first_column(file);
  file.columns = map_columns(spec, *file.metadata, file.uri);
  check_chunks(file);
}

}  // namespace

std::shared_ptr<const ParquetFile> read_parquet_file(const std::string& uri, const ScanSpec& spec,
                                                     const std::shared_ptr<memory::Budget>& budget) {
  const LocalFile local(uri);
  auto file = std::make_shared<ParquetFile>();
  file->uri = uri;
  file->identity = local.identity();
  try {
    parse_file(*file, local, spec, budget);
  } catch (Error& error) {
    if (error.message().find(uri) == std::string::npos) error.with_context("can't read " + uri);
    throw;
  } catch (const std::exception& error) {
    refuse_file("can't read " + uri + ": its footer is corrupt: " + error.what());
  }
  return file;
}

ChunkRange locate_chunk(const ParquetFile& file, int row_group, const FileColumn& column) {
  const ChunkRange range = locate_leaf(file, row_group, column.leaf);
  if (file.metadata->schema()->Column(column.leaf)->max_repetition_level() > 0) return range;
  const auto group = file.metadata->RowGroup(row_group);
  if (group->ColumnChunk(column.leaf)->num_values() != file.row_groups[static_cast<size_t>(row_group)].num_rows) {
    refuse_file("a column has other rows than its row group");
  }
  return range;
}

}  // namespace accelerant::io
