#include "expressions/call.h"

#include "base/error.h"
#include "expressions/argument_errors.h"
#include "expressions/operands.h"
#include "expressions/range.h"
#include "expressions/result_heap.h"

#include <algorithm>
#include <array>
#include <utility>

namespace accelerant::expressions {

using columns::Column;
using columns::ColumnPtr;
using types::DecimalRange;
using types::PhysicalType;
using types::TypeId;

namespace {

/// Rows that operands are decoded for at a time: what three of them take stays in the first-level cache.
constexpr int64_t kBlockRows = 512;

/// Decoded operands of a block.
struct Scratch {
  alignas(64) uint8_t values[kMaxArity][kBlockRows * 16];
  uint8_t valid[kMaxArity][kBlockRows];
  uint8_t rows_seen[kBlockRows];
};

/// How bounds of arguments are found: from what is known of them, from the values of dictionaries and constants, from
/// the bits that are set in some row, from every row.
enum class Effort { TypesAlone, FewValues, BitsOfRows, AllRows };

/// A call on its way: which kernel, over which operands, into which buffers.
class Run {
 public:
  Run(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows, BufferPool& pool,
      memory::BufferPtr wanted)
      : instruction_(instruction),
        overload_(*instruction.overload),
        arguments_(arguments),
        num_rows_(num_rows),
        pool_(pool),
        wanted_(std::move(wanted)) {}

  SlotValue run();

 private:
  const Column& argument(size_t i) const { return *arguments_[i]->column; }
  bool any_wide() const;
  bool narrow_is_exact(DecimalRange& result);
  DecimalRange argument_range(size_t i, Effort effort);
  void choose_kernel();
  void find_validity();
  void find_seen();
  memory::BufferPtr without_failed(const memory::BufferPtr& rows);
  bool reads_strings() const;
  bool needs_blocks() const;
  PhysicalType physical_of(size_t i) const;
  void prepare_whole();
  void prepare_block(int64_t begin, int64_t n);
  void prepare_constant(size_t i);
  void prepare_decoded(size_t i, int64_t begin, int64_t n);
  template <class Visit>
  void for_each_block(Visit visit);
  uint64_t compute();
  ErrorLane own_errors(const ErrorLane& inherited);
  void share_heaps();
  void prepare_result();
  void write_strings();
  bool matters(uint64_t bits) const;
  bool nulls_row(uint8_t code) const;
  ColumnPtr finish();

  const Instruction& instruction_;
  const Overload& overload_;
  std::span<SlotValue* const> arguments_;
  const int64_t num_rows_;
  BufferPool& pool_;

  bool wide_ = false;
  const Kernel* kernel_ = nullptr;
  DecimalRange range_ = DecimalRange::unknown();
  PhysicalType result_physical_ = PhysicalType::Null;
  types::TimeZone zone_{};
  KernelCall call_;
  std::unique_ptr<Scratch> scratch_;
  __int128 constants_[kMaxArity] = {};  ///< widened constants
  uint8_t constants_valid_[kMaxArity] = {};
  std::shared_ptr<memory::Buffer> values_;
  std::shared_ptr<memory::Buffer> valid_bytes_;
  memory::BufferPtr validity_;
  const memory::BufferPtr wanted_;  ///< rows for which strings are built; nullptr: all
  memory::BufferPtr seen_;          ///< rows that a body over strings sees; nullptr: all
  ResultHeap heap_;
};

bool Run::any_wide() const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (argument(i).physical() == PhysicalType::Int128) return true;
  }
  return false;
}

/// Bounds of an argument, as far as `effort` allows.
DecimalRange Run::argument_range(size_t i, Effort effort) {
  SlotValue& value = *arguments_[i];
  const bool few = value.column->is_constant() ||
                   (value.column->is_dictionary() && value.column->child_values()->length() * 4 < num_rows_);
  if (effort == Effort::AllRows || value.column->is_constant() || (few && effort != Effort::TypesAlone))
    return find_range(value);
  if (effort == Effort::BitsOfRows && !value.range_is_exact) tighten_range(value);
  if (value.range.known) return value.range;
  if (value.column->type().is_decimal()) return DecimalRange::of_precision(value.column->type().precision());
  return DecimalRange::unknown();
}

/// Says whether the body on int64 gives every row exactly; looks at no more rows than it takes to know.
bool Run::narrow_is_exact(DecimalRange& result) {
  for (const Effort effort : {Effort::TypesAlone, Effort::FewValues, Effort::BitsOfRows, Effort::AllRows}) {
    std::array<DecimalRange, kMaxArity> ranges;
    for (size_t i = 0; i < arguments_.size(); ++i) ranges[i] = argument_range(i, effort);
    result = overload_.range(ranges.data(), instruction_.decimal);
    if (result.fits_int64() && result.within(instruction_.decimal.limit)) return true;
  }
  result = DecimalRange::unknown();
  return false;
}

