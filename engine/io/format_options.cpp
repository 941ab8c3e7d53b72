#include "base/error.h"
#include "io/read_options.h"
#include "io/scan.h"

#include <string_view>

namespace accelerant::io {

// The formats' own functions: the list alone names them here.
#define ACC_DECLARE_TAKE_OPTIONS(name, spark_class, open, take_options) decltype(take_read_options) take_options;
ACC_FILE_FORMATS(ACC_DECLARE_TAKE_OPTIONS)
#undef ACC_DECLARE_TAKE_OPTIONS

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

/// Options that only CSV files ask for; people set them for other files, too.
constexpr std::string_view kCsvOptions[] = {
    "comment",
    "delimiter",
    "emptyvalue",
    "enforceschema",
    "escape",
    "escapequotes",
    "header",
    "inferschema",
    "maxcolumns",
    "nullvalue",
    "preferdate",
    "quote",
    "quoteall",
    "sep",
    "chartoescapequoteescaping",
    "maxcharspercolumn",
    "ignoreleadingwhitespace",
    "ignoretrailingwhitespace",
    "unescapedquotehandling",
};

/// Options that only files of text ask for.
constexpr std::string_view kTextOptions[] = {
    "charset",
    "columnnameofcorruptrecord",
    "dateformat",
    "encoding",
    "linesep",
    "locale",
    "mode",
    "multiline",
    "nanvalue",
    "negativeinf",
    "positiveinf",
    "primitivesasstring",
    "samplingratio",
    "timestampformat",
    "timestampntzformat",
    "timezone",
    "wholetext",
};

/// Leaves out options of other formats, which the scan's does not know.
void ignore_others(ReadOptions& options, FileFormat format) {
  if (format != FileFormat::Csv) {
    for (const std::string_view name : kCsvOptions) options.ignore(name);
  }
  if (format == FileFormat::Parquet || format == FileFormat::Orc) {
    for (const std::string_view name : kTextOptions) options.ignore(name);
  }
}

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
  ignore_others(options, spec.format);
  take_format_options(options, spec);
  options.finish();
}

}  // namespace accelerant::io
