#include "base/error.h"
#include "io/csv_options.h"
#include "io/json_format.h"
#include "io/orc_read_options.h"
#include "io/parquet_read_options.h"
#include "io/read_options.h"
#include "io/scan.h"
#include "io/text_format.h"

#include <string_view>

namespace accelerant::io {

namespace {

/// Options that choose files and schemas (Spark is done with that), or how files are written.
constexpr std::string_view kHarmlessOptions[] = {
    "basepath",
    "compression",
    "mergeschema",
    "modifiedafter",
    "modifiedbefore",
    "partitionoverwritemode",
    "path",
    "paths",
    "pathglobfilter",
    "recursivefilelookup",
    "serialization.format",
};

/// Options that choose the files of each batch of a streaming query, and one that Spark sets for these files.
constexpr std::string_view kStreamingOptions[] = {
    "__globpaths__",  "cleansource", "discardcachedinputratio", "filenameonly",     "latestfirst", "maxbytespertrigger",
    "maxcachedfiles", "maxfileage",  "maxfilespertrigger",      "sourcearchivedir",
};

void take_format_options(ReadOptions& options, ScanSpec& spec) {
  switch (spec.format) {
#define ACC_TAKE_OPTIONS(name, spark_class, open, take_options) \
  case FileFormat::name:                                        \
    return take_options(options, spec);
    ACC_FILE_FORMATS(ACC_TAKE_OPTIONS)
#undef ACC_TAKE_OPTIONS
  }
  throw Error(ErrorKind::Internal, "no such format of files");
}

}  // namespace

void take_read_options(ReadOptions& options, ScanSpec& spec) {
  for (const std::string_view name : kHarmlessOptions) options.ignore(name);
  for (const std::string_view name : kStreamingOptions) options.ignore(name);
  options.require("ignorecorruptfiles", "false");
  options.require("ignoremissingfiles", "false");
  take_format_options(options, spec);
  options.finish();
}

}  // namespace accelerant::io
