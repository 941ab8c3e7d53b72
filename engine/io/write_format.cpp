#include "io/write_format.h"

#include "base/error.h"
#include "io/local_file.h"
#include "io/parquet_write_format.h"

#include <algorithm>

namespace accelerant::io {

namespace {

/// One line a format of files that the engine writes: Spark's class, and what writes it.
struct KnownFormat {
  std::string_view spark_class;
  const WriteFormat& (*format)();
};
constexpr KnownFormat kFormats[] = {
    {"org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat", parquet_write_format},
};

}  // namespace

const WriteFormat* find_write_format(std::string_view spark_class) {
  const auto* found = std::ranges::find(kFormats, spark_class, &KnownFormat::spark_class);
  return found == std::end(kFormats) ? nullptr : &found->format();
}

void check_write(const WriteFormat& format, const WriteSpec& spec, const std::string& folder) {
  if (!folder.starts_with("file:")) {
    throw_unsupported("filesystem of " + folder + ": files are written natively by file: alone");
  }
  local_path(folder);
  for (const auto& [name, value] : spec.settings) {
    const std::string reason = format.reason_against_option(name, value);
    if (!reason.empty()) throw_unsupported(reason);
  }
}

}  // namespace accelerant::io
