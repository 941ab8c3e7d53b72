// libFuzzer target: the pages of the two leaves of a list of structs, in pieces, all rows, some or none.
#include "base/error.h"
#include "fuzz_chunks.h"
#include "io/nested_column.h"
#include "io/nested_reader.h"

#include <utility>
#include <vector>

namespace accelerant::fuzz {

namespace {

constexpr int64_t kBudgetBytes = int64_t{64} << 20;

/// Makes a list of structs of two columns, all of which may be null.
io::FileColumn list_of_pairs(const io::FileColumn& first, const io::FileColumn& second) {
  const types::DataType pair = types::DataType::structure({{"first", first.type, true}, {"second", second.type, true}});
  io::FileColumn list;
  list.name = "c";
  list.type = types::DataType::array(pair, true);
  auto nested = std::make_shared<io::NestedColumn>();
  for (const io::FileColumn& column : {first, second}) nested->leaves.push_back({column, 1, 4, 2, true});
  const io::NestedField element{pair, 1, 2, 3, 0, {{first.type, 1, 2, 4, 0}, {second.type, 1, 2, 4, 1}}};
  nested->root = {list.type, 0, 0, 1, 0, {element}};
  list.nested = std::move(nested);
  return list;
}

/// Takes the chunks of both leaves, which share the bytes that are left.
std::vector<io::ChunkSource> take_chunks(const io::FileColumn& column, FuzzInput& input,
                                         const std::shared_ptr<memory::Budget>& budget) {
  std::vector<io::ChunkSource> chunks;
  for (const io::NestedLeaf& leaf : column.nested->leaves) {
    io::ChunkSource chunk = take_chunk(input, leaf.column);
    chunk.num_entries = int64_t{input.take<uint16_t>()};
    chunks.push_back(std::move(chunk));
  }
  const int64_t split = input.take<uint16_t>();
  for (io::ChunkSource& chunk : chunks) take_bytes(input, budget, chunk);
  chunks[0].num_bytes = std::min(split, chunks[0].num_bytes);
  chunks[1].offset = chunks[0].num_bytes;
  chunks[1].num_bytes -= chunks[0].num_bytes;
  return chunks;
}

void feed(const io::FileColumn& column, FuzzInput& input) {
  const int64_t batch_rows = input.take<uint8_t>() + 1;
  const auto budget = std::make_shared<memory::Budget>("ParquetScan", kBudgetBytes);
  std::vector<io::ChunkSource> chunks = take_chunks(column, input, budget);
  const int64_t num_rows = chunks[0].num_rows;
  io::NestedReader reader(column, std::move(chunks), budget);
  for (int64_t done = 0; done < num_rows; done += batch_rows) {
    const int64_t n = std::min(batch_rows, num_rows - done);
    if (done / batch_rows % 4 == 2) {
      reader.skip(n);
    } else if (done / batch_rows % 4 == 3) {
      std::vector<int32_t> rows;
      for (int64_t row = n / 3; row < n; row += 3) rows.push_back(static_cast<int32_t>(row));
      require(reader.read_at(rows, n)->length() == static_cast<int64_t>(rows.size()));
    } else {
      require(reader.read(n)->length() == n);
    }
  }
}

}  // namespace

}  // namespace accelerant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant;
  fuzz::FuzzInput input(data, size);
  const io::FileColumn first = fuzz::take_column(input);
  const io::FileColumn second = fuzz::take_column(input);
  const io::FileColumn column = fuzz::list_of_pairs(first, second);
  try {
    fuzz::feed(column, input);
  } catch (const Error& error) {
    fuzz::require(error.kind() != ErrorKind::Internal);
  }
  return 0;
}
