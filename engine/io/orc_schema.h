#pragma once

#include "io/orc_metadata.h"
#include "io/orc_read_options.h"
#include "io/scan.h"

#include <cstdint>
#include <vector>

namespace accelerant::io {

/// A column, or a part of a nested one, as a scan wants it, and where a file has it.
struct OrcField {
  types::DataType type;
  int64_t column = -1;  ///< the file's; -1: it lacks it
  OrcKind kind = OrcKind::Struct;
  int64_t most_characters = 0;          ///< of VARCHAR
  std::vector<OrcField> children = {};  ///< members; element; key and value

  bool is_missing() const { return column < 0; }
};

/// Finds a scan's columns in a file by name, as Spark's OrcUtils.requestedColumnIds and ORC's SchemaEvolution do. Those
/// that are not read from files count as missing.
/// @throws Error Unsupported naming the column
std::vector<OrcField> map_orc_columns(const ScanSpec& spec, const OrcMetadata& metadata);

/// Says whether a field is of a kind, or has parts of it.
bool contains(const OrcField& field, OrcKind kind);

}  // namespace accelerant::io
