#pragma once

#include "io/local_file.h"
#include "io/orc_codec.h"
#include "memory/budget.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accelerant::io {

/// A type's kind; the numbers are the format's.
enum class OrcKind : uint8_t {
  Boolean,
  Byte,
  Short,
  Int,
  Long,
  Float,
  Double,
  String,
  Binary,
  Timestamp,
  List,
  Map,
  Struct,
  Union,
  Decimal,
  Date,
  Varchar,
  Char,
  TimestampInstant,
};

/// A column's type. Columns are numbered from the root on, each before what it is made of.
struct OrcType {
  OrcKind kind = OrcKind::Struct;
  std::vector<uint64_t> children;  ///< columns
  std::vector<std::string> names;  ///< of a struct's children
  int precision = 38;  ///< of decimals; this and the scale are what Java's reader takes where a file has none
  int scale = 10;
  int64_t most_characters = 256;  ///< of VARCHAR, likewise
  std::string spark_type;         ///< what Spark calls it where the format lacks it
};

/// What a file says of the values of a column, in all of it or in a stripe.
struct OrcStatistics {
  std::optional<int64_t> num_values;  ///< that are not null
  int64_t stored_bytes = 0;
  std::optional<int64_t> min;  ///< of integers and dates
  std::optional<int64_t> max;
  std::optional<double> min_floating;  ///< of floating-point numbers
  std::optional<double> max_floating;
  std::optional<int64_t> min_millis;  ///< of timestamps
};

struct OrcStripe {
  int64_t offset = 0;
  int64_t index_bytes = 0;
  int64_t data_bytes = 0;
  int64_t footer_bytes = 0;
  int64_t num_rows = 0;
};

/// What the end of a file says.
struct OrcMetadata {
  OrcCompression compression = OrcCompression::None;
  int64_t block_bytes = 0;
  std::vector<OrcStripe> stripes;
  std::vector<OrcType> types;             ///< by column; the first one is the root's
  std::vector<OrcStatistics> statistics;  ///< by column; may be empty
  int64_t num_rows = 0;
  int64_t statistics_offset = 0;  ///< where the statistics of stripes lie
  int64_t statistics_bytes = 0;
  bool has_old_calendar = true;  ///< its dates before 1582-10-15 are Julian
};

/// Reads the end of a file.
/// @throws Error Unsupported where Spark should say what is wrong with it, or it has what the engine does not read
OrcMetadata read_orc_metadata(const LocalFile& file, int64_t file_bytes, const std::shared_ptr<memory::Budget>& budget);

/// Reads what a file says of the values of some columns, by stripe and in their order; empty where it says nothing.
/// @param columns ascending
/// @throws Error Resource where it is corrupt
std::vector<std::vector<OrcStatistics>> read_orc_stripe_statistics(const LocalFile& file, const OrcMetadata& metadata,
                                                                   const std::vector<int64_t>& columns,
                                                                   const std::shared_ptr<memory::Budget>& budget);

/// What a stream holds; the numbers are the format's.
enum class OrcStreamKind : uint8_t { Present = 0, Data = 1, Length = 2, DictionaryData = 3, Secondary = 5 };

/// How a column is stored in a stripe.
struct OrcEncoding {
  bool has_dictionary = false;
  bool is_second_version = false;  ///< of runs of integers
  uint64_t dictionary_size = 0;
};

struct OrcStream {
  OrcStreamKind kind;
  uint64_t column;
  int64_t offset;  ///< in the file
  int64_t num_bytes;
};

/// What a stripe's footer says.
struct OrcStripeFooter {
  std::vector<OrcStream> streams;      ///< those of values
  std::vector<OrcEncoding> encodings;  ///< by column
  std::string time_zone;               ///< the writer's; empty: unknown
};

/// Reads the footer of a stripe.
/// @throws Error Resource where it is corrupt
OrcStripeFooter read_orc_stripe_footer(const LocalFile& file, const OrcMetadata& metadata, const OrcStripe& stripe,
                                       const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
