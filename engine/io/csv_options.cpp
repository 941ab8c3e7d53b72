#include "io/csv_options.h"

#include "base/error.h"
#include "io/line_separator.h"

#include <algorithm>
#include <memory>
#include <set>

namespace accelerant::io {

namespace {

/// Options that bear on schemas that Spark finds, on files that it writes, on what it makes of lines that are malformed
/// or of odd values, which are left to it.
constexpr const char* kIgnoredOptions[] = {
    "inferschema",     "samplingratio", "preferdate",
    "escapequotes",    "quoteall",      "codec",
    "inputbuffersize", "extension",     "enabledatetimeparsingfallback",
};

struct OneValue {
  const char* name;
  const char* value;
};
/// Options with the one value that is honoured.
constexpr OneValue kOneValueOptions[] = {
    {"multiline", "false"},    {"mode", "permissive"}, {"encoding", "utf-8"},       {"charset", "utf-8"},
    {"comment", ""},           {"locale", "en-us"},    {"maxcharspercolumn", "-1"}, {"maxcolumns", "20480"},
    {"columnpruning", "true"}, {"nanvalue", "nan"},    {"positiveinf", "inf"},      {"negativeinf", "-inf"},
};

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) <= 0x7f; }

/// Takes an option that is one ASCII character, or empty for none.
char take_character(ReadOptions& options, const char* name, char otherwise) {
  const std::optional<std::string> value = options.take(name);
  if (!value) return otherwise;
  if (value->empty()) return '\0';
  if (value->size() > 1 || !is_ascii(value->front())) refuse_option(name, *value);
  return value->front();
}

char take_delimiter(ReadOptions& options, const CsvOptions& csv) {
  const std::string value = options.take("sep", "delimiter").value_or(",");
  if (value == "\\t") return '\t';
  const bool is_plain =
      value.size() == 1 && is_ascii(value[0]) && (value[0] > ' ' || value[0] == '\t' || value[0] == ' ');
  if (!is_plain || value[0] == '\\' || value[0] == csv.quote || value[0] == csv.escape) refuse_option("sep", value);
  return value[0];
}

/// Refuses schemas with a column for what is malformed, and those that name a column twice.
void check_csv_schema(ReadOptions& options) {
  const std::string corrupt = options.take("columnnameofcorruptrecord")
                                  .value_or(options.setting("spark.sql.columnNameOfCorruptRecord", "_corrupt_record"));
  std::set<std::string> names;
  for (const types::Field& field : options.data_schema()) {
    if (field.name == corrupt) throw_unsupported("column " + corrupt + " of malformed records");
    if (!names.insert(field.name).second) throw_unsupported("two columns named " + field.name + " in text");
  }
}

/// Refuses ways with lone quotes: those in which univocity's parser may read a line by what it read of the one before,
/// and those in which Spark may fail of a line, or of a header, for values that the engine does not look at.
void check_quote_handling(ReadOptions& options) {
  const std::optional<std::string> handling = options.take("unescapedquotehandling");
  const std::string way = lower_ascii(handling.value_or("stop_at_delimiter"));
  if (way != "stop_at_delimiter" && way != "stop_at_closing_quote") refuse_option("unescapedquotehandling", *handling);
}

}  // namespace

void take_csv_options(ReadOptions& options, ScanSpec& spec) {
  auto csv = std::make_shared<CsvOptions>();
  for (const char* name : kIgnoredOptions) options.ignore(name);
  for (const OneValue& option : kOneValueOptions) options.require(option.name, option.value);
  check_quote_handling(options);
  csv->line_separator = take_line_separator(options);
  csv->quote = take_character(options, "quote", '"');
  csv->escape = take_character(options, "escape", '\\');
  // Then univocity's parser begins a value by what it has kept of the last one.
  if (csv->escape == '\0' && csv->quote != '\0') refuse_option("escape", "");
  csv->escape_of_escape = take_character(options, "chartoescapequoteescaping", '\0');
  csv->delimiter = take_delimiter(options, *csv);
  csv->has_header = options.take_flag("header", false);
  csv->trims_begin = options.take_flag("ignoreleadingwhitespace", false);
  csv->trims_end = options.take_flag("ignoretrailingwhitespace", false);
  // Univocity fails of a blank first value where it trims ends alone.
  if (csv->trims_end && !csv->trims_begin) refuse_option("ignoretrailingwhitespace", "true");
  csv->null_value = options.take("nullvalue").value_or("");
  csv->empty_value = options.take("emptyvalue").value_or("");
  // Univocity takes a blank end of a line for the one or the other by how a line before ended.
  if (csv->trims_begin && csv->null_value != csv->empty_value) refuse_option("ignoreleadingwhitespace", "true");
  csv->has_plain_dates = options.take("dateformat").value_or("yyyy-MM-dd") == "yyyy-MM-dd";
  csv->has_plain_timestamps = !options.take("timestampformat");
  csv->has_plain_local_timestamps = !options.take("timestampntzformat");
  if (!options.take_flag("enforceschema", true) && csv->has_header) refuse_option("enforceschema", "false");
  if (lower_ascii(options.setting("spark.sql.legacy.timeParserPolicy", "CORRECTED")) == "legacy") {
    throw_unsupported("setting spark.sql.legacy.timeParserPolicy: set it to CORRECTED to run natively");
  }
  check_csv_schema(options);
  spec.options = std::move(csv);
}

}  // namespace accelerant::io
