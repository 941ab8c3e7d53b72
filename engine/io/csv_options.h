#pragma once

#include "io/read_options.h"
#include "io/scan.h"

#include <optional>
#include <string>

namespace accelerant::io {

/// What the options of a read say of CSV files.
struct CsvOptions final : FormatOptions {
  std::optional<char> line_separator;  ///< nothing: each of \n, \r\n and \r
  char delimiter = ',';
  char quote = '"';    ///< \0: there is none
  char escape = '\\';  ///< of a quote within quotes; \0: there is none
  /// What an escape is escaped by; univocity's parser drops it from values in quotes. \0: it is the escape itself.
  char escape_of_escape = '\0';
  bool has_header = false;
  bool trims_begin = false;  ///< of what is not in quotes
  bool trims_end = false;    ///< likewise
  std::string null_value;
  std::string empty_value;  ///< what "" stands for
  /// Whether values are read as Spark reads them by default; by a pattern, Spark's code alone does.
  bool has_plain_dates = true;
  bool has_plain_timestamps = true;
  bool has_plain_local_timestamps = true;
};

/// Takes the options of reading CSV, as take_read_options does.
void take_csv_options(ReadOptions& options, ScanSpec& spec);

}  // namespace accelerant::io
