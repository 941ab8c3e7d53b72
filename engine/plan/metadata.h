#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// Returns the keys of a JSON object's first level, or nothing when the text is no JSON object as Spark's Metadata.json
/// writes it.
std::optional<std::vector<std::string>> json_keys(std::string_view json);

/// Returns a key in an attribute's metadata that changes what the attribute is (file metadata columns and the like), or
/// an empty string. @param reads_files the attribute is a column that a scan reads, where defaults of missing columns
/// count as well
std::string meaningful_metadata(std::string_view json, bool reads_files);

}  // namespace accelerant::plan
