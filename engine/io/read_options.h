#pragma once

#include "types/data_type.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::io {

struct ScanSpec;

/// The name by which the version of Spark, e.g. 4.3.0, is asked for as if it were a setting.
inline constexpr std::string_view kSparkVersion = "spark.version";

/// The options of one read of files, with the session behind them. Whoever honours an option takes it; one that nobody
/// takes is refused. Names are in lower case.
class ReadOptions {
 public:
  /// Returns the value of a setting, e.g. spark.sql.csv.filterPushdown.enabled, or else its default.
  using Setting = std::function<std::string(std::string_view name, std::string_view otherwise)>;

  /// @param data_schema the columns of the files, in their order
  ReadOptions(const std::vector<std::pair<std::string_view, std::string_view>>& options, Setting setting,
              const std::vector<types::Field>& data_schema);

  /// Takes an option; nothing where it is not given.
  /// @throws Error Unsupported where its value looks like a secret, and so did not come along
  std::optional<std::string> take(std::string_view name);
  /// Takes an option that may be given by either name, of which the first one counts.
  std::optional<std::string> take(std::string_view name, std::string_view other_name);
  /// Takes an option that is true or false, in any case.
  /// @throws Error Unsupported for any other value
  bool take_flag(std::string_view name, bool otherwise);
  /// Takes an option that may only have one value, in any case.
  /// @throws Error Unsupported naming the option
  void require(std::string_view name, std::string_view value);
  /// Takes all options whose names begin so; returns their names.
  std::vector<std::string> take_those(std::string_view prefix);
  /// Takes an option that says nothing of what is read.
  void ignore(std::string_view name);
  /// @throws Error Unsupported where its value looks like a secret, and so did not come along
  std::string setting(std::string_view name, std::string_view otherwise) const;
  const std::vector<types::Field>& data_schema() const { return data_schema_; }
  /// Throws Error Unsupported for an option that nobody took.
  void finish() const;

 private:
  std::map<std::string, std::string, std::less<>> left_;
  const Setting setting_;
  const std::vector<types::Field>& data_schema_;
};

/// Throws Error Unsupported that names an option and its value.
[[noreturn]] void refuse_option(std::string_view name, std::string_view value);

/// Returns a text with its ASCII letters in lower case.
std::string lower_ascii(std::string_view text);

/// Takes all options of a read of `spec.format` and notes in `spec` what they say.
/// @throws Error Unsupported naming an option, or a setting in its place, that is not honoured
void take_read_options(ReadOptions& options, ScanSpec& spec);

}  // namespace accelerant::io
