#pragma once

#include "columns/batch.h"
#include "memory/budget.h"
#include "types/data_type.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::io {

/// A column of a file to be written.
struct WriteColumn {
  std::string name;
  types::DataType type;
  bool nullable = true;
};

/// What to write, apart from the rows and the file.
struct WriteSpec {
  std::vector<WriteColumn> columns;
  std::string spark_version;                    ///< e.g. "4.3.0"
  std::map<std::string, std::string> settings;  ///< Hadoop's and Spark's that may concern files, by name
};

/// Says whether values of a type can be written.
bool is_writable(const types::DataType& type);

/// Says why a setting keeps the engine from writing files; empty when it does not.
std::string reason_against_write_setting(std::string_view name, std::string_view value);

/// Checks that files can be written to a folder with these settings. Does not look at the types of columns.
/// @param folder URI as Spark has it
/// @throws Error Unsupported naming the setting or the file system
void check_write(const WriteSpec& spec, const std::string& folder);

/// A file that is being written. One thread at a time.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  /// Appends rows [offset, offset + length) of a batch that has no selection and no errors.
  /// @throws Error Resource naming the file; rows that come after that are dropped
  virtual void write(const columns::Batch& batch, int64_t offset, int64_t length) = 0;
  /// Completes the file, unless a write failed: what is left then is no valid file. Called once.
  /// @throws Error Resource naming the file
  virtual void close() = 0;
};

/// Creates a Parquet file as Spark would write it, and its folder when that is missing.
/// @param uri of a local file; one that exists is overwritten
/// @throws Error Unsupported as check_write, Resource naming the file
std::unique_ptr<FileWriter> open_parquet_writer(const WriteSpec& spec, const std::string& uri,
                                                const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
