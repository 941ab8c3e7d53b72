// libFuzzer target: page headers, one after the other.
#include "fuzz_input.h"
#include "io/page_header.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant;
  // Headers are read without padding: what follows them is checked byte by byte.
  const auto copy = std::make_unique<uint8_t[]>(size);
  if (size > 0) std::memcpy(copy.get(), data, size);
  const uint8* position = copy.get();
  const uint8* const end = position + size;
  io::PageHeader header;
  while (position < end && io::read_page_header(position, end, header)) {
    fuzz::require(position <= end);
    fuzz::require(!header.is_data() || header.num_values >= 0);
    fuzz::require(header.compressed_bytes >= 0 && header.uncompressed_bytes >= 0);
  }
  return 0;
}
