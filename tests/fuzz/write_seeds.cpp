// Writes what fuzzers start from: `write_seeds FOLDER` leaves a folder for each of them, named after it. Files are
// those of the unit tests; pages are taken out of them. What stands before the bytes are the choices that a fuzzer
// takes.
#include "base/error.h"
#include "fuzz_columns.h"
#include "fuzz_nested.h"
#include "io/nested_column.h"
#include "io/page_reader.h"
#include "io/parquet_file.h"
#include "io/parquet_writer.h"
#include "io/test_files.h"
#include "io/test_nested_files.h"
#include "io/test_orc_files.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace accelerant::fuzz {

namespace {

using io::test::FileOptions;
using io::test::TestColumn;
using parquet::Compression;
using parquet::Encoding;

constexpr int64_t kNumRows = 100;
constexpr int64_t kBudgetBytes = int64_t{1} << 30;

class SeedFolder {
 public:
  explicit SeedFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Writes a seed: choices, then bytes.
  void write(const std::string& fuzzer, const std::string& choices, const std::string& bytes) {
    const auto path = folder_ / fuzzer;
    std::filesystem::create_directories(path);
    std::ofstream file(path / std::to_string(count_++), std::ios::binary);
    file << choices << bytes;
    if (!file.flush()) throw Error(ErrorKind::Resource, "can't write seeds to " + path.string());
  }

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

std::string one_byte(size_t choice) { return std::string(1, static_cast<char>(choice)); }
std::string two_bytes(int64_t number) { return one_byte(number & 0xff) + one_byte(static_cast<size_t>(number >> 8)); }

/// The choice that take_column makes this column of; nothing where it would have another width.
std::optional<size_t> choice_of(const io::FileColumn& column) {
  for (size_t i = 0; i < kColumnKinds.size(); ++i) {
    const bool is_fixed = column.kind >= io::ValueKind::FixedBytes;
    if (kColumnKinds[i].kind == column.kind && (!is_fixed || kColumnKinds[i].stored_bytes == column.stored_bytes))
      return i;
  }
  return std::nullopt;
}

/// Writes the values of a chunk's pages, and their indices into a dictionary.
void write_pages(SeedFolder& seeds, size_t column, const std::string& chunk, Compression::type codec) {
  const PaddedBytes bytes({reinterpret_cast<const uint8_t*>(chunk.data()), chunk.size()});
  io::PageReader pages(bytes.data(), bytes.num_bytes(), codec, false,
                       std::make_shared<memory::Budget>("seeds", kBudgetBytes));
  for (int64_t rows = 0; rows < kNumRows;) {
    const io::PageHeader& header = pages.next();
    const io::PageBody body = pages.body();
    const std::string values(reinterpret_cast<const char*>(body.data), static_cast<size_t>(body.num_bytes));
    if (header.is_data()) rows += header.num_values;
    const auto encoding = static_cast<size_t>(header.encoding);
    if (encoding == Encoding::RLE_DICTIONARY && !values.empty()) {
      seeds.write("level_fuzz", values.substr(0, 1) + two_bytes(header.num_values - 1) + one_byte(3), values.substr(1));
      const std::string choices = one_byte(1) + one_byte(1) + two_bytes(header.num_values) + values.substr(0, 1);
      seeds.write("device_page_fuzz", choices, values.substr(1));
    } else if (header.is_data()) {
      const std::string choices = one_byte(column) + one_byte(encoding) + two_bytes(header.num_values - 1);
      seeds.write("value_fuzz", choices + one_byte(2), values);
      if (encoding == Encoding::DELTA_BINARY_PACKED) {
        seeds.write("device_page_fuzz", one_byte(2) + one_byte(1) + two_bytes(header.num_values) + one_byte(0), values);
      }
    }
  }
}

/// The choice that take_chunk makes this codec of.
size_t choice_of(Compression::type codec) {
  return codec == Compression::UNCOMPRESSED ? 0 : codec == Compression::SNAPPY ? 1 : codec == Compression::GZIP ? 2 : 3;
}

/// Writes one column's chunk, and what is in it.
void write_chunk(SeedFolder& seeds, const io::FileColumn& column, const std::string& chunk, Compression::type codec) {
  const auto choice = choice_of(column);
  if (!choice) return;
  seeds.write("page_header_fuzz", "", chunk);
  const std::string choices = one_byte(*choice) + one_byte(column.is_optional);
  const std::string footer = choices + one_byte(choice_of(codec)) + one_byte(1) + two_bytes(kNumRows - 1);
  for (const size_t step : {size_t{0}, size_t{3}}) {
    seeds.write("chunk_fuzz", footer + one_byte(29) + one_byte(step), chunk);
  }
  seeds.write("device_chunk_fuzz", footer + one_byte(1), chunk);
  if (!column.is_optional) write_pages(seeds, *choice, chunk, codec);
}

/// Writes a file of the column that scans filter by and one or some others, with a filter and without one.
void write_scan(SeedFolder& seeds, std::span<const TestColumn> columns, size_t first, const FileOptions& options) {
  std::vector<TestColumn> stored = {io::test::long_column("key", [](int64_t row) { return row % 90; })};
  std::string chosen = one_byte(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    stored.push_back(columns[i]);
    chosen += one_byte(first + i);
  }
  const std::string bytes = io::test::write_parquet(stored, options);
  const std::string rest = one_byte(64) + one_byte(first % 2);
  seeds.write("scan_fuzz", chosen + one_byte(0) + rest, bytes);
  seeds.write("scan_fuzz", chosen + one_byte(1) + one_byte(first) + one_byte(40) + rest, bytes);
}

void write_scans(SeedFolder& seeds, const std::vector<TestColumn>& columns, FileOptions options) {
  options.num_rows = 60;
  options.plain_columns = {"key"};
  for (size_t i = 0; i + 2 < columns.size(); i += 2) write_scan(seeds, std::span(columns).subspan(i, 2), i, options);
  // Indexes and dictionaries are looked at where there are some thousand rows.
  options.num_rows = 4200;
  options.group_rows = 4200;
  options.page_bytes = 2000;
  options.page_index = true;
  options.bloom_filters = {"key"};
  write_scan(seeds, std::span(columns).first(0), 0, options);
}

void write_compressed(SeedFolder& seeds, const std::string& bytes) {
  const auto codec = arrow::util::Codec::Create(arrow::Compression::SNAPPY).ValueOrDie();
  const auto num_bytes = static_cast<int64_t>(bytes.size());
  std::vector<uint8_t> compressed(static_cast<size_t>(codec->MaxCompressedLen(num_bytes, nullptr)));
  const auto length = codec->Compress(num_bytes, reinterpret_cast<const uint8_t*>(bytes.data()),
                                      static_cast<int64_t>(compressed.size()), compressed.data());
  const std::string block(compressed.begin(), compressed.begin() + *length);
  seeds.write("snappy_fuzz", two_bytes(num_bytes), block);
  seeds.write("device_page_fuzz", one_byte(0) + one_byte(1) + two_bytes(num_bytes) + one_byte(0), block);
}

void write_file(SeedFolder& seeds, const std::vector<TestColumn>& columns, const FileOptions& options) {
  write_scans(seeds, columns, options);
  const std::string bytes = io::test::write_parquet(columns, options);
  write_compressed(seeds, bytes.substr(0, 4000));
  const io::test::TemporaryFile file(bytes);
  const auto spec = io::test::spec_of(columns);
  const auto read = io::read_parquet_file(file.uri(), *spec, std::make_shared<memory::Budget>("seeds", kBudgetBytes));
  for (const io::FileColumn& column : read->columns) {
    const io::ChunkRange range = io::locate_chunk(*read, 0, column);
    write_chunk(seeds, column, bytes.substr(static_cast<size_t>(range.offset), static_cast<size_t>(range.num_bytes)),
                options.codec);
  }
}

/// Returns the bytes of a file of a bigint column and some of nested types.
std::string nested_file(std::span<const columns::ColumnPtr> nested, size_t first,
                        const std::map<std::string, std::string>& settings) {
  std::vector<std::optional<int64_t>> keys;
  for (int64_t row = 0; row < nested[0]->length(); ++row) keys.emplace_back(row);
  io::WriteSpec spec{{{"key", types::DataType(types::TypeId::Long)}}, "4.3.0", settings};
  columns::Batch batch;
  batch.num_rows = nested[0]->length();
  batch.columns = {columns::test::make_longs(keys)};
  for (size_t i = 0; i < nested.size(); ++i) {
    spec.columns.push_back({nested_name(first + i), nested[i]->type()});
    batch.columns.push_back(nested[i]);
  }
  const io::test::TemporaryFile file("");
  const auto writer = io::open_parquet_writer(spec, file.uri(), columns::test::unlimited());
  writer->write(batch, 0, batch.num_rows);
  writer->close();
  std::ifstream written(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(written), {}};
}

/// Writes files of nested columns, in lists of three levels and of two, with a filter and without one.
void write_nested_scans(SeedFolder& seeds) {
  const std::vector<columns::ColumnPtr> all = nested_columns(60);
  const std::string rest = one_byte(16) + one_byte(1);
  for (size_t i = 0; i + 2 <= all.size(); ++i) {
    const std::string chosen = one_byte(2) + one_byte(i) + one_byte(0) + one_byte(i + 1) + one_byte(0);
    for (const char* legacy : {"false", "true"}) {
      for (const char* codec : {"uncompressed", "snappy"}) {
        const std::string bytes =
            nested_file(std::span(all).subspan(i, 2), i,
                        {{"spark.sql.parquet.writeLegacyFormat", legacy}, {"parquet.compression", codec}});
        seeds.write("nested_scan_fuzz", chosen + one_byte(0) + rest, bytes);
        seeds.write("nested_scan_fuzz", chosen + one_byte(1) + one_byte(1) + one_byte(40) + rest, bytes);
      }
    }
  }
}

/// Writes the chunks of a list of structs.
void write_nested(SeedFolder& seeds, const FileOptions& options) {
  using types::DataType;
  std::mt19937 random(1);
  const DataType pair = DataType::structure(
      {{"first", DataType(types::TypeId::Long), true}, {"second", DataType(types::TypeId::String), true}});
  const auto values = io::test::random_column(DataType::array(pair, true), true, kNumRows, random);
  const TestColumn column = io::test::nested_column("c", values, true);
  const std::string bytes = io::test::write_parquet({column}, options);
  const io::test::TemporaryFile file(bytes);
  const auto read = io::read_parquet_file(file.uri(), *io::test::spec_of({column}),
                                          std::make_shared<memory::Budget>("seeds", kBudgetBytes));
  std::string choices;
  std::string footers = one_byte(29);
  std::string chunks;
  int64_t split = 0;
  for (const io::FileColumn* leaf : io::stored_columns(read->columns[0])) {
    const io::ChunkRange range = io::locate_chunk(*read, 0, *leaf);
    const int64_t num_entries = read->metadata->RowGroup(0)->ColumnChunk(leaf->leaf)->num_values();
    split = static_cast<int64_t>(chunks.size());
    choices += one_byte(choice_of(*leaf).value());
    footers += one_byte(choice_of(options.codec)) + one_byte(1) + two_bytes(kNumRows - 1) + two_bytes(num_entries);
    chunks += bytes.substr(static_cast<size_t>(range.offset), static_cast<size_t>(range.num_bytes));
  }
  seeds.write("nested_fuzz", choices + footers + two_bytes(split), chunks);
}

/// Writes ORC files, with a filter and without one.
void write_orc_scans(SeedFolder& seeds) {
  const auto columns = io::test::orc_columns(60);
  const std::string rest = one_byte(16) + one_byte(1);
  for (const char* codec : {"uncompressed", "lz4_raw", "zstd", "gzip", "snappy"}) {
    for (const double share : {0.0, 1.0}) {
      const std::string bytes = io::test::write_orc(columns, {.codec = codec, .dictionary_share = share});
      seeds.write("orc_scan_fuzz", one_byte(0) + rest, bytes);
      seeds.write("orc_scan_fuzz", one_byte(1) + one_byte(1) + one_byte(40) + rest, bytes);
    }
  }
}

void write_all(SeedFolder& seeds) {
  FileOptions options;
  options.num_rows = kNumRows;
  for (const auto version : {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
    options.page_version = version;
    for (const auto codec : {Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::GZIP, Compression::ZSTD}) {
      options.codec = codec;
      options.dictionary = codec != Compression::GZIP;
      options.page_index = codec == Compression::SNAPPY;
      write_file(seeds, io::test::all_columns(), options);
      write_nested(seeds, options);
    }
  }
  options.dictionary = false;
  options.codec = Compression::UNCOMPRESSED;
  for (const auto encoding : {Encoding::DELTA_BINARY_PACKED, Encoding::DELTA_LENGTH_BYTE_ARRAY,
                              Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT, Encoding::RLE}) {
    options.encoding = encoding;
    write_file(seeds, io::test::columns_for(encoding), options);
  }
  write_nested_scans(seeds);
  write_orc_scans(seeds);
}

}  // namespace

}  // namespace accelerant::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_seeds FOLDER\n";
    return 2;
  }
  accelerant::fuzz::SeedFolder seeds(argv[1]);
  accelerant::fuzz::write_all(seeds);
  return 0;
}
