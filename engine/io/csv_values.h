#pragma once

#include "columns/column.h"
#include "io/csv_options.h"
#include "memory/budget.h"
#include "types/string_view.h"
#include "types/zone_rules.h"

#include <cstdint>
#include <memory>
#include <span>

namespace accelerant::io {

/// The values of a column as texts, and what they are read with.
struct CsvValues {
  std::span<const types::StringRef> tokens;  ///< one a row; `data` is nullptr where it is null
  const memory::BufferPtr& bytes;            ///< what most of them lie in
  const types::ZoneRules* zone;              ///< the session's; nullptr: unknown
};

/// Says whether values of a type, the way that options ask for, are read here; else only Spark's code reads them.
bool has_csv_values(const types::DataType& type, const CsvOptions& options);

/// Makes a column of values. Where one is not plain (it may be none, or one in a form that Spark knows besides), marks
/// its row in `is_odd`, a byte a row.
/// @throws memory::MemoryWait
columns::ColumnPtr read_csv_values(const types::DataType& type, const CsvValues& values, std::span<uint8_t> is_odd,
                                   const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
