#pragma once

#include "io/file_writer.h"
#include "io/format_setting.h"
#include "memory/budget.h"
#include "types/data_type.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace accelerant::io {

/// A format of files that the engine writes as Spark does. Any thread.
class WriteFormat {
 public:
  virtual ~WriteFormat() = default;
  /// Says whether values of a type can be written.
  virtual bool can_write(const types::DataType& type) const = 0;
  /// Returns the settings of sessions that change files.
  virtual std::span<const FormatSetting> settings() const = 0;
  /// Says why an option of a write, or a setting of Hadoop's, keeps the engine from writing files; empty when it does
  /// not.
  virtual std::string reason_against_option(std::string_view name, std::string_view value) const = 0;
  /// Creates a file as Spark would write it, and its folder when that is missing.
  /// @param uri of a local file; one that exists is overwritten
  /// @throws Error Unsupported as check_write, Resource naming the file
  virtual std::unique_ptr<FileWriter> open(const WriteSpec& spec, const std::string& uri,
                                           const std::shared_ptr<memory::Budget>& budget) const = 0;
};

/// Returns the format that Spark writes by a class; nullptr for one that the engine does not write.
const WriteFormat* find_write_format(std::string_view spark_class);

/// Checks that files can be written to a folder with these settings. Does not look at the types of columns.
/// @param folder URI as Spark has it
/// @throws Error Unsupported naming the setting or the file system
void check_write(const WriteFormat& format, const WriteSpec& spec, const std::string& folder);

}  // namespace accelerant::io
