#include "operators/join_keys.h"

#define XXH_INLINE_ALL
#include "columns/gather.h"
#include "types/floating.h"
#include "types/integers.h"

#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

namespace {

constexpr int kMaxWords = 2;
constexpr int kWordBits = 64;

/// Bits that a key takes of a word; nullopt where it fits into none.
std::optional<int> packed_bits(const types::DataType& type) {
  const PhysicalType physical = type.physical();
  if (physical == PhysicalType::String || type.is_nested() || type.is(types::TypeId::Null)) return std::nullopt;
  const int bits = types::width_of(physical) * 8;
  return bits <= kWordBits ? std::optional(bits) : std::nullopt;
}

uint64_t bits_of(int8_t value) { return static_cast<uint8_t>(value); }
uint64_t bits_of(int16_t value) { return static_cast<uint16_t>(value); }
uint64_t bits_of(int32_t value) { return static_cast<uint32_t>(value); }
uint64_t bits_of(int64_t value) { return static_cast<uint64_t>(value); }
uint64_t bits_of(int128 value) { return static_cast<uint64_t>(value); }  // of a decimal of up to 18 digits
uint64_t bits_of(float value) { return __builtin_bit_cast(uint32_t, types::normalize_nan_and_zero(value)); }
uint64_t bits_of(double value) { return __builtin_bit_cast(uint64_t, types::normalize_nan_and_zero(value)); }

}  // namespace

JoinKeys::JoinKeys(std::vector<types::DataType> types, std::shared_ptr<memory::Budget> budget)
    : types_(std::move(types)),
      budget_(std::move(budget)),
      encoder_(types_, budget_),
      words_(budget_),
      hashes_(budget_),
      nulls_(budget_) {
  choose_places();
}

/// Puts each key into the first word that has room for it.
void JoinKeys::choose_places() {
  int used[kMaxWords] = {};
  for (const types::DataType& type : types_) {
    const std::optional<int> bits = packed_bits(type);
    int word = 0;
    while (bits && word < kMaxWords && used[word] + *bits > kWordBits) ++word;
    if (!bits || word == kMaxWords) return;
    places_.push_back({word, used[word]});
    used[word] += *bits;
  }
  num_words_ = used[1] > 0 ? 2 : 1;
}

void JoinKeys::encode(const std::vector<ColumnPtr>& keys, int64_t num_rows) {
  nulls_.clear();
  num_rows_ = num_rows;
  std::vector<ColumnPtr> flat;
  for (const ColumnPtr& key : keys) flat.push_back(columns::flatten(key, budget_));
  for (const ColumnPtr& key : flat) note_nulls(*key);
  if (num_words_ > 0) {
    words_.clear();
    words_.append(num_rows * num_words_, 0);
    for (size_t k = 0; k < flat.size(); ++k) pack(*flat[k], places_[k]);
  } else {
    encoder_.encode(flat, num_rows);
    hash_bytes();
  }
}

void JoinKeys::pack(const Column& key, Place place) {
  const auto add = [&]<class T>(const T* values) {
    uint64_t* word = words_.data() + place.word;
    for (int64_t row = 0; row < num_rows_; ++row, word += num_words_) *word |= bits_of(values[row]) << place.shift;
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
    case PhysicalType::Null:
    case PhysicalType::String:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      return;
  }
}

void JoinKeys::note_nulls(const Column& key) {
  if (!key.may_have_nulls()) return;
  nulls_.resize(num_rows_);
  for (int64_t row = 0; row < num_rows_; ++row) nulls_[row] |= key.is_null(row);
}

void JoinKeys::hash_bytes() {
  hashes_.resize(num_rows_);
  for (int64_t row = 0; row < num_rows_; ++row) {
    const std::string_view key = encoder_.key(row);
    hashes_[row] = XXH3_64bits(key.data(), key.size());
  }
}

KeyBounds JoinKeys::bounds() const {
  KeyBounds bounds;
  if (num_words_ != 1) return bounds;
  for (int64_t row = 0; row < num_rows_; ++row) {
    if (!is_null(row)) bounds.add({*words(row), *words(row)});
  }
  return bounds;
}

}  // namespace accelerant::operators
