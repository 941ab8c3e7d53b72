#include "io/text_format.h"

#include "columns/column.h"
#include "io/line_dataset.h"
#include "io/line_separator.h"
#include "types/string_view.h"

#include <utility>

namespace accelerant::io {

using columns::Batch;
using types::StringRef;
using types::StringView;

namespace {

struct TextOptions final : FormatOptions {
  std::optional<char> separator;
};

/// Returns lines as a column that shares their bytes.
columns::ColumnPtr column_of(const LineBlock& block, const std::shared_ptr<memory::Budget>& budget) {
  columns::FlatBuilder builder(types::DataType(types::TypeId::String), types::PhysicalType::String,
                               static_cast<int64_t>(block.lines.size()), budget);
  auto* views = builder.values<StringView>();
  for (const StringRef& line : block.lines) {
    const auto offset = static_cast<int32_t>(line.data - reinterpret_cast<const char*>(block.bytes->data()));
    *views++ =
        line.length <= StringView::kMaxInlineBytes ? types::inline_view(line) : types::heap_view(line, 0, offset);
  }
  if (block.bytes) builder.set_heap({block.bytes});
  return builder.finish();
}

class TextParser final : public LineParser {
 public:
  TextParser(const ScanSpec& spec, const execution::OperatorContext& ctx) : spec_(spec), ctx_(ctx) {}

  Batch parse(const LineBlock& block) override {
    Batch batch;
    batch.num_rows = static_cast<int64_t>(block.lines.size());
    for (const ScanColumn& column : spec_.columns) {
      batch.columns.push_back(column.required_index >= 0 ? column_of(block, ctx_.budget) : nullptr);
    }
    return batch;
  }

 private:
  const ScanSpec& spec_;
  const execution::OperatorContext& ctx_;
};

}  // namespace

void take_text_options(ReadOptions& options, ScanSpec& spec) {
  auto text = std::make_shared<TextOptions>();
  options.require("wholetext", "false");
  text->separator = take_line_separator(options);
  options.require("encoding", "utf-8");
  spec.options = std::move(text);
}

std::shared_ptr<const Dataset> open_text(std::shared_ptr<const ScanSpec> spec,
                                         std::vector<std::vector<FileSplit>> partitions, int,
                                         const std::shared_ptr<memory::Budget>& budget) {
  LineFormat format;
  format.separator = dynamic_cast<const TextOptions&>(*spec->options).separator;
  format.make_parser = [](const ScanSpec& of, const execution::OperatorContext& ctx) {
    return std::make_unique<TextParser>(of, ctx);
  };
  return open_lines(std::move(spec), std::move(partitions), std::move(format), budget);
}

}  // namespace accelerant::io
