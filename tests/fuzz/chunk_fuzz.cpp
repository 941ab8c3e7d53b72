// libFuzzer target: the pages of a column chunk, of any kind of column, in any codec, in pieces, all rows or some.
#include "base/error.h"
#include "fuzz_columns.h"
#include "fuzz_input.h"
#include "io/chunk_reader.h"

#include <array>
#include <vector>

namespace accelerant::fuzz {

namespace {

constexpr int64_t kBudgetBytes = int64_t{64} << 20;
constexpr std::array kCodecs = {parquet::Compression::UNCOMPRESSED, parquet::Compression::SNAPPY,
                                parquet::Compression::GZIP,         parquet::Compression::ZSTD,
                                parquet::Compression::LZ4,          parquet::Compression::LZ4_HADOOP};

void feed(const io::FileColumn& column, FuzzInput& input) {
  const auto codec = kCodecs[input.choose(kCodecs.size())];
  const bool always_compressed = input.choose(16) == 0;
  const int64_t num_rows = input.take<uint16_t>() % 4096 + 1;
  const int64_t batch_rows = input.take<uint8_t>() + 1;
  const size_t step = input.choose(16);
  const auto budget = std::make_shared<memory::Budget>("ParquetScan", kBudgetBytes);
  const auto bytes = memory::Buffer::allocate(static_cast<int64_t>(input.rest().size()), budget);
  std::ranges::copy(input.rest(), bytes->mutable_data());
  io::ChunkReader reader({&column, bytes, 0, bytes->size_bytes(), num_rows, codec, always_compressed, {}}, budget);
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
