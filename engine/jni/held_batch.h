#pragma once

#include "columns/arrow_abi.h"
#include "columns/batch.h"
#include "memory/budget.h"

#include <memory>
#include <span>
#include <vector>

namespace accelerant::jni {

/// Makes an Arrow array of a batch that stays in the engine: it has the batch's length, some of its columns as
/// children, and keeps the others until it is released.
/// @param shown positions of the columns that are exported, in this order
void hold_batch(columns::Batch batch, const std::vector<int>& shown, const std::shared_ptr<memory::Budget>& budget,
                ArrowArray* out);

/// Returns what an array made by `hold_batch` keeps: the columns that it does not show.
const columns::Batch& held_batch(const ArrowArray& array);

/// Exports some of the columns that an array made by `hold_batch` keeps, by position among these.
void export_held(const ArrowArray& array, std::span<const int> columns, ArrowArray* out);

}  // namespace accelerant::jni
