// libFuzzer target: our decompressor of snappy against Arrow's: the same bytes, or both refuse.
#include "fuzz_input.h"
#include "io/snappy.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant;
  static const auto codec = *arrow::util::Codec::Create(arrow::Compression::SNAPPY);
  fuzz::FuzzInput input(data, size);
  const size_t wanted = input.take<uint16_t>();
  const auto from = std::vector<uint8_t>(input.rest().begin(), input.rest().end());
  // No more than is wanted lies behind them, so that ASan sees who writes further.
  std::vector<uint8_t> ours(wanted);
  std::vector<uint8_t> theirs(wanted);
  const bool is_made = io::decompress_snappy(from, ours);
  const auto made =
      codec->Decompress(static_cast<int64_t>(from.size()), from.data(), static_cast<int64_t>(wanted), theirs.data());
  fuzz::require(is_made == (made.ok() && *made == static_cast<int64_t>(wanted)));
  fuzz::require(!is_made || ours == theirs);
  return 0;
}
