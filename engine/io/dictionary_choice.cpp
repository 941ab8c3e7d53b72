#include "io/dictionary_choice.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace accelerant::io {

using columns::Column;
using types::PhysicalType;

namespace {

/// parquet-mr ends a page here.
constexpr int64_t kMostRows = 20'000;
/// Fewer rows, of a filter that lets little through, do not stand for the file.
constexpr int64_t kLeastRows = 4096;
/// Places for hashes; more than twice the rows.
constexpr size_t kPlaces = 1 << 16;
/// The narrowest stored value but a boolean's, and what precedes the bytes of a string.
constexpr int64_t kLeastValueBytes = 4;

/// Counts different values by their hashes. Two values with one hash are one; that they are is unlikely, and a page
/// more or less in a dictionary harms nobody.
class DistinctHashes {
 public:
  DistinctHashes() : places_(kPlaces, 0) {}

  /// Returns whether a hash is new.
  bool insert(uint64_t hash) {
    hash |= 1;  // 0 is an empty place
    size_t place = hash >> 48;
    for (; places_[place] != 0; place = (place + 1) % kPlaces) {
      if (places_[place] == hash) return false;
    }
    places_[place] = hash;
    ++count_;
    return true;
  }

  int64_t count() const { return count_; }

 private:
  std::vector<uint64_t> places_;
  int64_t count_ = 0;
};

/// What a column's rows take in a file, before compression.
struct Sizes {
  int64_t num_values = 0;
  int64_t plain_bytes = 0;
  int64_t dictionary_bytes = 0;
  DistinctHashes hashes;

  void add(const void* data, size_t length, int64_t stored_bytes) {
    ++num_values;
    plain_bytes += stored_bytes;
    if (hashes.insert(XXH3_64bits(data, length))) dictionary_bytes += stored_bytes;
  }

  bool dictionary_is_smaller() const {
    const uint64_t last_code = static_cast<uint64_t>(std::max<int64_t>(hashes.count() - 1, 0));
    const auto code_bits = static_cast<int64_t>(std::bit_width(last_code));
    return dictionary_bytes + num_values * code_bits / 8 < plain_bytes;
  }
};

}  // namespace

bool is_worth_a_dictionary(const Column& column, int64_t offset, int64_t num_rows) {
  num_rows = std::min(num_rows, kMostRows);
  if (num_rows < kLeastRows || !column.is_flat() || column.physical() == PhysicalType::Bool) return true;
  const bool is_string = column.physical() == PhysicalType::String;
  const auto width = static_cast<size_t>(types::width_of(column.physical()));
  Sizes sizes;
  for (int64_t row = offset; row < offset + num_rows; ++row) {
    if (column.is_null(row)) continue;
    if (is_string) {
      const types::StringRef text = column.string_at(row);
      sizes.add(text.data, static_cast<size_t>(text.length), kLeastValueBytes + text.length);
    } else {
      const int64_t place = (column.offset() + row) * static_cast<int64_t>(width);
      const uint8_t* value = column.parts().values->data() + place;
      sizes.add(value, width, std::max<int64_t>(static_cast<int64_t>(width), kLeastValueBytes));
    }
  }
  return sizes.num_values == 0 || sizes.dictionary_is_smaller();
}

}  // namespace accelerant::io
