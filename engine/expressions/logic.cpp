#include "expressions/logic.h"

#include "base/error.h"
#include "columns/gather.h"
#include "expressions/operands.h"

#include <cstring>

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

BooleanRows::BooleanRows(const Column& column, int64_t num_rows, BufferPool& pool) {
  if (column.is_flat() && column.physical() == PhysicalType::Bool) {
    values_ = column.values<uint8_t>();
  } else {
    auto values = pool.allocate(num_rows);
    values_ = values->data();
    if (column.is_constant()) {
      std::memset(values->mutable_data(), column.is_null(0) ? 0 : *static_cast<const uint8_t*>(first_value(column)),
                  static_cast<size_t>(num_rows));
    } else {
      decode(column, 0, num_rows, PhysicalType::Bool, values->mutable_data());
    }
    owned_ = std::move(values);
  }
  if (!column.may_have_nulls()) return;
  auto valid = pool.allocate(num_rows);
  if (column.is_constant()) {
    std::memset(valid->mutable_data(), !column.is_null(0), static_cast<size_t>(num_rows));
  } else {
    unpack_validity(column, 0, num_rows, valid->mutable_data());
  }
  valid_ = std::move(valid);
}

namespace {

ColumnPtr make_booleans(const types::DataType& type, int64_t num_rows, memory::BufferPtr values, const uint8_t* valid,
                        BufferPool& pool) {
  memory::BufferPtr validity;
  if (valid) {
    auto bitmap = pool.allocate(bits::bytes_for(num_rows));
    bits::pack(valid, num_rows, bitmap->mutable_data());
    validity = std::move(bitmap);
  }
  return Column::flat({type, PhysicalType::Bool, num_rows, 0, std::move(values), validity, {}, {}});
}

/// Three-valued logic on bytes. OR is AND of the negations, negated: `flip` is 1 for OR.
void combine_nullable(const BooleanRows& left, const BooleanRows& right, uint8_t flip, int64_t n, uint8_t* values,
                      uint8_t* valid) {
  for (int64_t i = 0; i < n; ++i) {
    const uint8_t left_valid = left.valid() ? left.valid()[i] : 1;
    const uint8_t right_valid = right.valid() ? right.valid()[i] : 1;
    const uint8_t left_decides = left_valid & (left.values()[i] ^ flip ^ 1);
    const uint8_t right_decides = right_valid & (right.values()[i] ^ flip ^ 1);
    const uint8_t decided = left_decides | right_decides;
    valid[i] = decided | (left_valid & right_valid);
    values[i] = decided ^ flip ^ 1;
  }
}

void combine(const uint8_t* left, const uint8_t* right, bool is_or, int64_t n, uint8_t* __restrict out) {
  if (is_or) {
    for (int64_t i = 0; i < n; ++i) out[i] = left[i] | right[i];
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = left[i] & right[i];
  }
}

}  // namespace

SlotValue run_logic(const Instruction& instruction, const SlotValue& left, const SlotValue& right, int64_t num_rows,
                    BufferPool& pool) {
  const bool is_or = instruction.operation == Operation::Or;
  const BooleanRows lhs(*left.column, num_rows, pool);
  const BooleanRows rhs(*right.column, num_rows, pool);
  auto values = pool.allocate(num_rows);
  std::shared_ptr<memory::Buffer> valid;
  if (lhs.valid() || rhs.valid()) {
    valid = pool.allocate(num_rows);
    combine_nullable(lhs, rhs, is_or, num_rows, values->mutable_data(), valid->mutable_data());
  } else {
    combine(lhs.values(), rhs.values(), is_or, num_rows, values->mutable_data());
  }
  const ErrorLane reached =
      filter(right.errors, [&](int32_t row) { return is_or ? !lhs.is_true(row) : !lhs.is_false(row); });
  ColumnPtr column =
      make_booleans(instruction.type, num_rows, std::move(values), valid ? valid->data() : nullptr, pool);
  return {std::move(column), merge(left.errors, reached)};
}

namespace {

/// Which value each row takes: an index into `values`, or kNone for null.
constexpr uint16_t kNone = UINT16_MAX;

struct Choice {
  std::vector<uint16_t> rows;
  ErrorLane errors;
};

/// Values that rows are chosen from, brought to one physical type.
class Candidates {
 public:
  Candidates(const types::DataType& type, std::vector<const SlotValue*> values)
      : type_(type), values_(std::move(values)) {
    physical_ = type.physical();
    if (!type.is_decimal()) return;
    physical_ = PhysicalType::Int64;
    for (const SlotValue* value : values_) {
      if (value->column->physical() == PhysicalType::Int128 && !is_null_constant(*value->column)) {
        physical_ = PhysicalType::Int128;
      }
    }
  }

