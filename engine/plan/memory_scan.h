#pragma once

#include "plan/source_of.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace accelerant::plan {

/// Reads rows that only Spark has. They come beside the plan message, under the index `plan_node`: from its memory, or,
/// of an island, while its tasks compute them.
struct MemoryScan final : SourceOf<MemoryScan> {
  /// Binds LocalTableScanExec.
  static Relation bind_local_table(Binding& binding, NodeFields& fields);
  /// Binds InMemoryTableScanExec.
  static Relation bind_cached_relation(Binding& binding, NodeFields& fields);
  /// Binds IslandExec, which stands for operators that stay Spark's.
  static Relation bind_island(Binding& binding, NodeFields& fields);

  /// Where the rows are.
  enum class Place : uint8_t {
    Query,   ///< they came with the query
    Cache,   ///< of a relation, in Spark's own format
    Island,  ///< nowhere yet
  };

  const char* name() const override { return place == Place::Island ? "Island" : "MemoryScan"; }
  std::string describe() const override { return "columns=" + std::to_string(row_type.fields().size()); }

  /// Estimates the bytes of so many rows, for shares of the work.
  int64_t bytes_of(int64_t rows) const {
    return std::clamp<int64_t>(rows, 0, INT32_MAX) * 8 * static_cast<int64_t>(row_type.fields().size());
  }

  types::DataType row_type;  ///< a struct of the columns as Spark names them
  Place place = Place::Query;
};

}  // namespace accelerant::plan