void Run::choose_kernel() {
  wide_ = overload_.has_decimal && (any_wide() || (overload_.range && !narrow_is_exact(range_)));
  kernel_ = wide_ ? &overload_.wide : &overload_.kernel;
  result_physical_ = instruction_.type.physical();
  if (instruction_.type.is_decimal()) result_physical_ = wide_ ? PhysicalType::Int128 : PhysicalType::Int64;
  call_.decimal = &instruction_.decimal;
  if (!instruction_.zone) return;
  zone_ = instruction_.zone->view();
  call_.zone = &zone_;
}

PhysicalType Run::physical_of(size_t i) const {
  if (argument(i).type().is_decimal()) return wide_ ? PhysicalType::Int128 : PhysicalType::Int64;
  return argument(i).physical();
}

/// A strict call's rows are null where an argument's is.
void Run::find_validity() {
  if (overload_.sees_nulls) return;
  for (SlotValue* value : arguments_) {
    if (value->column->is_constant()) continue;
    validity_ = intersect(validity_, row_validity(*value->column, pool_), num_rows_, pool_);
  }
}

bool Run::reads_strings() const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (argument(i).physical() == PhysicalType::String) return overload_.reads_values;
  }
  return false;
}

/// Decides which rows a body over strings sees: not those that are null, below which lies no string or number of which
/// anything is known. Of bodies that build strings, which may be huge, only those whose string counts.
void Run::find_seen() {
  if (!builds_strings(instruction_)) {
    seen_ = reads_strings() ? validity_ : nullptr;
  } else {
    seen_ = without_failed(intersect(wanted_, validity_, num_rows_, pool_));
  }
}

/// Leaves out the rows in which an argument is in error.
memory::BufferPtr Run::without_failed(const memory::BufferPtr& rows) {
  std::shared_ptr<memory::Buffer> left;
  for (const SlotValue* value : arguments_) {
    if (!value->errors) continue;
    if (!left) {
      left = pool_.allocate(bits::bytes_for(num_rows_));
      bits::fill(left->mutable_data(), num_rows_, true);
    }
    for (const LaneError& error : *value->errors) bits::clear(left->mutable_data(), error.row);
  }
  return intersect(rows, left, num_rows_, pool_);
}

bool Run::needs_blocks() const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Column& column = argument(i);
    if (column.is_constant()) continue;
    if (overload_.reads_values && (column.is_dictionary() || column.physical() != physical_of(i))) return true;
    if (overload_.sees_nulls && column.may_have_nulls()) return true;
  }
  return seen_ != nullptr;
}

void Run::prepare_constant(size_t i) {
  const Column& column = argument(i);
  Operand& operand = call_.operands[i];
  operand.is_constant = num_rows_ != 1;
  operand.values = first_value(column);
  operand.heap = stored_values(column).heap_addresses();
  constants_valid_[i] = !column.is_null(0);
  operand.valid = &constants_valid_[i];
  if (column.physical() == PhysicalType::Int64 && physical_of(i) == PhysicalType::Int128) {
    constants_[i] = *static_cast<const int64_t*>(operand.values);
    operand.values = &constants_[i];
  }
}

void Run::prepare_whole() {
  ACC_CHECK(num_rows_ <= 1 ||
            !std::ranges::all_of(arguments_, [](const SlotValue* v) { return v->column->is_constant(); }));
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (argument(i).is_constant()) {
      prepare_constant(i);
    } else {
      call_.operands[i].values = overload_.reads_values ? first_value(argument(i)) : nullptr;
      call_.operands[i].heap = stored_values(argument(i)).heap_addresses();
    }
  }
}

void Run::prepare_decoded(size_t i, int64_t begin, int64_t n) {
  const Column& column = argument(i);
  Operand& operand = call_.operands[i];
  if (overload_.reads_values && (column.is_dictionary() || column.physical() != physical_of(i))) {
    decode(column, begin, n, physical_of(i), scratch_->values[i]);
    operand.values = scratch_->values[i];
  } else if (overload_.reads_values) {
    operand.values = static_cast<const uint8_t*>(first_value(column)) + begin * types::width_of(column.physical());
  }
  if (overload_.sees_nulls && column.may_have_nulls()) {
    unpack_validity(column, begin, n, scratch_->valid[i]);
    operand.valid = scratch_->valid[i];
  }
}

void Run::prepare_block(int64_t begin, int64_t n) {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (!argument(i).is_constant()) prepare_decoded(i, begin, n);
  }
  if (seen_) {
    bits::unpack(seen_->data(), begin, n, scratch_->rows_seen);
    call_.rows_seen = scratch_->rows_seen;
  }
}

/// Calls `visit(first row)` with `call_` set for each block, or once for all rows where operands can be read in place.
template <class Visit>
void Run::for_each_block(Visit visit) {
  prepare_whole();
  if (!needs_blocks()) {
    call_.num_rows = num_rows_;
    return visit(0);
  }
  if (!scratch_) scratch_ = std::make_unique<Scratch>();
  for (int64_t begin = 0; begin < num_rows_; begin += kBlockRows) {
    call_.num_rows = std::min(kBlockRows, num_rows_ - begin);
    prepare_block(begin, call_.num_rows);
    visit(begin);
  }
}

/// Lets slices of arguments point into the arguments' heaps.
void Run::share_heaps() {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (argument(i).physical() != PhysicalType::String) continue;
    call_.operands[i].first_buffer = heap_.share(stored_values(argument(i)).heap());
  }
}

