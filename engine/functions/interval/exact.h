#pragma once

#include "functions/error_codes.h"
#include "types/integers.h"

namespace accelerant::functions {

/// Intervals overflow in every mode. Returns a value computed in a wider type, or its low bits and kOutOfRange.
template <class T, class Wide, class E>
ACC_HD T exact_interval(Wide value, E& error) {
  error |= value != static_cast<T>(value) ? static_cast<E>(kOutOfRange) : E{0};
  return static_cast<T>(value);
}

}  // namespace accelerant::functions