  SlotValue pick(Choice choice, int64_t num_rows, BufferPool& pool);

 private:
  template <class T>
  void copy(const Choice& choice, int64_t num_rows, T* out, BufferPool& pool) const;
  void copy_strings(const Choice& choice, int64_t num_rows, types::StringView* out,
                    std::vector<memory::BufferPtr>& heap) const;
  columns::ColumnPtr pick_nested(const Choice& choice, int64_t num_rows, BufferPool& pool) const;
  std::shared_ptr<memory::Buffer> nulls(const Choice& choice, int64_t num_rows, BufferPool& pool) const;
  /// The choice's errors, and those of values in the rows that take them.
  ErrorLane errors(const Choice& choice) const;

  const types::DataType& type_;
  std::vector<const SlotValue*> values_;
  PhysicalType physical_;
};

template <class T>
void Candidates::copy(const Choice& choice, int64_t num_rows, T* out, BufferPool& pool) const {
  struct Source {
    const T* values;
    int64_t mask;  ///< 0 for constants
  };
  std::vector<Source> sources;
  std::vector<memory::BufferPtr> decoded;
  for (const SlotValue* value : values_) {
    const Column& column = *value->column;
    if (is_null_constant(column)) {
      static constexpr T kZero{};
      sources.push_back({&kZero, 0});
      continue;
    }
    const bool widen = column.physical() != physical_;
    if (!widen && !column.is_dictionary()) {
      sources.push_back({static_cast<const T*>(first_value(column)), column.is_constant() ? 0 : -1});
      continue;
    }
    const int64_t rows = column.is_constant() ? 1 : num_rows;
    auto buffer = pool.allocate(rows * static_cast<int64_t>(sizeof(T)));
    decode(column.is_constant() ? stored_values(column) : column, 0, rows, physical_, buffer->mutable_data());
    sources.push_back({buffer->template as<T>(), column.is_constant() ? 0 : -1});
    decoded.push_back(std::move(buffer));
  }
  for (int64_t i = 0; i < num_rows; ++i) {
    const uint16_t k = choice.rows[static_cast<size_t>(i)];
    out[i] = k == kNone ? T{} : sources[k].values[i & sources[k].mask];
  }
}

/// Strings keep their bytes where they are: the heaps are joined, and views point into the joined list.
void Candidates::copy_strings(const Choice& choice, int64_t num_rows, types::StringView* out,
                              std::vector<memory::BufferPtr>& heap) const {
  std::vector<int32_t> bases;
  for (const SlotValue* value : values_) {
    bases.push_back(static_cast<int32_t>(heap.size()));
    const auto& own = stored_values(*value->column).heap();
    heap.insert(heap.end(), own.begin(), own.end());
  }
  for (int64_t i = 0; i < num_rows; ++i) {
    const uint16_t k = choice.rows[static_cast<size_t>(i)];
    out[i] = types::StringView{};
    if (k == kNone || values_[k]->column->is_null(i)) continue;
    const Column& column = *values_[k]->column;
    const int64_t row = column.is_constant() ? 0 : column.is_dictionary() ? column.indices()[i] : i;
    out[i] = stored_values(column).values<types::StringView>()[row];
    if (!out[i].is_inline()) out[i].ref.buffer += bases[k];
  }
}

std::shared_ptr<memory::Buffer> Candidates::nulls(const Choice& choice, int64_t num_rows, BufferPool& pool) const {
  std::vector<uint8_t> may_be_null;
  for (const SlotValue* value : values_) may_be_null.push_back(value->column->may_have_nulls());
  std::shared_ptr<memory::Buffer> bitmap;
  for (int64_t i = 0; i < num_rows; ++i) {
    const uint16_t k = choice.rows[static_cast<size_t>(i)];
    if (k != kNone && !(may_be_null[k] && values_[k]->column->is_null(i))) continue;
    if (!bitmap) {
      bitmap = pool.allocate(bits::bytes_for(num_rows));
      bits::fill(bitmap->mutable_data(), num_rows, true);
    }
    bits::clear(bitmap->mutable_data(), i);
  }
  return bitmap;
}

ErrorLane Candidates::errors(const Choice& choice) const {
  ErrorLane errors = choice.errors;
  for (size_t k = 0; k < values_.size(); ++k) {
    errors = merge(errors,
                   filter(values_[k]->errors, [&](int32_t row) { return choice.rows[static_cast<size_t>(row)] == k; }));
  }
  return errors;
}

ColumnPtr Candidates::pick_nested(const Choice& choice, int64_t num_rows, BufferPool& pool) const {
  std::vector<ColumnPtr> values;
  for (const SlotValue* value : values_) values.push_back(value->column->with_type(type_));
  std::vector<int32_t> rows(static_cast<size_t>(num_rows), -1);
  for (size_t i = 0; i < rows.size(); ++i) {
    const uint16_t k = choice.rows[i];
    if (k != kNone) rows[i] = static_cast<int32_t>(k * rows.size() + i);
  }
  return columns::gather_or_null(*columns::concatenate(values, pool.budget()), rows, pool.budget());
}

SlotValue Candidates::pick(Choice choice, int64_t num_rows, BufferPool& pool) {
  if (physical_ == PhysicalType::Null) return {Column::nulls(type_, num_rows, pool.budget()), errors(choice)};
  if (type_.is_nested()) return {pick_nested(choice, num_rows, pool), errors(choice)};
  columns::FlatParts parts{type_, physical_, num_rows, 0, nullptr, nullptr, {}, {}};
  auto buffer = pool.allocate(num_rows * types::width_of(physical_));
  if (physical_ == PhysicalType::String) {
    copy_strings(choice, num_rows, buffer->mutable_as<types::StringView>(), parts.heap);
  } else {
    switch (types::width_of(physical_)) {
      case 1:
        copy(choice, num_rows, buffer->mutable_as<uint8_t>(), pool);
        break;
      case 2:
        copy(choice, num_rows, buffer->mutable_as<uint16_t>(), pool);
        break;
      case 4:
        copy(choice, num_rows, buffer->mutable_as<uint32_t>(), pool);
        break;
      case 8:
        copy(choice, num_rows, buffer->mutable_as<int64_t>(), pool);
        break;
      case 16:
        if (type_.is_decimal()) {
          copy(choice, num_rows, buffer->mutable_as<__int128>(), pool);
        } else {
          copy(choice, num_rows, buffer->mutable_as<Bytes16>(), pool);
        }
        break;
      default:
        throw_unsupported("branches of type " + type_.to_string());
    }
  }
  parts.values = std::move(buffer);
  parts.validity = nulls(choice, num_rows, pool);
  return {Column::flat(std::move(parts)), errors(choice)};
}

}  // namespace

