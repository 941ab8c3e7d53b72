#include "expressions/evaluator.h"

#include "base/error.h"
#include "columns/gather.h"
#include "columns/refer.h"
#include "expressions/compute.h"
#include "expressions/guards.h"
#include "expressions/instruction.h"
#include "expressions/selection.h"

#include <algorithm>

namespace accelerant::expressions {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using columns::RowError;

namespace {

/// Below this share of the rows, the selected ones are gathered before computing: 1 / kSparse.
constexpr int64_t kSparse = 2;

}  // namespace

struct Evaluator::Impl {
  Impl(std::shared_ptr<const Program> program_to_run, std::shared_ptr<memory::Budget> budget, int node,
       std::shared_ptr<const execution::Parameters> given)
      : program(std::move(program_to_run)),
        parts(program->parts()),
        parameters(std::move(given)),
        pool(std::move(budget)),
        computer(pool, parameters),
        plan_node(node) {
    slots.resize(parts.instructions.size());
    for (size_t k = 0; k < parts.outputs.size(); ++k) asked.push_back(slot_asked_by(k));
  }

  void start(const Batch& batch);
  void finish() noexcept;
  void run_until(int end, RowSet& selected);
  void run(Slot slot, const RowSet& selected);
  Slot slot_asked_by(size_t k) const;
  bool keep_values(size_t k, RowSet& selected);
  memory::BufferPtr wanted_rows(const Instruction& instruction, const RowSet& selected);
  void release_arguments(Slot slot);
  void release_output(size_t k);
  void make_dense(RowSet& selected);
  bool is_sparse(const RowSet& selected) const { return selected.count() * kSparse < selected.num_rows(); }
  int32_t batch_row(int32_t row) const { return dense_rows ? (*dense_rows)[static_cast<size_t>(row)] : row; }
  std::vector<RowError> take_errors(const SlotValue& value, RowSet& selected);
  void add_input(RowError& error) const;
  columns::Selection selection_of(const RowSet& selected) const;

  std::shared_ptr<const Program> program;
  const ProgramParts& parts;
  const std::shared_ptr<const execution::Parameters> parameters;
  BufferPool pool;
  Computer computer;
  const int plan_node;
  std::vector<Slot> asked;  ///< by output: the input of which it only says whether there is a value; -1: it does more

