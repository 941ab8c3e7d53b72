#pragma once

#include "planner/operators.h"
#include "runtime/query.h"

#include <jni.h>

namespace accelerant::jni {

/// Makes the islands of a query from three numbers each: plan node, partitions, estimated rows.
planner::Islands to_islands(JNIEnv* env, jlongArray islands);

}  // namespace accelerant::jni