void Run::prepare_result() {
  values_ = pool_.allocate(num_rows_ * types::width_of(result_physical_));
  if (overload_.gives_nullable) valid_bytes_ = pool_.allocate(num_rows_);
  if (overload_.gives_slices) share_heaps();
  if (overload_.max_text_bytes > types::StringView::kMaxInlineBytes) {
    heap_.reserve(num_rows_ * overload_.max_text_bytes, pool_);
    call_.result_heap = heap_.addresses();
    call_.result_heap_used = heap_.used_bytes();
  }
}

uint64_t Run::compute() {
  const int64_t width = types::width_of(result_physical_);
  uint64_t error = 0;
  for_each_block([&](int64_t begin) {
    call_.result = values_->mutable_data() + begin * width;
    if (valid_bytes_) call_.result_valid = valid_bytes_->mutable_data() + begin;
    error |= kernel_->compute(call_);
  });
  if (kernel_->write) write_strings();
  return error;
}

/// Gives strings whose lengths are known a place, and writes them.
void Run::write_strings() {
  auto* views = values_->mutable_as<types::StringView>();
  heap_.lay_out({views, static_cast<size_t>(num_rows_)}, pool_);
  call_.result_heap = heap_.addresses();
  for_each_block([&](int64_t begin) {
    call_.result = views + begin;
    kernel_->write(call_);
  });
}

bool Run::nulls_row(uint8_t code) const {
  if (code & functions::kFailsAlways) return false;
  if (instruction_.mode == EvalMode::Try) return true;
  return instruction_.mode == EvalMode::Legacy && (code & functions::kNullInLegacy);
}

/// Says whether some of these error bits change a row in the call's mode.
bool Run::matters(uint64_t bits) const {
  constexpr uint64_t kInLegacy = functions::kNullInLegacy | functions::kFailsAlways;
  return (instruction_.mode == EvalMode::Legacy ? bits & kInLegacy : bits) != 0;
}

/// Computes each row's code, and turns it into an error, a null, or nothing, as the mode says.
ErrorLane Run::own_errors(const ErrorLane& inherited) {
  auto codes = pool_.allocate(num_rows_);
  for_each_block([&](int64_t begin) {
    call_.codes = codes->mutable_data() + begin;
    kernel_->codes(call_);
  });
  auto errors = std::make_shared<std::vector<LaneError>>();
  std::shared_ptr<memory::Buffer> nulls;
  const uint8_t* valid = validity_ ? validity_->data() : nullptr;
  for (int64_t row = 0; row < num_rows_; ++row) {
    const uint8_t code = codes->data()[row];
    if (code == 0 || (valid && !bits::get(valid, row))) continue;
    if (nulls_row(code)) {
      if (!nulls) {
        nulls = pool_.allocate(bits::bytes_for(num_rows_));
        bits::fill(nulls->mutable_data(), num_rows_, true);
      }
      bits::clear(nulls->mutable_data(), row);
    } else if (instruction_.mode != EvalMode::Legacy || (code & functions::kFailsAlways)) {
      errors->push_back({static_cast<int32_t>(row), instruction_.expression, code});
    }
  }
  ErrorLane reaching = inherited;
  if (nulls) {
    if (instruction_.function->description->right_first) {
      // A zero divisor gives null before the left argument is looked at; one that failed is no zero.
      reaching = filter(inherited, [&](int32_t row) { return !(codes->data()[row] & functions::kDivideByZero); });
      reaching = merge(arguments_.back()->errors, reaching);
    }
    validity_ = intersect(validity_, nulls, num_rows_, pool_);
  }
  return merge(reaching, errors->empty() ? nullptr : ErrorLane(std::move(errors)));
}

ColumnPtr Run::finish() {
  if (valid_bytes_) {
    auto bitmap = pool_.allocate(bits::bytes_for(num_rows_));
    bits::pack(valid_bytes_->data(), num_rows_, bitmap->mutable_data());
    validity_ = intersect(validity_, bitmap, num_rows_, pool_);
  }
  return Column::flat(
      {instruction_.type, result_physical_, num_rows_, 0, std::move(values_), validity_, heap_.finish(), {}});
}

SlotValue Run::run() {
  ErrorLane errors =
      argument_errors(arguments_, instruction_.function->description->right_first, !overload_.sees_nulls);
  for (size_t i = 0; i < arguments_.size() && !overload_.sees_nulls; ++i) {
    if (is_null_constant(argument(i))) return {Column::nulls(instruction_.type, num_rows_, pool_.budget()), errors};
  }
  choose_kernel();
  find_validity();
  find_seen();
  prepare_result();
  if (matters(compute())) errors = own_errors(errors);
  return {finish(), std::move(errors), range_};
}

}  // namespace

SlotValue run_call(const Instruction& instruction, std::span<SlotValue* const> arguments, int64_t num_rows,
                   BufferPool& pool, const memory::BufferPtr& wanted) {
  return Run(instruction, arguments, num_rows, pool, wanted).run();
}

}  // namespace accelerant::expressions
