#pragma once

#include "column_functions/definition.h"
#include "columns/refer.h"

#include <cstdint>
#include <span>

namespace accelerant::column_functions {

/// Row numbers in budgeted memory: which element of a child each row of a result is.
class TakenRows {
 public:
  TakenRows(int64_t num_rows, const std::shared_ptr<memory::Budget>& budget)
      : buffer_(memory::Buffer::allocate(num_rows * static_cast<int64_t>(sizeof(int32_t)), budget)),
        num_rows_(num_rows) {}

  int32_t& operator[](int64_t i) { return data()[i]; }
  int32_t* data() { return buffer_->mutable_as<int32_t>(); }
  const std::shared_ptr<memory::Buffer>& buffer() const { return buffer_; }
  std::span<const int32_t> span() const { return {buffer_->as<int32_t>(), static_cast<size_t>(num_rows_)}; }

 private:
  std::shared_ptr<memory::Buffer> buffer_;
  const int64_t num_rows_;
};

/// Returns for each row that counts the element of `elements` that `place_of(row)` says, null for -1.
template <class PlaceOf>
columns::ColumnPtr take_elements(const ColumnCall& call, const columns::Column& elements, PlaceOf place_of) {
  TakenRows taken(call.num_rows(), call.budget());
  int32_t* const to = taken.data();
  for (int64_t row = 0, num_rows = call.num_rows(); row < num_rows; ++row) {
    to[row] = call.counts(row) ? static_cast<int32_t>(place_of(row)) : -1;
  }
  return columns::refer(elements, taken.span(), call.budget())->with_type(call.type());
}

}  // namespace accelerant::column_functions
