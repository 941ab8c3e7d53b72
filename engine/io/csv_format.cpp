#include "io/csv_format.h"

#include "base/error.h"
#include "io/csv_parser.h"
#include "io/line_dataset.h"

#include <algorithm>
#include <utility>

namespace accelerant::io {

std::shared_ptr<const Dataset> open_csv(std::shared_ptr<const ScanSpec> spec,
                                        std::vector<std::vector<FileSplit>> partitions, int,
                                        const std::shared_ptr<memory::Budget>& budget) {
  const auto is_in_files = [](const ScanColumn& column) { return column.required_index >= 0; };
  if (!spec->line_parser && std::ranges::any_of(spec->columns, is_in_files)) {
    throw_unsupported("CSV that Spark's own code may not parse");
  }
  LineFormat format;
  format.separator = dynamic_cast<const CsvOptions&>(*spec->options).line_separator;
  format.make_parser = [](const ScanSpec& of, const execution::OperatorContext& ctx) {
    return std::make_unique<CsvParser>(of, ctx);
  };
  return open_lines(std::move(spec), std::move(partitions), std::move(format), budget);
}

}  // namespace accelerant::io
