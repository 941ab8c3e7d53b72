#include "io/parquet_write_format.h"

#include "io/parquet_write_options.h"
#include "io/parquet_writer.h"
#include "io/value_storage.h"

namespace accelerant::io {

namespace {

/// Old dates and times are written by the calendar of ISO, lists with three levels.
constexpr FormatSetting kSessionSettings[] = {
    {"parquet.datetimeRebaseModeInWrite", "CORRECTED"},
    {"parquet.int96RebaseModeInWrite", "CORRECTED"},
    {"parquet.writeLegacyFormat", "false", SettingConcern::NestedColumns},
};

class ParquetWriteFormat final : public WriteFormat {
 public:
  bool can_write(const types::DataType& type) const override { return is_storable(type); }
  std::span<const FormatSetting> settings() const override { return kSessionSettings; }
  std::string reason_against_option(std::string_view name, std::string_view value) const override {
    return reason_against_write_setting(name, value);
  }
  std::unique_ptr<FileWriter> open(const WriteSpec& spec, const std::string& uri,
                                   const std::shared_ptr<memory::Budget>& budget) const override {
    return open_parquet_writer(spec, uri, budget);
  }
};

}  // namespace

const WriteFormat& parquet_write_format() {
  static const ParquetWriteFormat kFormat;
  return kFormat;
}

}  // namespace accelerant::io
