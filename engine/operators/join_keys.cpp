#include "operators/join_keys.h"

#define XXH_INLINE_ALL
#include "columns/gather.h"
#include "types/floating.h"
#include "types/integers.h"

#include <xxhash.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

namespace {

/// Bytes that a key takes in a packed one; 9 where it can't be packed.
int packed_width(const types::DataType& type) {
  const PhysicalType physical = type.physical();
  const bool can_pack = physical != PhysicalType::String && !type.is_nested() && !type.is(types::TypeId::Null);
  return can_pack ? std::min(types::width_of(physical), 9) : 9;
}

bool can_pack(const std::vector<types::DataType>& types) {
  return std::transform_reduce(types.begin(), types.end(), 0, std::plus<>(), packed_width) <= 8;
}

uint64_t bits_of(int8_t value) { return static_cast<uint8_t>(value); }
uint64_t bits_of(int16_t value) { return static_cast<uint16_t>(value); }
uint64_t bits_of(int32_t value) { return static_cast<uint32_t>(value); }
uint64_t bits_of(int64_t value) { return static_cast<uint64_t>(value); }
uint64_t bits_of(int128 value) { return static_cast<uint64_t>(value); }  // of a decimal of up to 18 digits
uint64_t bits_of(float value) { return __builtin_bit_cast(uint32_t, types::normalize_nan_and_zero(value)); }
uint64_t bits_of(double value) { return __builtin_bit_cast(uint64_t, types::normalize_nan_and_zero(value)); }

}  // namespace

JoinKeys::JoinKeys(std::vector<types::DataType> types)
    : types_(std::move(types)), is_packed_(can_pack(types_)), encoder_(types_) {}

void JoinKeys::encode(const std::vector<ColumnPtr>& keys, int64_t num_rows,
                      const std::shared_ptr<memory::Budget>& budget) {
  nulls_.clear();
  num_rows_ = num_rows;
  std::vector<ColumnPtr> flat;
  for (const ColumnPtr& key : keys) flat.push_back(columns::flatten(key, budget));
  for (const ColumnPtr& key : flat) note_nulls(*key);
  if (is_packed_) {
    packed_.assign(static_cast<size_t>(num_rows), 0);
    int shift = 0;
    for (size_t k = 0; k < flat.size(); ++k) {
      pack(*flat[k], shift);
      shift += packed_width(types_[k]) * 8;
    }
  } else {
    encoder_.encode(flat, num_rows);
    hash_bytes();
  }
}

void JoinKeys::pack(const Column& key, int shift) {
  const auto add = [&]<class T>(const T* values) {
    for (size_t row = 0; row < packed_.size(); ++row) packed_[row] |= bits_of(values[row]) << shift;
  };
  switch (key.physical()) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return add(key.values<int8_t>());
    case PhysicalType::Int16:
      return add(key.values<int16_t>());
    case PhysicalType::Int32:
      return add(key.values<int32_t>());
    case PhysicalType::Int64:
      return add(key.values<int64_t>());
    case PhysicalType::Int128:
      return add(key.values<int128>());
    case PhysicalType::Float32:
      return add(key.values<float>());
    case PhysicalType::Float64:
      return add(key.values<double>());
    default:
      return;
  }
}

void JoinKeys::note_nulls(const Column& key) {
  if (!key.may_have_nulls()) return;
  nulls_.resize(static_cast<size_t>(num_rows_));
  for (size_t row = 0; row < nulls_.size(); ++row) nulls_[row] |= key.is_null(static_cast<int64_t>(row));
}

void JoinKeys::hash_bytes() {
  hashes_.resize(static_cast<size_t>(num_rows_));
  for (size_t row = 0; row < hashes_.size(); ++row) {
    const std::string_view key = encoder_.key(static_cast<int64_t>(row));
    hashes_[row] = XXH3_64bits(key.data(), key.size());
  }
}

KeyBounds JoinKeys::bounds() const {
  KeyBounds bounds;
  for (size_t row = 0; row < packed_.size(); ++row) {
    if (!is_null(static_cast<int64_t>(row))) bounds.add({packed_[row], packed_[row]});
  }
  return bounds;
}

int64_t JoinKeys::memory_bytes() const {
  return static_cast<int64_t>(packed_.capacity() * sizeof(uint64_t) + hashes_.capacity() * sizeof(uint64_t) +
                              nulls_.capacity()) +
         encoder_.memory_bytes();
}

}  // namespace accelerant::operators
