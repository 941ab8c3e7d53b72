#include "expressions/constant_set.h"

#include "base/error.h"
#include "expressions/operands.h"
#include "types/decimal.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;
using types::StringRef;
using types::StringView;

namespace {

constexpr int64_t kLookupRows = 512;

uint64_t mix(uint64_t key) {
  key ^= key >> 32;
  key *= 0x9e3779b97f4a7c15ull;
  return key ^ (key >> 29);
}

uint64_t hash_bytes(const char* data, int64_t length) {
  uint64_t hash = mix(static_cast<uint64_t>(length));
  for (; length > 0; data += 8, length -= 8) {
    uint64_t word = 0;
    std::memcpy(&word, data, static_cast<size_t>(length < 8 ? length : 8));
    hash = mix(hash ^ word);
  }
  return hash;
}

uint64_t hash_of(uint64_t key) { return mix(key); }
uint64_t hash_of(unsigned __int128 key) {
  return mix(static_cast<uint64_t>(key) ^ mix(static_cast<uint64_t>(key >> 64)));
}
uint64_t hash_of(StringRef key) { return hash_bytes(key.data, key.length); }

bool same(uint64_t a, uint64_t b) { return a == b; }
bool same(unsigned __int128 a, unsigned __int128 b) { return a == b; }
bool same(StringRef a, StringRef b) {
  return a.length == b.length && std::memcmp(a.data, b.data, static_cast<size_t>(a.length)) == 0;
}

/// Brings a value to a form in which Spark's equality is equality of bits.
template <class T>
uint64_t key_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    const double wide = value == 0 ? 0.0 : value != value ? std::numeric_limits<double>::quiet_NaN() : double{value};
    return std::bit_cast<uint64_t>(wide);
  } else {
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

/// An open-addressing hash table at most half full; short lists are searched through.
template <class Key>
class Table {
 public:
  void build(const std::vector<Key>& keys) {
    if (keys.size() <= kSearchedThrough) {
      few_ = keys;
      return;
    }
    mask_ = std::bit_ceil(keys.size() * 2) - 1;
    slots_.resize(mask_ + 1);
    used_.resize(mask_ + 1);
    for (const Key& key : keys) insert(key);
  }

  bool contains(const Key& key) const {
    if (slots_.empty()) {
      bool found = false;
      for (const Key& candidate : few_) found |= same(candidate, key);
      return found;
    }
    for (uint64_t place = hash_of(key) & mask_; used_[place]; place = (place + 1) & mask_) {
      if (same(slots_[place], key)) return true;
    }
    return false;
  }

 private:
  static constexpr size_t kSearchedThrough = 6;

  void insert(const Key& key) {
    uint64_t place = hash_of(key) & mask_;
    while (used_[place] && !same(slots_[place], key)) place = (place + 1) & mask_;
    slots_[place] = key;
    used_[place] = 1;
  }

  std::vector<Key> few_;
  std::vector<Key> slots_;
  std::vector<uint8_t> used_;
  uint64_t mask_ = 0;
};

/// Numbers, dates, timestamps, booleans of up to 64 bits.
template <class T>
class NumberSet final : public ConstantSet {
 public:
  explicit NumberSet(ColumnPtr constants) : ConstantSet(std::move(constants)) {
    std::vector<uint64_t> keys;
    for (int64_t i = 0; i < list()->length(); ++i) {
      if (!list()->is_null(i)) keys.push_back(key_of(list()->template values<T>()[i]));
    }
    table_.build(keys);
  }

  void contains(const Column& column, int64_t begin, int64_t n, uint8_t* out) const override {
    if (column.is_dictionary()) {
      T values[kLookupRows];
      decode(column, begin, n, column.physical(), values);
      look_up(values, n, out);
    } else {
      look_up(column.values<T>() + begin, n, out);
    }
  }

 private:
  void look_up(const T* values, int64_t n, uint8_t* out) const {
    for (int64_t i = 0; i < n; ++i) out[i] = table_.contains(key_of(values[i]));
  }

  Table<uint64_t> table_;
};

/// Decimals, whatever width the list and the values have.
class DecimalSet final : public ConstantSet {
 public:
  explicit DecimalSet(ColumnPtr constants) : ConstantSet(std::move(constants)) {
    std::vector<unsigned __int128> keys;
    std::vector<__int128> values(static_cast<size_t>(list()->length()));
    decode(*list(), 0, list()->length(), PhysicalType::Int128, values.data());
    for (int64_t i = 0; i < list()->length(); ++i) {
      if (!list()->is_null(i)) keys.push_back(static_cast<unsigned __int128>(values[static_cast<size_t>(i)]));
    }
    table_.build(keys);
  }

  void contains(const Column& column, int64_t begin, int64_t n, uint8_t* out) const override {
    __int128 values[kLookupRows];
    decode(column, begin, n, PhysicalType::Int128, values);
    for (int64_t i = 0; i < n; ++i) out[i] = table_.contains(static_cast<unsigned __int128>(values[i]));
  }

 private:
  Table<unsigned __int128> table_;
};

class StringSet final : public ConstantSet {
 public:
  explicit StringSet(ColumnPtr constants) : ConstantSet(std::move(constants)) {
    std::vector<StringRef> keys;
    for (int64_t i = 0; i < list()->length(); ++i) {
      if (!list()->is_null(i)) keys.push_back(list()->string_at(i));
    }
    table_.build(keys);
  }

  void contains(const Column& column, int64_t begin, int64_t n, uint8_t* out) const override {
    const Column& stored = stored_values(column);
    for (int64_t i = 0; i < n; ++i) {
      out[i] = 0;
      if (column.is_null(begin + i)) continue;
      out[i] = table_.contains(stored.string_at(column.is_dictionary() ? column.indices()[begin + i] : begin + i));
    }
  }

 private:
  Table<StringRef> table_;
};

}  // namespace

