#include "io/parquet_writer_properties.h"

#include "base/version.h"

#include <string>

namespace accelerant::io {

namespace {

/// Levels that parquet-mr takes by default.
constexpr int kZstdLevel = 3;
constexpr int kGzipLevel = 6;

arrow::Compression::type arrow_codec(WriteCodec codec) {
  switch (codec) {
    case WriteCodec::Uncompressed:
      return arrow::Compression::UNCOMPRESSED;
    case WriteCodec::Snappy:
      return arrow::Compression::SNAPPY;
    case WriteCodec::Gzip:
      return arrow::Compression::GZIP;
    case WriteCodec::Lz4:
      return arrow::Compression::LZ4;
    case WriteCodec::Zstd:
      break;
  }
  return arrow::Compression::ZSTD;
}

/// Arrow's statistics leave out NaN, which Spark takes for the greatest value: by them its readers would lose rows.
void disable_misleading_statistics(const std::vector<WriteLeaf>& leaves, parquet::WriterProperties::Builder& builder) {
  for (const WriteLeaf& leaf : leaves) {
    if (leaf.type.is_floating()) builder.disable_statistics(leaf.path);
  }
}

}  // namespace

std::shared_ptr<parquet::WriterProperties> writer_properties(const ParquetWriteOptions& options,
                                                             const std::vector<WriteLeaf>& leaves,
                                                             const std::vector<bool>& dictionaries,
                                                             arrow::MemoryPool* pool) {
  parquet::WriterProperties::Builder builder;
  builder.memory_pool(pool)
      ->created_by("accelerant version " + std::string(kVersion))
      ->version(parquet::ParquetVersion::PARQUET_1_0)
      ->data_page_version(parquet::ParquetDataPageVersion::V1)
      ->compression(arrow_codec(options.codec))
      ->data_pagesize(options.page_bytes)
      ->max_rows_per_page(options.page_rows)
      ->dictionary_pagesize_limit(options.dictionary_page_bytes)
      ->enable_write_page_index();
  if (options.codec == WriteCodec::Zstd) builder.compression_level(kZstdLevel);
  if (options.codec == WriteCodec::Gzip) builder.compression_level(kGzipLevel);
  if (!options.dictionary) builder.disable_dictionary();
  if (options.page_checksums) builder.enable_page_checksum();
  for (const WriteLeaf& leaf : leaves) {
    if (!dictionaries[leaf.column]) builder.disable_dictionary(leaf.path);
  }
  disable_misleading_statistics(leaves, builder);
  return builder.build();
}

}  // namespace accelerant::io