SlotValue run_case_when(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                        BufferPool& pool) {
  const size_t branches = arguments.size() / 2;
  const bool has_otherwise = arguments.size() % 2 == 1;
  std::vector<const SlotValue*> values;
  for (size_t k = 0; k < branches; ++k) values.push_back(arguments[2 * k + 1]);
  if (has_otherwise) values.push_back(arguments.back());
  Choice choice{
      std::vector<uint16_t>(static_cast<size_t>(num_rows), has_otherwise ? static_cast<uint16_t>(branches) : kNone),
      nullptr};
  // From the last branch to the first, so that the first true condition wins; a condition's error hides all later ones.
  for (size_t k = branches; k-- > 0;) {
    const BooleanRows condition(*arguments[2 * k]->column, num_rows, pool);
    choice.errors = filter(choice.errors, [&](int32_t row) { return !condition.is_true(row); });
    choice.errors = merge(arguments[2 * k]->errors, choice.errors);
    for (int64_t i = 0; i < num_rows; ++i) {
      uint16_t& row = choice.rows[static_cast<size_t>(i)];
      row = condition.is_true(i) ? static_cast<uint16_t>(k) : row;
    }
  }
  return Candidates(instruction.type, std::move(values)).pick(std::move(choice), num_rows, pool);
}

SlotValue run_coalesce(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                       BufferPool& pool) {
  Choice choice{std::vector<uint16_t>(static_cast<size_t>(num_rows), kNone), nullptr};
  for (size_t k = arguments.size(); k-- > 0;) {
    const Column& column = *arguments[k]->column;
    const bool may_be_null = column.may_have_nulls();
    choice.errors = filter(choice.errors, [&](int32_t row) { return may_be_null && column.is_null(row); });
    choice.errors = merge(arguments[k]->errors, choice.errors);
    for (int64_t i = 0; i < num_rows; ++i) {
      if (!may_be_null || !column.is_null(i)) choice.rows[static_cast<size_t>(i)] = static_cast<uint16_t>(k);
    }
  }
  std::vector<const SlotValue*> values(arguments.begin(), arguments.end());
  return Candidates(instruction.type, std::move(values)).pick(std::move(choice), num_rows, pool);
}

}  // namespace accelerant::expressions
