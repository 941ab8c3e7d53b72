#include "groups.h"

#include "cells.h"
#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "functions/hash/xx_hash64.h"

#include <cstdio>
#include <utility>

namespace accelerant::gpu_check {

namespace {

/// Says whether a result is a zero whose sign tells nothing: of a group's zeros Min and Max give the first one on the
/// host, and one of the two on a device, where no row is the first.
bool is_extreme_zero(const codegen::GroupCall& call, const columns::Column& results, int64_t row) {
  const std::string_view name = call.call.function->description->spark_class;
  const bool is_extreme = name.ends_with(".Min") || name.ends_with(".Max");
  return is_extreme && results.type().is_floating() && !results.is_null(row) && double_at(results, row) == 0;
}

}  // namespace

Groups::Groups(const Grouping& grouping) : grouping_(grouping) {
  const execution::OperatorContext ctx{memory::process_budget(), nullptr, nullptr, 0, 1024};
  for (const codegen::GroupCall& call : grouping.calls) accumulators_.push_back(call.call.make_accumulator(ctx));
}

int32_t Groups::number_of(std::span<const columns::ColumnPtr> keys, int64_t row) {
  std::string key;
  for (const columns::ColumnPtr& column : keys) append_cell(*column, row, key);
  const auto [found, is_new] = numbers_.try_emplace(std::move(key), static_cast<int32_t>(num_rows_.size()));
  if (is_new) num_rows_.push_back(0);
  return found->second;
}

void Groups::resize() {
  for (auto& accumulator : accumulators_) accumulator->resize(num_groups());
}

void Groups::take_in(const columns::Batch& rows) {
  const std::span keys(rows.columns.data(), static_cast<size_t>(grouping_.num_keys));
  std::vector<int32_t> numbers;
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    numbers.push_back(number_of(keys, row));
    ++num_rows_[static_cast<size_t>(numbers.back())];
  }
  resize();
  for (size_t i = 0; i < accumulators_.size(); ++i) {
    std::vector<columns::ColumnPtr> arguments;
    for (const int argument : grouping_.calls[i].arguments) {
      arguments.push_back(columns::flatten(rows.columns[static_cast<size_t>(argument)], memory::process_budget()));
    }
    accumulators_[i]->update({numbers.data(), rows.num_rows, num_groups()}, arguments);
  }
}

void Groups::take_in(const codegen::GroupPart& part) {
  std::vector<int32_t> numbers;
  for (int64_t row = 0; row < part.num_groups; ++row) {
    const int64_t num_rows = part.num_rows[static_cast<size_t>(row)];
    numbers.push_back(num_rows == 0 ? 0 : number_of(part.keys, row));
    num_rows_[static_cast<size_t>(numbers.back())] += num_rows;
  }
  resize();
  for (size_t i = 0; i < accumulators_.size(); ++i) accumulators_[i]->merge_words(part.states[i], numbers);
}

void Groups::take_in(const Groups& other) {
  std::vector<int32_t> from;
  std::vector<int32_t> into;
  for (const auto& [key, number] : other.numbers_) {
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<int32_t>(num_rows_.size()));
    if (is_new) num_rows_.push_back(0);
    num_rows_[static_cast<size_t>(found->second)] += other.num_rows_[static_cast<size_t>(number)];
    from.push_back(number);
    into.push_back(found->second);
  }
  resize();
  for (size_t i = 0; i < accumulators_.size(); ++i) accumulators_[i]->merge(*other.accumulators_[i], from, into);
}

std::string Groups::bytes() const {
  std::vector<columns::ColumnPtr> results;
  std::vector<columns::RowError> errors;
  for (const auto& accumulator : accumulators_) results.push_back(accumulator->finish(1, size(), errors));
  std::string bytes;
  for (const auto& [key, number] : numbers_) {
    bytes += key + std::to_string(num_rows_[static_cast<size_t>(number)]);
    for (size_t i = 0; i < results.size(); ++i) {
      if (is_extreme_zero(grouping_.calls[i], *results[i], number - 1)) {
        bytes += "zero";
      } else {
        append_cell(*results[i], number - 1, bytes);
      }
    }
  }
  return bytes;
}

std::string Groups::checksum() const {
  const std::string all = bytes();
  char digits[17];
  const uint64 hash = functions::xx_hash64_bytes(all.data(), static_cast<int64_t>(all.size()), 42);
  std::snprintf(digits, sizeof digits, "%016lx", hash);
  return digits;
}

columns::Batch run_on_host(const codegen::RowSteps& steps, columns::Batch batch) {
  for (const codegen::RowStep& step : steps.steps) {
    expressions::Evaluator evaluator(step.program, memory::process_budget(), 0, steps.parameters);
    const bool is_filter = step.kind == codegen::RowStep::Kind::Filter;
    batch = is_filter ? evaluator.filter(std::move(batch)) : evaluator.project(batch);
  }
  return columns::compact(std::move(batch), memory::process_budget());
}

}  // namespace accelerant::gpu_check
