#pragma once

#include "io/orc_integers.h"
#include "io/orc_presence.h"
#include "io/orc_stripe_data.h"

#include <utility>

namespace accelerant::io {

/// Returns what says which rows of a field are null.
inline OrcPresence orc_presence(const OrcField& field, const OrcStripeData& data) {
  std::optional<OrcBits> bits;
  if (data.has(field, OrcStreamKind::Present)) bits.emplace(data.bytes(field, OrcStreamKind::Present));
  return {std::move(bits), data.budget()};
}

/// Returns a stream of integers of a field.
inline OrcIntegers orc_integers(const OrcField& field, const OrcStripeData& data, OrcStreamKind kind, bool is_signed) {
  return {data.bytes(field, kind), is_signed, data.encoding(field).is_second_version};
}

}  // namespace accelerant::io
