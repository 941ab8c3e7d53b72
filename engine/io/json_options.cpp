#include "io/json_options.h"

#include "base/error.h"
#include "io/contained_type.h"
#include "io/json_format.h"
#include "io/line_separator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace accelerant::io {

using types::DataType;
using types::TypeId;

namespace {

/// Options of inferring schemas and of writing, and those that only make Spark's parser take more or other than plain
/// JSON, which the engine leaves to it.
constexpr std::string_view kHarmlessJsonOptions[] = {
    "allowbackslashescapinganycharacter",
    "allowcomments",
    "allownonnumericnumbers",
    "allownumericleadingzeros",
    "allowsinglequotes",
    "allowunquotedcontrolchars",
    "allowunquotedfieldnames",
    "dropfieldifallnull",
    "enabledatetimeparsingfallback",
    "ignorenullfields",
    "infertimestamp",
    "locale",
    "pretty",
    "prefersdecimal",
    "primitivesasstring",
    "samplingratio",
    "writenonasciicharacterascodepoint",
};

bool has_column_of(const ReadOptions& options, TypeId id) {
  return std::ranges::any_of(options.data_schema(), [id](const auto& field) { return contains(field.type, id); });
}

/// Takes the option that says how texts of a type look: they are read only as they look by themselves.
void take_pattern(ReadOptions& options, std::string_view name, TypeId id) {
  const std::optional<std::string> pattern = options.take(name);
  if (pattern && has_column_of(options, id)) refuse_option(name, *pattern);
}

void take_patterns(ReadOptions& options) {
  take_pattern(options, "dateformat", TypeId::Date);
  take_pattern(options, "timestampformat", TypeId::Timestamp);
  take_pattern(options, "timestampntzformat", TypeId::TimestampNtz);
  const std::string policy = lower_ascii(options.setting("spark.sql.legacy.timeParserPolicy", "corrected"));
  const bool has_times = has_column_of(options, TypeId::Date) || has_column_of(options, TypeId::Timestamp) ||
                         has_column_of(options, TypeId::TimestampNtz);
  if (policy == "legacy" && has_times)
    throw_unsupported("dates and timestamps of JSON by legacy.timeParserPolicy=LEGACY");
}

void take_mode(ReadOptions& options) {
  const std::optional<std::string> mode = options.take("mode");
  if (mode && lower_ascii(*mode) == "failfast") refuse_option("mode", *mode);
}

/// With an encoding, Spark reads characters, and no longer has the bytes of what it takes as a text.
bool take_encoding(ReadOptions& options) {
  const std::optional<std::string> encoding = options.take("encoding", "charset");
  if (!encoding) return false;
  const std::string name = lower_ascii(*encoding);
  if (name != "utf-8" && name != "utf8") refuse_option("encoding", *encoding);
  return true;
}

void check_json_schema(const std::vector<types::Field>& schema, const std::string& corrupt_column) {
  for (const types::Field& field : schema) {
    if (!is_json_type(field.type))
      throw_unsupported("column " + field.name + " of type " + field.type.to_string() + " in JSON");
    if (field.name == corrupt_column && !field.type.is(TypeId::String))
      throw_unsupported("column " + field.name + " of another type than string");
  }
}

}  // namespace

void take_json_options(ReadOptions& options, ScanSpec& spec) {
  auto json = std::make_shared<JsonOptions>();
  for (const std::string_view name : kHarmlessJsonOptions) options.ignore(name);
  options.require("multiline", "false");
  json->separator = take_line_separator(options);
  take_patterns(options);
  take_mode(options);
  const bool is_exact = lower_ascii(options.setting("spark.sql.json.enableExactStringParsing", "true")) == "true";
  json->reading.takes_values_as_text = !take_encoding(options) && is_exact;
  options.ignore("timezone");  // the scan's zone is the one that it says
  json->corrupt_column = options.take("columnnameofcorruptrecord")
                             .value_or(options.setting("spark.sql.columnNameOfCorruptRecord", "_corrupt_record"));
  check_json_schema(options.data_schema(), json->corrupt_column);
  spec.options = std::move(json);
}

}  // namespace accelerant::io
