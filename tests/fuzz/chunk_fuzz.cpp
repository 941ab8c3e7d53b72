// libFuzzer target: the pages of a column chunk, of any kind of column, in any codec, in pieces, all rows or some.
#include "base/error.h"
#include "fuzz_chunks.h"

#include <utility>
#include <vector>

namespace accelerant::fuzz {

namespace {

constexpr int64_t kBudgetBytes = int64_t{64} << 20;
void feed(const io::FileColumn& column, FuzzInput& input) {
  io::ChunkSource chunk = take_chunk(input, column);
  const int64_t num_rows = chunk.num_rows;
  const int64_t batch_rows = input.take<uint8_t>() + 1;
  const size_t step = input.choose(16);
  const auto budget = std::make_shared<memory::Budget>("ParquetScan", kBudgetBytes);
  take_bytes(input, budget, chunk);
  io::ChunkReader reader(std::move(chunk), budget);
  for (int64_t done = 0; done < num_rows; done += batch_rows) {
    const int64_t n = std::min(batch_rows, num_rows - done);
    if (step == 0) {
      require(reader.read(n)->length() == n);
    } else if (done / batch_rows % 3 == 2) {
      reader.skip(n);
    } else {
      std::vector<int32_t> rows;
      for (int64_t row = 0; row < n; row += static_cast<int64_t>(step)) rows.push_back(static_cast<int32_t>(row));
      require(reader.read_at(rows, n)->length() == static_cast<int64_t>(rows.size()));
    }
  }
}

}  // namespace

}  // namespace accelerant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant;
  fuzz::FuzzInput input(data, size);
  io::FileColumn column = fuzz::take_column(input);
  column.is_optional = input.choose(2) == 1;
  try {
    fuzz::feed(column, input);
  } catch (const Error& error) {
    fuzz::require(error.kind() != ErrorKind::Internal);
    fuzz::require(error.message().find("page ") != std::string::npos);
  }
  return 0;
}