  // Of the batch at hand.
  const Batch* in = nullptr;
  std::vector<SlotValue> slots;
  std::vector<SlotValue*> arguments;
  int next = 0;                   ///< the first instruction that has not run
  int64_t num_rows = 0;           ///< rows of slots
  columns::Selection dense_rows;  ///< the batch's rows that slots hold; nullptr: all
};

void Evaluator::Impl::start(const Batch& batch) {
  in = &batch;
  next = 0;
  num_rows = batch.num_rows;
  dense_rows = nullptr;
}

/// Lets go of the batch.
void Evaluator::Impl::finish() noexcept {
  in = nullptr;
  dense_rows = nullptr;
  for (SlotValue& slot : slots) slot = SlotValue{};
}

/// Runs instructions up to `end`.
void Evaluator::Impl::run_until(int end, RowSet& selected) {
  if (next < end && is_sparse(selected)) make_dense(selected);
  for (; next < end; ++next) {
    run(next, selected);
    release_arguments(next);
  }
}

/// Returns the rows whose values count, as a bitmap; nullptr: all rows are to be computed.
memory::BufferPtr Evaluator::Impl::wanted_rows(const Instruction& instruction, const RowSet& selected) {
  if (!skips_rows(instruction) || (selected.all() && instruction.guards.empty())) return nullptr;
  auto wanted = pool.allocate(bits::bytes_for(num_rows));
  bits::fill(wanted->mutable_data(), num_rows, selected.all());
  if (!selected.all()) {
    for (const int32_t row : selected.rows()) bits::set(wanted->mutable_data(), row);
  }
  for (const Guard& guard : instruction.guards) {
    const Column& column = *slots[static_cast<size_t>(guard.slot)].column;
    clear_unguarded(guard, column, num_rows, pool, wanted->mutable_data());
  }
  return wanted;
}

void Evaluator::Impl::run(Slot slot, const RowSet& selected) {
  const Instruction& instruction = parts.instructions[static_cast<size_t>(slot)];
  SlotValue& value = slots[static_cast<size_t>(slot)];
  if (instruction.operation == Operation::Input) {
    const ColumnPtr& column = in->columns[static_cast<size_t>(instruction.column)];
    ACC_CHECK(column && column->length() == in->num_rows);
    value = {dense_rows ? columns::refer(*column, *dense_rows, pool.budget()) : column, nullptr};
  } else if (instruction.operation == Operation::Literal) {
    value = {Column::constant(instruction.constant, num_rows), nullptr};
  } else if (instruction.operation == Operation::Parameter) {
    value = {Column::constant(parameters->values.at(instruction.parameter), num_rows), nullptr};
  } else {
    arguments.clear();
    for (const Slot argument : instruction.arguments) arguments.push_back(&slots[static_cast<size_t>(argument)]);
    value = computer.compute(instruction, slot, arguments, num_rows, wanted_rows(instruction, selected));
  }
}

/// Returns the input of which an output, that nothing else reads, only says whether there is a value; -1: it does more.
Slot Evaluator::Impl::slot_asked_by(size_t k) const {
  const Slot output = parts.outputs[k];
  const auto place = static_cast<size_t>(output);
  const Instruction& call = parts.instructions[place];
  const bool is_read_once = parts.last_reads[place] < 0 && parts.last_outputs[place] == static_cast<int>(k);
  const bool is_last = output == parts.output_ends[k] - 1;
  if (!is_read_once || !is_last || call.operation != Operation::Call || class_of(call) != "IsNotNull") return -1;
  const Slot argument = call.arguments.front();
  return parts.instructions[static_cast<size_t>(argument)].operation == Operation::Input ? argument : -1;
}

/// Keeps the rows at which a condition's input has a value, by its bits, where the condition asks for no more. Returns
/// false, and keeps all, where it does, or where there are no such bits.
bool Evaluator::Impl::keep_values(size_t k, RowSet& selected) {
  if (asked[k] < 0 || next > parts.outputs[k]) return false;
  run_until(parts.outputs[k], selected);
  const Column& column = *slots[static_cast<size_t>(asked[k])].column;
  if (!column.is_flat() || column.physical() == types::PhysicalType::Null) return false;
  if (column.validity()) selected.keep_set(column.validity(), column.offset());
  release_arguments(next++);
  return true;
}

/// Lets go of values that nothing reads any more.
void Evaluator::Impl::release_arguments(Slot slot) {
  for (const Slot argument : parts.instructions[static_cast<size_t>(slot)].arguments) {
    const size_t place = static_cast<size_t>(argument);
    if (parts.last_reads[place] == slot && parts.last_outputs[place] < 0) slots[place] = SlotValue{};
  }
}

/// Lets go of an output that a filter has used, unless something else reads it.
void Evaluator::Impl::release_output(size_t k) {
  const size_t place = static_cast<size_t>(parts.outputs[k]);
  if (parts.last_reads[place] < parts.output_ends[k] && parts.last_outputs[place] == static_cast<int>(k)) {
    slots[place] = SlotValue{};
  }
}

/// Gathers the selected rows of every value at hand, and goes on with these rows alone.
void Evaluator::Impl::make_dense(RowSet& selected) {
  const std::vector<int32_t>& rows = selected.rows();
  for (SlotValue& value : slots) {
    if (!value.column) continue;
    value.column = value.column->is_constant() ? Column::constant(value.column->child_values(), selected.count())
                                               : columns::refer(*value.column, rows, pool.budget());
    value.errors = gather(value.errors, rows);
  }
  auto in_batch = std::make_shared<std::vector<int32_t>>(rows);
  for (int32_t& row : *in_batch) row = batch_row(row);
  dense_rows = std::move(in_batch);
  num_rows = selected.count();
  selected = RowSet(num_rows, nullptr);
}

/// Adds the batch's columns cut to the error's row, and the parameters, for the message that Spark will make.
void Evaluator::Impl::add_input(RowError& error) const {
  auto input = std::make_shared<std::vector<ColumnPtr>>();
  for (const ColumnPtr& column : in->columns) {
    input->push_back(column ? columns::copy_compact(*column->slice(error.row, 1), pool.budget()) : nullptr);
  }
  error.input_attributes.assign(input->size(), -1);
  for (const Instruction& instruction : parts.instructions) {
    if (instruction.operation == Operation::Input) {
      error.input_attributes[static_cast<size_t>(instruction.column)] = instruction.expression;
    } else if (instruction.operation == Operation::Parameter) {
      input->push_back(parameters->values.at(instruction.parameter));
      error.input_attributes.push_back(instruction.parameter);
    }
  }
  error.input = std::move(input);
}

/// Takes the selected rows that failed out of the selection, and returns their errors, at rows of the batch.
std::vector<RowError> Evaluator::Impl::take_errors(const SlotValue& value, RowSet& selected) {
  std::vector<RowError> errors;
  if (!value.errors) return errors;
  std::vector<int32_t> failed;
  for (const LaneError& error : *value.errors) {
    if (!selected.contains(error.row)) continue;
    failed.push_back(error.row);
    RowError& added =
        errors.emplace_back(RowError{batch_row(error.row), error.code, plan_node, error.expression, nullptr});
    added.failure = error.failure;
  }
  selected.remove(failed);
  return errors;
}

columns::Selection Evaluator::Impl::selection_of(const RowSet& selected) const {
  if (selected.all()) return dense_rows;
  if (!dense_rows && selected.count() == in->num_selected()) return in->selection;
  auto rows = std::make_shared<std::vector<int32_t>>(selected.rows());
  for (int32_t& row : *rows) row = batch_row(row);
  return rows;
}

namespace {

bool by_row(const RowError& a, const RowError& b) { return a.row < b.row; }

/// Adds errors to those a batch has, ascending by row.
void add_errors(std::vector<RowError>& errors, std::vector<RowError> added) {
  const auto middle = static_cast<std::ptrdiff_t>(errors.size());
  errors.insert(errors.end(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  std::inplace_merge(errors.begin(), errors.begin() + middle, errors.end(), by_row);
}

/// Renumbers errors for a batch that holds only `rows`: to the number of those before.
void renumber(std::vector<RowError>& errors, const std::vector<int32_t>& rows) {
  for (RowError& error : errors) {
    error.row = static_cast<int32_t>(std::lower_bound(rows.begin(), rows.end(), error.row) - rows.begin());
  }
}

}  // namespace

/// Lets go of a batch, however its evaluation ends.
class Evaluator::Use {
 public:
  Use(Impl& impl, const Batch& batch) : impl_(impl) { impl_.start(batch); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { impl_.finish(); }

 private:
  Impl& impl_;
};

Evaluator::Evaluator(std::shared_ptr<const Program> program, std::shared_ptr<memory::Budget> budget, int plan_node,
                     std::shared_ptr<const execution::Parameters> parameters)
    : impl_(std::make_unique<Impl>(std::move(program), std::move(budget), plan_node, std::move(parameters))) {}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

Batch Evaluator::project(const Batch& in) {
  Impl& impl = *impl_;
  const Use use(impl, in);
  RowSet selected(in.num_rows, in.selection);
  Batch out;
  std::vector<RowError> errors;
  for (size_t k = 0; k < impl.parts.outputs.size(); ++k) impl.run_until(impl.parts.output_ends[k], selected);
  for (const Slot output : impl.parts.outputs) {
    const SlotValue& value = impl.slots[static_cast<size_t>(output)];
    std::vector<RowError> failed = impl.take_errors(value, selected);
    add_errors(errors, std::move(failed));
    out.columns.push_back(value.column);
  }
  if (!errors.empty()) impl.add_input(errors.front());
  out.num_rows = impl.num_rows;
  out.errors = in.errors;
  add_errors(out.errors, std::move(errors));
  if (impl.dense_rows) renumber(out.errors, *impl.dense_rows);
  if (!impl.dense_rows) {
    out.selection = impl.selection_of(selected);
  } else if (!selected.all()) {
    out.selection = std::make_shared<std::vector<int32_t>>(selected.rows());
  }
  out.morsel = in.morsel;
  out.sequence = in.sequence;
  out.ends_morsel = in.ends_morsel;
  out.morsels_before = in.morsels_before;
  return out;
}

Batch Evaluator::filter(Batch in) {
  Impl& impl = *impl_;
  const Use use(impl, in);
  RowSet selected(in.num_rows, in.selection);
  std::vector<RowError> errors;
  for (size_t k = 0; k < impl.parts.outputs.size() && selected.count() > 0; ++k) {
    if (impl.keep_values(k, selected)) continue;
    impl.run_until(impl.parts.output_ends[k], selected);
    const Slot output = impl.parts.outputs[k];
    const SlotValue& value = impl.slots[static_cast<size_t>(output)];
    add_errors(errors, impl.take_errors(value, selected));
    selected.keep_true(*value.column, impl.pool);
    impl.release_output(k);
  }
  if (!errors.empty()) impl.add_input(errors.front());
  in.selection = impl.selection_of(selected);
  add_errors(in.errors, std::move(errors));
  return in;
}

}  // namespace accelerant::expressions
