#include "io/parquet_read_options.h"

#include <string>
#include <string_view>

namespace accelerant::io {

namespace {

/// Takes a mode of old dates, or the session's where the read has none, in lower case.
std::string rebase_mode(ReadOptions& options, std::string_view name, std::string_view setting) {
  return lower_ascii(options.take(name).value_or(options.setting(setting, "CORRECTED")));
}

}  // namespace

void take_parquet_options(ReadOptions& options, ScanSpec& spec) {
  const std::string dates = rebase_mode(options, "datetimerebasemode", "spark.sql.parquet.datetimeRebaseModeInRead");
  const std::string int96 = rebase_mode(options, "int96rebasemode", "spark.sql.parquet.int96RebaseModeInRead");
  spec.may_have_old_dates = dates != "corrected";
  spec.may_have_old_timestamps = spec.may_have_old_dates || int96 != "corrected";
}

}  // namespace accelerant::io
