#pragma once

#include "io/read_options.h"
#include "io/scan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::io {

/// What a scan of ORC files is told beside its columns.
struct OrcReadOptions final : FormatOptions {
  /// Java's time zone, in which timestamps are stored and read.
  std::string time_zone = "UTC";
  int64_t zone_epoch = 1'420'070'400;     ///< the second at which 2015 begins there, from which timestamps count
  bool reads_batches = true;              ///< by Spark's vectorized reader
  bool reads_instants = true;             ///< Spark knows timestamps with a local time zone, as from 4.3 on
  std::vector<types::Field> data_schema;  ///< the columns of the files as the table has them

  friend bool operator==(const OrcReadOptions& a, const OrcReadOptions& b) {
    return a.time_zone == b.time_zone && a.zone_epoch == b.zone_epoch && a.reads_batches == b.reads_batches &&
           a.reads_instants == b.reads_instants && a.data_schema == b.data_schema;
  }
};

/// Takes the options of a read of ORC files, Hadoop's configuration among them.
/// @throws Error Unsupported naming one that is not honoured
void take_orc_options(ReadOptions& options, ScanSpec& spec);

/// Says whether a time zone is UTC by one of its names.
bool is_utc(std::string_view time_zone);

}  // namespace accelerant::io
