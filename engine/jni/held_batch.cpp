#include "jni/held_batch.h"

#include "base/error.h"
#include "columns/arrow_c_data.h"

#include <algorithm>
#include <utility>

namespace accelerant::jni {

namespace {

struct Held {
  columns::Batch batch;
  std::shared_ptr<memory::Budget> budget;
  ArrowArray shown = {};
};

void release_batch(ArrowArray* array) {
  auto* held = static_cast<Held*>(array->private_data);
  held->shown.release(&held->shown);
  delete held;
  array->release = nullptr;
}

const Held& held_by(const ArrowArray& array) {
  ACC_CHECK(array.release == release_batch);
  return *static_cast<const Held*>(array.private_data);
}

}  // namespace

void hold_batch(columns::Batch batch, const std::vector<int>& shown, const std::shared_ptr<memory::Budget>& budget,
                ArrowArray* out) {
  auto held = std::make_unique<Held>();
  held->budget = budget;
  columns::Batch exported;
  exported.num_rows = held->batch.num_rows = batch.num_rows;
  for (const int column : shown) exported.columns.push_back(batch.columns[static_cast<size_t>(column)]);
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    if (std::ranges::find(shown, static_cast<int>(i)) == shown.end()) held->batch.columns.push_back(batch.columns[i]);
  }
  columns::export_batch(exported, budget, &held->shown);
  *out = held->shown;
  out->release = release_batch;
  out->private_data = held.release();
}

const columns::Batch& held_batch(const ArrowArray& array) { return held_by(array).batch; }

void export_held(const ArrowArray& array, std::span<const int> columns, ArrowArray* out) {
  const Held& held = held_by(array);
  columns::Batch chosen;
  chosen.num_rows = held.batch.num_rows;
  for (const int column : columns) chosen.columns.push_back(held.batch.columns[static_cast<size_t>(column)]);
  columns::export_batch(chosen, held.budget, out);
}

}  // namespace accelerant::jni
