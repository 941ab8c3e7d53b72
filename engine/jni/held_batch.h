#pragma once

#include "columns/arrow_abi.h"
#include "columns/batch.h"

namespace accelerant::jni {

/// Makes an Arrow array of a batch that stays in the engine: it has the batch's length, no children, and keeps the
/// batch until it is released.
void hold_batch(columns::Batch batch, ArrowArray* out);

/// Returns the batch that an array made by `hold_batch` keeps.
const columns::Batch& held_batch(const ArrowArray& array);

}  // namespace accelerant::jni
