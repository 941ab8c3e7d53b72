#pragma once

#include "columns/column.h"
#include "memory/buffer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::expressions {

/// The values of a column, to be asked whether one may be among them: the keys of a join's build side, by which rows of
/// the other side are dropped long before the join. Bounds, and within them a bit a value where the values lie close
/// together, else a Bloom filter.
class KeySet {
 public:
  /// @param keys flat, of a type that is supported; nulls are no members
  KeySet(const columns::Column& keys, const std::shared_ptr<memory::Budget>& budget);
  /// Returns what a Bloom filter for so many values takes.
  static int64_t bloom_bytes(int64_t num_values);
  /// Makes a Bloom filter, in which is nothing yet, for about so many values.
  KeySet(int64_t num_values, const std::shared_ptr<memory::Budget>& budget);
  /// Adds the values of a flat column to a Bloom filter.
  void add(const columns::Column& keys);

  /// Says whether sets of this type can be made: integers, dates and timestamps.
  static bool supports(const types::DataType& type);

  virtual ~KeySet() = default;

  virtual bool is_empty() const { return max_ < min_; }
  /// Says whether nulls are members.
  virtual bool has_nulls() const { return false; }
  /// Says whether some value of [min, max] may be a member.
  virtual bool may_meet(int64_t min, int64_t max) const { return !is_empty() && min <= max_ && max >= min_; }
  /// Leaves those of some rows, ascending, whose value may be a member.
  /// @param column of the set's type
  virtual void keep_members(const columns::Column& column, std::vector<int32_t>& rows) const;

 protected:
  KeySet() = default;

 private:
  bool contains(int64_t value) const;
  void add_bits(const std::vector<int64_t>& values);
  void add_to_bloom(int64_t value);
  void allocate_bloom(uint64_t num_values, const std::shared_ptr<memory::Budget>& budget);
  void allocate(uint64_t num_words, const std::shared_ptr<memory::Budget>& budget);
  template <class T>
  void keep(const T* values, const columns::Column& column, std::vector<int32_t>& rows) const;
  void keep_codes(const columns::Column& column, std::vector<int32_t>& rows) const;

  int64_t min_ = INT64_MAX;
  int64_t max_ = INT64_MIN;
  bool is_bloom_ = false;
  uint64_t mask_ = 0;  ///< Bloom: one less than the number of words
  std::shared_ptr<memory::Buffer> words_;
};

/// Returns a value of a flat column of a supported type as a number.
int64_t number_at(const columns::Column& column, int64_t row);

}  // namespace accelerant::expressions
