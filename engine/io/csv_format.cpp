#include "io/csv_format.h"

#include "io/csv_parser.h"
#include "io/line_dataset.h"

#include <utility>

namespace accelerant::io {

std::shared_ptr<const Dataset> open_csv(std::shared_ptr<const ScanSpec> spec,
                                        std::vector<std::vector<FileSplit>> partitions, int,
                                        const std::shared_ptr<memory::Budget>& budget) {
  LineFormat format;
  format.separator = dynamic_cast<const CsvOptions&>(*spec->options).line_separator;
  format.make_parser = [](const ScanSpec& of, const execution::OperatorContext& ctx) {
    return std::make_unique<CsvParser>(of, ctx);
  };
  return open_lines(std::move(spec), std::move(partitions), std::move(format), budget);
}

}  // namespace accelerant::io
