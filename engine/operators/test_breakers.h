#pragma once

#include "columns/test_columns.h"
#include "operators/stage_results.h"
#include "operators/test_steps.h"
#include "plan/limit.h"
#include "spill/spill_target.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// Runs rows through breakers: only tests include this.
namespace accelerant::operators::test {

/// Where a breaker spills to.
inline std::shared_ptr<spill::SpillTarget> spill_target(const execution::OperatorContext& ctx) {
  return std::make_shared<spill::SpillTarget>(ctx.budget->name(), ctx.budget);
}

/// A batch of the given keys and the number of the row among all.
inline columns::Batch batch_of(int64_t morsel, columns::ColumnPtr keys, int64_t first_row) {
  columns::Batch batch;
  batch.morsel = morsel;
  batch.num_rows = keys->length();
  std::vector<std::optional<int64_t>> rows;
  for (int64_t i = 0; i < batch.num_rows; ++i) rows.push_back(first_row + i);
  batch.columns = {std::move(keys), columns::test::make_longs(rows)};
  batch.ends_morsel = true;
  return batch;
}

/// Runs batches, dealt to several workers, through a sink whose steps wait many times.
inline void run(Breaker& sink, const std::vector<columns::Batch>& batches, size_t num_workers) {
  std::vector<std::unique_ptr<State>> states;
  for (size_t i = 0; i < num_workers; ++i) states.push_back(sink.make_state());
  for (size_t i = 0; i < batches.size(); ++i) {
    columns::Batch batch = batches[i];
    (void)insist([&] { return sink.consume(*states[i * 7 % num_workers], batch); });
  }
  for (const auto& state : states) (void)insist([&] { return sink.combine(*state); });
  (void)insist_to_end([&] { return sink.finish(); });
  for (int64_t task = 0; task < sink.num_finish_tasks(); ++task)
    (void)insist([&] { return sink.run_finish_task(task); });
}

/// Runs batches through a sink in the same way, each morsel's by one worker.
inline void run_by_morsel(Breaker& sink, const std::vector<columns::Batch>& batches, size_t num_workers) {
  std::vector<std::unique_ptr<State>> states;
  for (size_t i = 0; i < num_workers; ++i) states.push_back(sink.make_state());
  for (const columns::Batch& batch : batches) {
    columns::Batch in = batch;
    (void)insist([&] { return sink.consume(*states[static_cast<size_t>(batch.morsel) % num_workers], in); });
  }
  for (const auto& state : states) (void)insist([&] { return sink.combine(*state); });
  states.clear();
  (void)insist_to_end([&] { return sink.finish(); });
  for (int64_t task = 0; task < sink.num_finish_tasks(); ++task)
    (void)insist([&] { return sink.run_finish_task(task); });
}

/// Runs batches through a sink, each morsel's by one of several threads, up to where it is to be finished.
inline void run_in_threads(Breaker& sink, const std::vector<columns::Batch>& batches, size_t num_threads) {
  std::vector<std::unique_ptr<State>> states;
  for (size_t i = 0; i < num_threads; ++i) states.push_back(sink.make_state());
  std::vector<std::jthread> threads;
  for (size_t worker = 0; worker < num_threads; ++worker) {
    threads.emplace_back([&, worker] {
      State& state = *states[worker];
      for (const columns::Batch& batch : batches) {
        if (static_cast<size_t>(batch.morsel) % num_threads != worker) continue;
        columns::Batch in = batch;
        if (sink.consume(state, in).kind == Step::Kind::Finished) break;
      }
      (void)sink.combine(state);
    });
  }
}

/// Returns the rows that a complete breaker hands on.
inline std::shared_ptr<const StageRows> handed_on(Breaker& sink) {
  const plan::Limit node;  // any
  StageResults results;
  sink.hand_on(node, results);
  return results.rows.at(&node);
}

/// Returns the values of a column, one after the other, of a part of the result.
inline std::string rows_of(Breaker& sink, size_t column, int index = 0, int count = 1) {
  std::string text;
  const auto source = handed_on(sink)->make_source(index, count);
  const auto state = source->make_state();
  columns::Batch batch;
  while (insist_to_end([&] { return source->next(*state, batch); }).kind == Step::Kind::HasOutput) {
    for (const std::string& row : columns::test::show(*batch.columns[column])) text += row + " ";
  }
  return text;
}

}  // namespace accelerant::operators::test
