#include "jni/held_batch.h"

#include "base/error.h"

#include <memory>
#include <utility>

namespace accelerant::jni {

namespace {

void release_batch(ArrowArray* array) {
  delete static_cast<columns::Batch*>(array->private_data);
  array->release = nullptr;
}

}  // namespace

void hold_batch(columns::Batch batch, ArrowArray* out) {
  auto held = std::make_unique<columns::Batch>(std::move(batch));
  *out = {};
  out->length = held->num_rows;
  out->release = release_batch;
  out->private_data = held.release();
}

const columns::Batch& held_batch(const ArrowArray& array) {
  ACC_CHECK(array.release == release_batch);
  return *static_cast<const columns::Batch*>(array.private_data);
}

}  // namespace accelerant::jni
