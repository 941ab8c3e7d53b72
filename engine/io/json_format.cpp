#include "io/json_format.h"

#include "base/error.h"
#include "columns/gather.h"
#include "io/json_options.h"
#include "io/json_parser.h"
#include "io/line_dataset.h"
#include "io/line_lists.h"
#include "io/spark_lines.h"

#include <cstdint>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using types::StringRef;

namespace {

const JsonOptions& options_of(const ScanSpec& spec) { return dynamic_cast<const JsonOptions&>(*spec.options); }

/// Returns the columns that Spark requires of the files: Spark's parser gives rows of them.
const std::vector<types::Field>& required_columns(const ScanSpec& spec) {
  return spec.line_parser->output_type(0).fields()[0].type.fields();
}

/// Returns those of them that lines have; `place_of` gets where each of them is there, -1 for what they have not.
std::vector<types::Field> members_of_lines(const ScanSpec& spec, std::vector<int>& place_of) {
  std::vector<types::Field> members;
  for (const types::Field& column : required_columns(spec)) {
    const bool is_there = column.name != options_of(spec).corrupt_column;
    place_of.push_back(is_there ? static_cast<int>(members.size()) : -1);
    if (is_there) members.push_back(column);
  }
  return members;
}

JsonReading reading_of(const ScanSpec& spec) {
  JsonReading reading = options_of(spec).reading;
  reading.zone = spec.zone;
  return reading;
}

/// Parses lines of JSON for one worker.
class JsonLineParser final : public LineParser {
 public:
  JsonLineParser(const ScanSpec& spec, const execution::OperatorContext& ctx)
      : spec_(spec),
        ctx_(ctx),
        parser_(members_of_lines(spec, place_of_), reading_of(spec), ctx.budget),
        spark_(spec, ctx) {}

  Batch parse(const LineBlock& block) override {
    parse_plain(block);
    Batch batch;
    batch.num_rows = parser_.num_rows();
    const ColumnPtr rows = parser_.finish();
    for (const ScanColumn& column : spec_.columns) {
      const bool is_in_files = column.required_index >= 0;
      batch.columns.push_back(is_in_files ? member(*rows, column) : nullptr);
    }
    return odd_lines_.empty() ? batch : put_odd(std::move(batch));
  }

 private:
  /// Parses lines, with a row of nulls for each odd one.
  void parse_plain(const LineBlock& block) {
    parser_.clear();
    odd_lines_.clear();
    odd_rows_.clear();
    for (const StringRef& line : block.lines) {
      if (parser_.parse(line) != JsonLine::Odd) continue;
      odd_lines_.push_back(line);
      odd_rows_.push_back(static_cast<int32_t>(parser_.num_rows()));
      parser_.append_null();
    }
  }

  ColumnPtr member(const Column& rows, const ScanColumn& column) const {
    const int place = place_of_[static_cast<size_t>(column.required_index)];
    if (place < 0) return columns::flatten(Column::nulls(column.type, rows.length(), ctx_.budget), ctx_.budget);
    return rows.children()[static_cast<size_t>(place)];
  }

  Batch put_odd(Batch batch) {
    const Batch lists = spark_.compute(odd_lines_);
    return put_lists(std::move(batch), lists, odd_rows_, spec_, ctx_.budget);
  }

  const ScanSpec& spec_;
  const execution::OperatorContext& ctx_;
  std::vector<int> place_of_;  ///< by position in the required columns: the member of a line's row, or -1
  JsonParser parser_;
  SparkLines spark_;
  std::vector<StringRef> odd_lines_;
  std::vector<int32_t> odd_rows_;  ///< where they stand in the batch
};

}  // namespace

std::shared_ptr<const Dataset> open_json(std::shared_ptr<const ScanSpec> spec,
                                         std::vector<std::vector<FileSplit>> partitions, int,
                                         const std::shared_ptr<memory::Budget>& budget) {
  if (!spec->line_parser) throw_unsupported("JSON that Spark's own code may not parse");
  std::vector<int> place_of;
  const bool is_all_lines = members_of_lines(*spec, place_of).empty() && !place_of.empty();
  if (is_all_lines) throw_unsupported("only the column of lines that can't be read");
  LineFormat format;
  format.separator = options_of(*spec).separator;
  format.make_parser = [](const ScanSpec& of, const execution::OperatorContext& ctx) {
    return std::make_unique<JsonLineParser>(of, ctx);
  };
  return open_lines(std::move(spec), std::move(partitions), std::move(format), budget);
}

}  // namespace accelerant::io