std::shared_ptr<const ConstantSet> ConstantSet::make(ColumnPtr list) {
  if (list->type().is_decimal()) return std::make_shared<DecimalSet>(std::move(list));
  switch (list->physical()) {
    case PhysicalType::Bool:
    case PhysicalType::Int8:
      return std::make_shared<NumberSet<int8_t>>(std::move(list));
    case PhysicalType::Int16:
      return std::make_shared<NumberSet<int16_t>>(std::move(list));
    case PhysicalType::Int32:
      return std::make_shared<NumberSet<int32_t>>(std::move(list));
    case PhysicalType::Int64:
      return std::make_shared<NumberSet<int64_t>>(std::move(list));
    case PhysicalType::Float32:
      return std::make_shared<NumberSet<float>>(std::move(list));
    case PhysicalType::Float64:
      return std::make_shared<NumberSet<double>>(std::move(list));
    case PhysicalType::String:
      return std::make_shared<StringSet>(std::move(list));
    case PhysicalType::Null:
    case PhysicalType::Int128:
    case PhysicalType::Array:
    case PhysicalType::Map:
    case PhysicalType::Struct:
      break;
  }
  throw_unsupported("IN over " + list->type().to_string());
}

SlotValue run_in_list(const Instruction& instruction, const SlotValue& value, int64_t num_rows, BufferPool& pool) {
  const Column& column = *value.column;
  if (column.is_constant() && column.is_null(0))
    return {Column::nulls(instruction.type, num_rows, pool.budget()), value.errors};
  const Column& rows = column.is_constant() ? stored_values(column) : column;
  const int64_t n = column.is_constant() ? 1 : num_rows;
  auto found = pool.allocate(n);
  for (int64_t begin = 0; begin < n; begin += kLookupRows) {
    instruction.set->contains(rows, begin, std::min(kLookupRows, n - begin), found->mutable_data() + begin);
  }
  memory::BufferPtr validity = row_validity(rows, pool);
  if (instruction.set->has_null()) {
    auto found_bits = pool.allocate(bits::bytes_for(n));
    bits::pack(found->data(), n, found_bits->mutable_data());
    validity = intersect(validity, found_bits, n, pool);
  }
  ColumnPtr result = Column::flat({instruction.type, PhysicalType::Bool, n, 0, std::move(found), validity, {}, {}});
  if (column.is_constant()) result = Column::constant(std::move(result), num_rows);
  return {std::move(result), value.errors};
}

}  // namespace accelerant::expressions
