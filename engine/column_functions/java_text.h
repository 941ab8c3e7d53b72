#pragma once

#include "column_functions/definition.h"
#include "columns/column.h"
#include "types/string_view.h"

namespace accelerant::column_functions {

/// Says whether java.lang.String has a text's bytes as they are.
bool is_utf8(types::StringRef text);

/// Returns an argument of strings as java.lang.String has them, which puts U+FFFD for bytes that are not UTF-8; the
/// argument itself where that changes no row that counts.
columns::ColumnPtr as_java_text(const ColumnCall& call, size_t argument);

}  // namespace accelerant::column_functions
