#include "operators/memory_scan.h"

#include "io/arrow_stream.h"
#include "io/cached_batch.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

struct MemoryScanState final : State {
  std::unique_ptr<io::ExternalReader> reader;  ///< of the morsel; nullptr between morsels
  memory::BufferPtr bytes;                     ///< to be decoded next
  std::deque<Batch> read;                      ///< what comes next of the morsel
  int64_t morsel = 0;
  int64_t sequence = 0;
  bool is_drawn = false;   ///< a morsel, which has not ended
  bool has_ended = false;  ///< its rows have, which is still to be said
};

/// Emits partitions [first, last). Workers draw them from a counter.
class MemoryScanSource final : public Source {
 public:
  MemoryScanSource(std::shared_ptr<const plan::MemoryScan> node, std::shared_ptr<const io::ExternalTable> rows,
                   int first, int last, execution::OperatorContext ctx)
      : node_(std::move(node)), rows_(std::move(rows)), first_(first), last_(last), ctx_(std::move(ctx)) {}

  std::string_view name() const override { return "MemoryScan"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<MemoryScanState>(); }
  int64_t num_morsels() const override { return last_ - first_; }

  Step next(State& state, Batch& out) override {
    auto& place = static_cast<MemoryScanState&>(state);
    if (!place.is_drawn) draw(place);
    out.morsel = place.morsel;
    if (place.morsel >= num_morsels()) return Step::finished();
    if (!place.reader) place.reader = rows_->open(first_ + static_cast<int>(place.morsel));
    Batch batch = take(place);
    batch.morsel = place.morsel;
    batch.sequence = place.sequence++;
    if (batch.ends_morsel) {
      place.reader.reset();
      place.is_drawn = false;
    }
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  void draw(MemoryScanState& place) {
    place.morsel = next_morsel_.fetch_add(1, std::memory_order_relaxed);
    place.sequence = 0;
    place.is_drawn = place.morsel < num_morsels();
  }

  /// Takes the next batch of a morsel; the last one is empty.
  Batch take(MemoryScanState& place) const {
    while (place.read.empty()) {
      if (!place.bytes && !place.has_ended) read_bytes(place);
      if (place.has_ended) {
        Batch last = last_batch();
        place.has_ended = false;
        return last;
      }
      if (node_->place == plan::MemoryScan::Place::Cache) {
        add(io::read_cached_batch(place.bytes, node_->row_type, ctx_.budget), place.read);
      } else {
        for (Batch& batch : io::read_arrow_stream(place.bytes, node_->row_type, ctx_.budget))
          add(std::move(batch), place.read);
      }
      place.bytes = nullptr;
    }
    Batch batch = std::move(place.read.front());
    place.read.pop_front();
    if (batch.num_rows <= ctx_.batch_rows) return batch;
    place.read.push_front(slice(batch, ctx_.batch_rows, batch.num_rows - ctx_.batch_rows));
    return slice(batch, 0, ctx_.batch_rows);
  }

  void read_bytes(MemoryScanState& place) const {
    place.bytes = place.reader->next(ctx_.budget);
    place.has_ended = !place.bytes;
    if (place.bytes && ctx_.metrics) ctx_.metrics->input_bytes += place.bytes->size_bytes();
  }

  static void add(Batch batch, std::deque<Batch>& batches) {
    if (batch.num_rows > 0) batches.push_back(std::move(batch));
  }

  Batch last_batch() const {
    Batch batch;
    for (const types::Field& field : node_->row_type.fields()) {
      batch.columns.push_back(columns::Column::nulls(field.type, 0, ctx_.budget));
    }
    batch.ends_morsel = true;
    return batch;
  }

  const std::shared_ptr<const plan::MemoryScan> node_;
  const std::shared_ptr<const io::ExternalTable> rows_;
  const int first_;
  const int last_;
  const execution::OperatorContext ctx_;
  std::atomic<int64_t> next_morsel_{0};
};

}  // namespace

std::unique_ptr<Source> MemoryTable::make_source(int first, int last, const execution::OperatorContext& ctx) const {
  return std::make_unique<MemoryScanSource>(node_, rows_, first, last, ctx);
}

}  // namespace accelerant::operators
