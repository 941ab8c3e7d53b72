#pragma once

#include <parquet/schema.h>

#include <string>
#include <unordered_map>

namespace accelerant::io {

/// The fields of a group of a file's schema by name.
class FileFields {
 public:
  FileFields(const parquet::schema::GroupNode& group, bool case_sensitive);

  /// Returns the field; nullptr where there is none.
  /// @throws Error Unsupported where several have the name
  const parquet::schema::Node* find(const std::string& name) const;

 private:
  std::string key(const std::string& name) const;

  const bool case_sensitive_;
  std::unordered_map<std::string, const parquet::schema::Node*> by_name_;  ///< nullptr: several have the name
};

/// Returns what Java makes of a name in small letters, by which Spark finds fields where case does not matter.
std::string lower_case(const std::string& name);

}  // namespace accelerant::io
