#pragma once

#include "io/csv_options.h"
#include "types/string_view.h"

#include <cstddef>
#include <span>
#include <vector>

namespace accelerant::io {

/// Splits lines of CSV into the values of columns, as the parser of univocity does where a line is plain: quotes lie
/// around whole values alone, and nothing in them is escaped.
class CsvTokens {
 public:
  /// @param wanted positions of columns in a line, ascending
  /// @param options outlive this
  CsvTokens(const CsvOptions& options, std::vector<int> wanted);

  /// Takes the wanted values out of a line, value i to `tokens[i]`; its `data` is nullptr where it is null. Up to seven
  /// bytes behind the line are read.
  /// @return false where the line is not plain
  bool split(types::StringRef line, types::StringRef* tokens) const;

 private:
  const char* find_delimiter(const char* at, const char* end) const;
  const char* take_quoted(const char* at, const char* end, types::StringRef& token) const;
  bool runs_on(const char* begin, const char* at, const char* end) const;
  bool trim(types::StringRef& token) const;
  types::StringRef unless_null(types::StringRef token) const;

  const CsvOptions& options_;
  const std::vector<int> wanted_;
};

}  // namespace accelerant::io
