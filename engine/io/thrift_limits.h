#pragma once

#include <parquet/properties.h>

#include <algorithm>
#include <cstdint>

namespace accelerant::io {

/// What Arrow parsed, a footer or an index, takes some times the bytes of the serialised one.
inline constexpr int64_t kParsedFactor = 8;

/// Returns properties for parsing `num_bytes` serialised bytes: every list and string in them is shorter. Arrow takes
/// memory for as many elements as a list says that it has before it reads one.
inline parquet::ReaderProperties thrift_limits(int64_t num_bytes) {
  parquet::ReaderProperties properties;
  const auto limited = [num_bytes](int32_t by_default) {
    return static_cast<int32_t>(std::min<int64_t>(num_bytes, by_default));
  };
  properties.set_thrift_string_size_limit(limited(properties.thrift_string_size_limit()));
  properties.set_thrift_container_size_limit(limited(properties.thrift_container_size_limit()));
  return properties;
}

}  // namespace accelerant::io
