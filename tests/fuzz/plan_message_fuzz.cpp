// libFuzzer target: the plan and splits messages.
// The unit test engine/plan/plan_message_fuzz_test.cpp feeds it mutated messages without clang.
#include "plan_message_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  accelerant::fuzz::feed_messages({data, size});
  return 0;
}
