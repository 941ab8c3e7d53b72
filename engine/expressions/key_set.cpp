#include "expressions/key_set.h"

#include "base/error.h"
#include "base/mix_bits.h"

#include <algorithm>
#include <array>
#include <bit>

namespace accelerant::expressions {

using columns::Column;
using types::PhysicalType;

namespace {

/// Bits of a set that has one for every number between its bounds: at most this many, a mebibyte of a core's cache, or
/// this many a value.
constexpr uint64_t kMaxSmallBits = uint64_t{1} << 23;
constexpr uint64_t kMaxBitsPerValue = 64;

/// Bits of a Bloom filter for each value: with four bits set, about two of a hundred others pass.
constexpr uint64_t kBloomBitsPerValue = 12;

constexpr uint64_t kNumPatterns = 1024;

/// Words with four bits set: to shift one there for each value costs more than to look the word up.
constexpr std::array<uint64_t, kNumPatterns> kPatterns = [] {
  std::array<uint64_t, kNumPatterns> patterns{};
  for (uint64_t i = 0; i < kNumPatterns; ++i) {
    uint64_t random = mix_bits(i + 1);
    while (std::popcount(patterns[i]) < 4) {
      patterns[i] |= uint64_t{1} << (random >> 58);
      random = mix_bits(random);
    }
  }
  return patterns;
}();

/// Four bits of a word, from the upper bits of a hash; the lower ones choose the word.
uint64_t bits_of(uint64_t hash) { return kPatterns[hash >> 54]; }

uint64_t words_of_bloom(uint64_t num_values) { return std::bit_ceil(num_values * kBloomBitsPerValue / 64 + 1); }

/// Calls `body` with the values of a flat column.
template <class Body>
void with_values(const Column& column, const Body& body) {
  switch (column.physical()) {
    case PhysicalType::Int8:
      return body(column.values<int8_t>());
    case PhysicalType::Int16:
      return body(column.values<int16_t>());
    case PhysicalType::Int32:
      return body(column.values<int32_t>());
    case PhysicalType::Int64:
      return body(column.values<int64_t>());
    case PhysicalType::Null:
    case PhysicalType::Bool:
    case PhysicalType::Int128:
    case PhysicalType::Float32:
    case PhysicalType::Float64:
    case PhysicalType::String:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      throw Error(ErrorKind::Internal, "no set of keys of type " + column.type().to_string());
  }
}

}  // namespace

bool KeySet::supports(const types::DataType& type) {
  using types::TypeId;
  return type.is_integral() || type.is(TypeId::Date) || type.is(TypeId::Timestamp) || type.is(TypeId::TimestampNtz);
}

int64_t number_at(const Column& column, int64_t row) {
  int64_t number = 0;
  with_values(column, [&](const auto* values) { number = values[row]; });
  return number;
}

KeySet::KeySet(const Column& keys, const std::shared_ptr<memory::Budget>& budget) {
  const memory::Reservation reservation(budget, keys.length() * static_cast<int64_t>(sizeof(int64_t)));
  std::vector<int64_t> values;
  values.reserve(static_cast<size_t>(keys.length()));
  with_values(keys, [&](const auto* all) {
    for (int64_t row = 0; row < keys.length(); ++row) {
      if (!keys.is_null(row)) values.push_back(all[row]);
    }
  });
  if (values.empty()) return;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  min_ = *min;
  max_ = *max;
  const uint64_t span = static_cast<uint64_t>(max_) - static_cast<uint64_t>(min_);
  if (span >= std::max(kMaxSmallBits, kMaxBitsPerValue * values.size())) {
    allocate_bloom(values.size(), budget);
    for (const int64_t value : values) add_to_bloom(value);
  } else {
    allocate(span / 64 + 1, budget);
    add_bits(values);
  }
}

int64_t KeySet::bloom_bytes(int64_t num_values) {
  return static_cast<int64_t>(words_of_bloom(static_cast<uint64_t>(num_values)) * sizeof(uint64_t));
}

KeySet::KeySet(int64_t num_values, const std::shared_ptr<memory::Budget>& budget) {
  allocate_bloom(static_cast<uint64_t>(num_values), budget);
}

void KeySet::add(const Column& keys) {
  with_values(keys, [&](const auto* values) {
    for (int64_t row = 0; row < keys.length(); ++row) {
      if (keys.is_null(row)) continue;
      min_ = std::min<int64_t>(min_, values[row]);
      max_ = std::max<int64_t>(max_, values[row]);
      add_to_bloom(values[row]);
    }
  });
}

void KeySet::allocate(uint64_t num_words, const std::shared_ptr<memory::Budget>& budget) {
  words_ = memory::Buffer::allocate_zeroed(static_cast<int64_t>(num_words * sizeof(uint64_t)), budget);
}

void KeySet::allocate_bloom(uint64_t num_values, const std::shared_ptr<memory::Budget>& budget) {
  const uint64_t num_words = words_of_bloom(num_values);
  allocate(num_words, budget);
  is_bloom_ = true;
  mask_ = num_words - 1;
}

void KeySet::add_bits(const std::vector<int64_t>& values) {
  auto* words = words_->mutable_as<uint64_t>();
  for (const int64_t value : values) {
    const uint64_t bit = static_cast<uint64_t>(value) - static_cast<uint64_t>(min_);
    words[bit / 64] |= uint64_t{1} << (bit % 64);
  }
}

inline void KeySet::add_to_bloom(int64_t value) {
  const uint64_t hash = mix_bits(static_cast<uint64_t>(value));
  words_->mutable_as<uint64_t>()[hash & mask_] |= bits_of(hash);
}

inline bool KeySet::contains(int64_t value) const {
  const uint64_t bit = static_cast<uint64_t>(value) - static_cast<uint64_t>(min_);
  if (bit > static_cast<uint64_t>(max_) - static_cast<uint64_t>(min_)) return false;
  const auto* words = words_->as<uint64_t>();
  if (is_bloom_) {
    const uint64_t hash = mix_bits(static_cast<uint64_t>(value));
    const uint64_t bits = bits_of(hash);
    return (words[hash & mask_] & bits) == bits;
  }
  return words[bit / 64] >> (bit % 64) & 1;
}

template <class T>
void KeySet::keep(const T* values, const Column& column, std::vector<int32_t>& rows) const {
  const bool may_have_nulls = column.may_have_nulls();
  size_t kept = 0;
  for (const int32_t row : rows) {
    rows[kept] = row;
    kept += contains(values[row]) && !(may_have_nulls && column.is_null(row));
  }
  rows.resize(kept);
}

/// Asks once for each value of a dictionary.
void KeySet::keep_codes(const Column& column, std::vector<int32_t>& rows) const {
  const Column& dictionary = *column.child_values();
  std::vector<int32_t> codes(static_cast<size_t>(dictionary.length()));
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<int32_t>(i);
  keep_members(dictionary, codes);
  std::vector<uint8_t> is_member(static_cast<size_t>(dictionary.length()));
  for (const int32_t code : codes) is_member[static_cast<size_t>(code)] = 1;
  std::erase_if(
      rows, [&](int32_t row) { return column.is_null(row) || !is_member[static_cast<size_t>(column.indices()[row])]; });
}

void KeySet::keep_members(const Column& column, std::vector<int32_t>& rows) const {
  if (is_empty() || rows.empty()) return rows.clear();
  if (column.is_dictionary()) return keep_codes(column, rows);
  if (column.is_constant()) {
    if (column.is_null(0) || !contains(number_at(*column.child_values(), 0))) rows.clear();
    return;
  }
  with_values(column, [&](const auto* values) { keep(values, column, rows); });
}

}  // namespace accelerant::expressions
