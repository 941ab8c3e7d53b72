#include "drive.h"

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
}

int64_t drain(const operators::Breaker& sink) {
  const auto source = sink.make_source(0, 1);
  const auto state = source->make_state();
  int64_t rows = 0;
  for (Batch out; source->next(*state, out).kind == Step::Kind::HasOutput;) rows += out.num_selected();
  return rows;
}

}  // namespace accelerant::bench
