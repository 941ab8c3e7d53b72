// libFuzzer target: definition levels and dictionary indices. Read at once or in pieces, passed over or not, they are
// the same.
#include "base/bits.h"
#include "base/error.h"
#include "fuzz_input.h"
#include "io/definition_levels.h"
#include "io/run_decoder.h"

#include <vector>

namespace accelerant::fuzz {

namespace {

constexpr int64_t kMostValues = 4096;

std::vector<uint32_t> read_indices(const PaddedBytes& bytes, int bit_width, int64_t n) {
  io::RunDecoder decoder;
  decoder.reset(bytes.data(), bytes.num_bytes(), bit_width);
  std::vector<uint32_t> indices(static_cast<size_t>(n));
  decoder.read(n, indices.data());
  return indices;
}

void feed_indices(const PaddedBytes& bytes, int bit_width, int64_t n, int64_t piece) {
  const std::vector<uint32_t> whole = read_indices(bytes, bit_width, n);
  io::RunDecoder decoder;
  decoder.reset(bytes.data(), bytes.num_bytes(), bit_width);
  std::vector<uint32_t> part(static_cast<size_t>(piece));
  for (int64_t done = 0; done + 2 * piece <= n; done += 2 * piece) {
    decoder.read(piece, part.data());
    require(std::equal(part.begin(), part.end(), whole.begin() + done));
    decoder.skip(piece);
  }
}

void feed_levels(const PaddedBytes& bytes, int64_t n, int64_t piece) {
  std::vector<uint8_t> whole(static_cast<size_t>(bits::bytes_for(n)));
  std::vector<uint8_t> pieces(whole.size());
  io::DefinitionLevels levels;
  levels.reset(bytes.data(), bytes.num_bytes());
  const int64_t num_values = levels.read(n, whole.data(), 0);
  require(num_values == bits::count(whole.data(), 0, n));
  levels.reset(bytes.data(), bytes.num_bytes());
  for (int64_t done = 0; done < n; done += piece) {
    const int64_t count = std::min(piece, n - done);
    if (levels.skip_if_all_valid(count)) {
      io::set_bits(pieces.data(), done, count);
    } else {
      levels.read(count, pieces.data(), done);
    }
  }
  require(pieces == whole);
  levels.reset(bytes.data(), bytes.num_bytes());
  require(levels.skip(n) == num_values);
}

}  // namespace

}  // namespace accelerant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant::fuzz;
  FuzzInput input(data, size);
  const auto bit_width = static_cast<int>(input.choose(40));
  const auto n = static_cast<int64_t>(input.take<uint16_t>()) % kMostValues + 1;
  const auto piece = static_cast<int64_t>(input.take<uint8_t>()) + 1;
  const PaddedBytes bytes(input.rest());
  try {
    feed_indices(bytes, bit_width, n, piece);
  } catch (const accelerant::Error&) {
  }
  try {
    feed_levels(bytes, n, piece);
  } catch (const accelerant::Error&) {
  }
  return 0;
}
