#pragma once

#include "base/error.h"
#include "device/emulator/test_orders.h"
#include "device/faults/fault.h"
#include "device/launch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

/// What the tests of planted mistakes have in common.
namespace accelerant::device::faults {

enum class Build { Plain, Address, Thread };

#if defined(__SANITIZE_ADDRESS__)
inline constexpr Build kBuild = Build::Address;
#elif defined(__SANITIZE_THREAD__)
inline constexpr Build kBuild = Build::Thread;
#else
inline constexpr Build kBuild = Build::Plain;
#endif

/// The status with which the thread sanitizer ends a process that it has complained about.
inline constexpr int kRaceStatus = 66;

inline constexpr int64_t kNumValues = 64;

inline std::vector<int64_t> values() {
  std::vector<int64_t> numbers(kNumValues);
  std::iota(numbers.begin(), numbers.end(), 100);
  return numbers;
}

/// Runs a kernel on a stream, so that what comes next has stacks that fibers have run on.
inline void use_stacks(DeviceStream& stream) {
  launch<Copy>(stream, 4, {nullptr, 0, nullptr});
  stream.synchronize();
}

/// Runs a kernel on the values; returns what it leaves, which is 0 at first and has one place more than there are
/// values.
template <class Kernel>
std::vector<int64_t> run(const emulator::Schedule& schedule, int64_t blocks = 1) {
  emulator::TestDevice device(schedule);
  use_stacks(device.stream());
  const int64_t* from = device.put(values());
  auto* to = device.put(std::vector<int64_t>(kNumValues + 1));
  launch<Kernel>(device.stream(), blocks, {from, kNumValues, to});
  return device.get(to, kNumValues + 1);
}

/// Runs a kernel in all orders, expecting the same answer of each, and returns it.
template <class Kernel>
std::vector<int64_t> run_in_all_orders(int64_t blocks = 1) {
  const std::vector<int64_t> answer = run<Kernel>(emulator::test_orders().front(), blocks);
  for (const emulator::Schedule& schedule : emulator::test_orders()) {
    EXPECT_EQ(run<Kernel>(schedule, blocks), answer) << testing::PrintToString(schedule);
  }
  return answer;
}

/// Says whether a kernel gives another answer than the right one in some order.
template <class Kernel>
bool is_wrong_in_some_order(const std::vector<int64_t>& right, int64_t blocks = 1) {
  for (const emulator::Schedule& schedule : emulator::test_orders()) {
    if (run<Kernel>(schedule, blocks) != right) return true;
  }
  return false;
}

/// Replaces each line of a source by N.
inline std::string without_lines(std::string text) {
  const std::string_view mark = ".h:";
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    const size_t end = text.find_first_not_of("0123456789", at);
    text.replace(at, end == std::string::npos ? end : end - at, "N");
  }
  return text;
}

/// Returns what the emulator says of a kernel, each line of a source as N; empty where it has nothing to say.
template <class Kernel>
std::string complaint(const emulator::Schedule& schedule, int64_t blocks = 1) {
  try {
    run<Kernel>(schedule, blocks);
  } catch (const Error& error) {
    return without_lines(error.message());
  }
  return "";
}

/// Runs a kernel and ends the process; for death tests.
template <class Kernel>
[[noreturn]] void run_and_exit(const emulator::Schedule& schedule, int64_t blocks = 1) {
  run<Kernel>(schedule, blocks);
  std::exit(0);
}

/// Expects that the thread sanitizer's build reports a race of a kernel, in each of two orders, and names the kernel's
/// file.
template <class Kernel>
void expect_race(const std::string& file, int64_t blocks = 1) {
  if constexpr (kBuild == Build::Thread) {
    for (const emulator::Turns turns : {emulator::Turns::Forward, emulator::Turns::Random}) {
      EXPECT_EXIT(run_and_exit<Kernel>(emulator::Schedule{turns, 5, 4}, blocks), testing::ExitedWithCode(kRaceStatus),
                  "SUMMARY: ThreadSanitizer: data race [^ ]*" + file);
    }
  }
}

/// Death tests run in a process of their own from its start: the engine's tests have threads.
class PlantedFault : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

}  // namespace accelerant::device::faults
