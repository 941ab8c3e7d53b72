#include "expressions/selection.h"

#include "base/bits.h"
#include "expressions/logic.h"
#include "expressions/operands.h"

#include <algorithm>
#include <cstring>

namespace accelerant::expressions {

using columns::Column;

RowSet::RowSet(int64_t num_rows, const columns::Selection& selection) : num_rows_(num_rows), all_(!selection) {
  if (selection) rows_ = *selection;
}

bool RowSet::contains(int32_t row) const { return all_ || std::binary_search(rows_.begin(), rows_.end(), row); }

void RowSet::clear() {
  all_ = false;
  rows_.clear();
}

namespace {

constexpr uint64_t kEightTrue = 0x0101010101010101ull;

/// Writes the numbers of rows whose byte is 1, without a branch a row; eight rows that all pass or all fail go faster.
/// `out` has room for 8 more than pass.
int64_t list_true(const uint8_t* passes, int64_t num_rows, int32_t* out) {
  int64_t kept = 0;
  int64_t row = 0;
  for (; row + 8 <= num_rows; row += 8) {
    uint64_t eight;
    std::memcpy(&eight, passes + row, 8);
    if (eight == 0) continue;
    int32_t* next = out + kept;
    if (eight == kEightTrue) {
      for (int32_t i = 0; i < 8; ++i) next[i] = static_cast<int32_t>(row) + i;
      kept += 8;
      continue;
    }
    for (int32_t i = 0; i < 8; ++i) {
      out[kept] = static_cast<int32_t>(row) + i;
      kept += passes[row + i];
    }
  }
  for (; row < num_rows; ++row) {
    out[kept] = static_cast<int32_t>(row);
    kept += passes[row];
  }
  return kept;
}

/// Copies the rows of a list whose byte is 1. `out` may be the list.
int64_t list_true(const uint8_t* passes, const std::vector<int32_t>& rows, int32_t* out) {
  int64_t kept = 0;
  for (const int32_t row : rows) {
    out[kept] = row;
    kept += passes[row];
  }
  return kept;
}

/// Writes the numbers of up to eight rows from `first` on whose bit is set, the first row's being the lowest, as
/// `list_true`; returns how many there are.
int64_t list_set(unsigned bits, int32_t first, int64_t num_rows, int32_t* out) {
  if (bits == 0xff) {
    for (int32_t i = 0; i < 8; ++i) out[i] = first + i;
    return 8;
  }
  int64_t kept = 0;
  for (int32_t i = 0; i < num_rows; ++i) {
    out[kept] = first + i;
    kept += bits >> i & 1;
  }
  return kept;
}

/// Looks each row's code up in a table of the dictionary's verdicts.
void look_up(const uint8_t* verdicts, const int32_t* codes, int64_t n, uint8_t* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = verdicts[codes[i]];
}

void and_bytes(const uint8_t* a, const uint8_t* b, int64_t n, uint8_t* __restrict out) {
  for (int64_t i = 0; i < n; ++i) out[i] = a[i] & b[i];
}

}  // namespace

/// Keeps the rows whose byte in `passes` is 1.
void RowSet::keep(const uint8_t* passes) {
  if (!all_) {
    rows_.resize(static_cast<size_t>(list_true(passes, rows_, rows_.data())));
    return;
  }
  rows_.resize(static_cast<size_t>(num_rows_) + 8);
  const int64_t kept = list_true(passes, num_rows_, rows_.data());
  all_ = kept == num_rows_;
  rows_.resize(all_ ? 0 : static_cast<size_t>(kept));
}

void RowSet::keep_true(const Column& condition, BufferPool& pool) {
  if (condition.is_constant()) {
    if (!BooleanRows(condition, 1, pool).is_true(0)) clear();
    return;
  }
  if (condition.is_dictionary() && !condition.validity()) {
    const int64_t length = condition.child_values()->length();
    const BooleanRows table(*condition.child_values(), length, pool);
    auto verdicts = pool.allocate(length);
    for (int64_t i = 0; i < length; ++i) verdicts->mutable_data()[i] = table.is_true(i);
    auto passes = pool.allocate(num_rows_);
    look_up(verdicts->data(), condition.indices(), num_rows_, passes->mutable_data());
    return keep(passes->data());
  }
  const BooleanRows rows(condition, num_rows_, pool);
  if (!rows.valid()) return keep(rows.values());
  auto passes = pool.allocate(num_rows_);
  and_bytes(rows.values(), rows.valid(), num_rows_, passes->mutable_data());
  keep(passes->data());
}

void RowSet::keep_set(const uint8_t* bits, int64_t offset) {
  if (!all_) {
    size_t kept = 0;
    for (const int32_t row : rows_) {
      rows_[kept] = row;
      kept += bits::get(bits, offset + row);
    }
    return rows_.resize(kept);
  }
  if (bits::count(bits, offset, num_rows_) == num_rows_) return;
  all_ = false;
  rows_.resize(static_cast<size_t>(num_rows_) + 1);
  auto* next = rows_.data();
  uint8_t bytes[8];
  for (int64_t first = 0; first < num_rows_; first += 64) {
    const int64_t length = std::min<int64_t>(64, num_rows_ - first);
    bits::copy(bits, offset + first, length, bytes);
    for (int64_t i = 0; i < length; i += 8) {
      next += list_set(bytes[i / 8], static_cast<int32_t>(first + i), std::min<int64_t>(8, length - i), next);
    }
  }
  rows_.resize(static_cast<size_t>(next - rows_.data()));
}

void RowSet::remove(const std::vector<int32_t>& rows) {
  if (rows.empty()) return;
  std::vector<int32_t> left;
  auto next = rows.begin();
  const auto visit = [&](int32_t row) {
    while (next != rows.end() && *next < row) ++next;
    if (next == rows.end() || *next != row) left.push_back(row);
  };
  if (all_) {
    for (int32_t row = 0; row < num_rows_; ++row) visit(row);
  } else {
    for (const int32_t row : rows_) visit(row);
  }
  rows_ = std::move(left);
  all_ = false;
}

}  // namespace accelerant::expressions
