// libFuzzer target: the values of a page in any encoding, of any kind of column. Read at once or at some places, they
// are the same.
#include "base/error.h"
#include "fuzz_columns.h"
#include "fuzz_input.h"
#include "io/value_decoder.h"
#include "types/string_view.h"

#include <string>
#include <vector>

namespace accelerant::fuzz {

namespace {

constexpr int64_t kMostValues = 2048;
constexpr int64_t kBudgetBytes = int64_t{64} << 20;

/// Values as they lie in a column; strings as texts.
class Values {
 public:
  Values(const io::FileColumn& column, size_t n)
      : is_string_(column.physical() == types::PhysicalType::String),
        width_(static_cast<size_t>(types::width_of(column.physical()))),
        bytes_(std::make_unique<uint8_t[]>(n * width_)) {}

  io::ValueTarget target() { return {bytes_.get(), heap_}; }

  std::string at(size_t i) const {
    const uint8_t* value = bytes_.get() + i * width_;
    if (!is_string_) return std::string(reinterpret_cast<const char*>(value), width_);
    types::StringView view;
    std::memcpy(&view, value, sizeof view);
    const char* text =
        view.is_inline() ? view.inlined : heap_[static_cast<size_t>(view.ref.buffer)]->as<char>() + view.ref.offset;
    return std::string(text, static_cast<size_t>(view.length));
  }

 private:
  bool is_string_;
  size_t width_;
  std::unique_ptr<uint8_t[]> bytes_;
  std::vector<memory::BufferPtr> heap_;
};

/// Some of the places below `n`, ascending.
std::vector<int32_t> some_positions(size_t n, size_t step) {
  std::vector<int32_t> positions;
  for (size_t i = step / 2; i < n; i += step) positions.push_back(static_cast<int32_t>(i));
  return positions;
}

void feed(const io::FileColumn& column, parquet::Encoding::type encoding, FuzzInput& input) {
  const size_t n = input.take<uint16_t>() % kMostValues + 1;
  const size_t step = input.choose(64) + 1;
  const PaddedBytes page(input.rest());
  const auto budget = std::make_shared<memory::Budget>("ParquetScan", kBudgetBytes);
  const auto decoder = io::make_value_decoder(column, budget);
  Values whole(column, n);
  decoder->start_page(encoding, page.data(), page.num_bytes());
  decoder->read(static_cast<int64_t>(n), whole.target());

  const std::vector<int32_t> positions = some_positions(n, step);
  Values some(column, positions.size());
  decoder->start_page(encoding, page.data(), page.num_bytes());
  decoder->read_at(positions, static_cast<int64_t>(n), some.target());
  for (size_t i = 0; i < positions.size(); ++i) require(some.at(i) == whole.at(static_cast<size_t>(positions[i])));

  Values last(column, 1);
  decoder->start_page(encoding, page.data(), page.num_bytes());
  decoder->skip(static_cast<int64_t>(n) - 1);
  decoder->read(1, last.target());
  require(last.at(0) == whole.at(n - 1));
}

}  // namespace

}  // namespace accelerant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant;
  fuzz::FuzzInput input(data, size);
  const io::FileColumn column = fuzz::take_column(input);
  const auto encoding = static_cast<parquet::Encoding::type>(input.choose(parquet::Encoding::BYTE_STREAM_SPLIT + 1));
  try {
    fuzz::feed(column, encoding, input);
  } catch (const Error& error) {
    fuzz::require(error.kind() != ErrorKind::Internal);
  }
  return 0;
}
