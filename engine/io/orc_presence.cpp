#include "io/orc_presence.h"

#include "base/bits.h"

#include <numeric>

namespace accelerant::io {

using memory::Buffer;

OrcRows OrcPresence::read(int64_t n) {
  if (!bits_) return {n, n, nullptr, nullptr};
  const auto valid = Buffer::allocate(n, budget_);
  bits_->read(n, valid->mutable_data());
  const int64_t num_values = std::accumulate(valid->data(), valid->data() + n, int64_t{0});
  if (num_values == n) return {n, n, nullptr, nullptr};
  const auto validity = Buffer::allocate_zeroed(bits::bytes_for(n), budget_);
  bits::pack(valid->data(), n, validity->mutable_data());
  return {n, num_values, valid, validity};
}

}  // namespace accelerant::io
