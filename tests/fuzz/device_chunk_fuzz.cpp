// libFuzzer target: column chunks of any kind of column, in any codec, decoded on the emulated device and by the host:
// the same rows, or both refuse.
#include "base/error.h"
#include "columns/test_columns.h"
#include "device/emulator/emulator.h"
#include "fuzz_chunks.h"
#include "io/encoded_chunk.h"

#include <optional>
#include <string>
#include <vector>

namespace accelerant::fuzz {

namespace {

constexpr int64_t kBudgetBytes = int64_t{256} << 20;

using Rows = std::vector<std::string>;
using BudgetPtr = std::shared_ptr<memory::Budget>;

Rows rows_on_host(const io::ChunkSource& chunk, const BudgetPtr& budget) {
  return columns::test::show(*io::ChunkReader(chunk, budget).read(chunk.num_rows));
}

std::optional<Rows> rows_on_device(const io::ChunkSource& chunk, uint64_t seed, const BudgetPtr& budget) {
  device::emulator::Emulator emulator({device::emulator::Turns::Random, seed, 1});
  const auto stream = emulator.create_stream(budget);
  device::EncodedBatch encoded;
  encoded.num_rows = chunk.num_rows;
  const auto allocate = [&](int64_t bytes, const BudgetPtr& of) {
    return emulator.pinned_memory()->allocate(bytes, of);
  };
  encoded.columns.push_back(io::encode_chunk(chunk, allocate, budget));
  const auto batch = device::decode(*stream, encoded, budget);
  if (!batch) return std::nullopt;
  return columns::test::show(*device::download(*stream, *batch, budget).columns[0]);
}

/// Returns what is read, nullopt where there is an error in the data.
template <class Read>
std::optional<Rows> rows_of(Read read) {
  try {
    return read();
  } catch (const Error& error) {
    require(error.kind() != ErrorKind::Internal);
    return std::nullopt;
  }
}

void feed(const io::FileColumn& column, FuzzInput& input) {
  io::ChunkSource chunk = take_chunk(input, column);
  const auto seed = uint64_t{input.take<uint8_t>()};
  const auto budget = std::make_shared<memory::Budget>("ParquetScan", kBudgetBytes);
  take_bytes(input, budget, chunk);
  const auto expected = rows_of([&] { return std::optional(rows_on_host(chunk, budget)); });
  require(rows_of([&] { return rows_on_device(chunk, seed, budget); }) == expected);
  chunk.bytes = nullptr;
  require(budget->used_bytes() == 0);
}

}  // namespace

}  // namespace accelerant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant::fuzz;
  FuzzInput input(data, size);
  accelerant::io::FileColumn column = take_column(input);
  column.is_optional = input.choose(2) == 1;
  feed(column, input);
  return 0;
}
