#pragma once

#include "columns/batch.h"
#include "types/data_type.h"

#include <cstdint>
#include <map>
#include <string>
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

}  // namespace accelerant::io
