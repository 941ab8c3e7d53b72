#pragma once

#include "base/error.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/splits_message.h"

#include <cstdint>
#include <span>

namespace accelerant::fuzz {

/// Decodes bytes as each kind of message and judges what is a plan. Anything but a result or an Error is a finding.
inline void feed_messages(std::span<const uint8_t> bytes) {
  try {
    const plan::PlanMessage message = plan::decode_plan(bytes);
    plan::judge(message).verdict.to_text();
  } catch (const Error&) {
  }
  try {
    plan::decode_splits(bytes);
  } catch (const Error&) {
  }
}

}  // namespace accelerant::fuzz
