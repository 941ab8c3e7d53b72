#include "io/read_settings.h"

#include "base/error.h"
#include "io/csv_read_settings.h"
#include "io/orc_read_settings.h"
#include "io/parquet_read_settings.h"

#include <algorithm>

namespace accelerant::io {

std::span<const FormatSetting> read_settings(FileFormat format) {
  switch (format) {
    case FileFormat::Parquet:
      return kParquetReadSettings;
    case FileFormat::Json:
    case FileFormat::Text:
      return {};
    case FileFormat::Csv:
      return kCsvReadSettings;
    case FileFormat::Orc:
      return kOrcReadSettings;
  }
  throw Error(ErrorKind::Internal, "no such format of files");
}

bool is_read_setting(std::string_view name) {
#define ACC_LIST_FORMAT(format, spark_class, open, take_options) FileFormat::format,
  constexpr FileFormat kFormats[] = {ACC_FILE_FORMATS(ACC_LIST_FORMAT)};
#undef ACC_LIST_FORMAT
  return std::ranges::any_of(kFormats, [name](FileFormat format) {
    return std::ranges::find(read_settings(format), name, &FormatSetting::name) != read_settings(format).end();
  });
}

}  // namespace accelerant::io
