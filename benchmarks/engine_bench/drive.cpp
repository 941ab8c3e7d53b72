#include "drive.h"

#include "plan/limit.h"

#include <optional>

namespace accelerant::bench {

using columns::Batch;
using operators::Step;

int64_t pass(const operators::Transform& transform, const Table& table) {
  const auto state = transform.make_state();
  int64_t rows = 0;
  for (const Batch& batch : table.batches) {
    Batch in = batch;
    for (bool more = true; more;) {
      std::optional<Batch> out;
      more = transform.process(*state, in, out).kind == Step::Kind::HasOutput;
      if (out) rows += out->num_selected();
    }
  }
  return rows;
}

void fill(operators::Breaker& sink, const Table& table) {
  const auto state = sink.make_state();
  for (const Batch& batch : table.batches) {
    Batch in = batch;
    sink.consume(*state, in);
  }
  sink.combine(*state);
  sink.finish();
  for (int64_t task = 0; task < sink.num_finish_tasks(); ++task) sink.run_finish_task(task);
}

int64_t drain(operators::Breaker& sink) {
  const plan::Limit node;  // any
  operators::StageResults results;
  sink.hand_on(node, results);
  const auto source = results.rows.at(&node)->make_source(0, 1);
  const auto state = source->make_state();
  int64_t rows = 0;
  for (Batch out; source->next(*state, out).kind == Step::Kind::HasOutput;) rows += out.num_selected();
  return rows;
}

}  // namespace accelerant::bench
