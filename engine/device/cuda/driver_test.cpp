#include "device/cuda/driver.h"

#include <gtest/gtest.h>

#include <map>

namespace accelerant::device::cuda {
namespace {

// A driver that does as it should.
int initialize(unsigned) { return 0; }
int get_version(int* version) {
  *version = 13'050;
  return 0;
}
int get_count(int* count) {
  *count = 2;
  return 0;
}
int get_error(int status, const char** text) {
  *text = "no CUDA-capable device is detected";
  return status == 100 ? 0 : 1;
}

// What may go wrong in one.
int get_old_version(int* version) {
  *version = 12'040;
  return 0;
}
int get_no_count(int* count) {
  *count = 0;
  return 0;
}
template <class Argument, int kStatus>
int fail(Argument) {
  return kStatus;
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

using Functions = std::map<std::string, void*>;

Functions good_driver() {
  return {{"cuInit", address_of(initialize)},
          {"cuDriverGetVersion", address_of(get_version)},
          {"cuDeviceGetCount", address_of(get_count)},
          {"cuGetErrorString", address_of(get_error)}};
}

std::variant<CudaDriver, Unavailable> start(const Functions& functions) {
  return start_driver([&functions](const char* name) {
    const auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second;
  });
}

std::string reason_with(const std::string& name, void* function) {
  Functions functions = good_driver();
  functions[name] = function;
  return std::get<Unavailable>(start(functions)).reason;
}

template <int kStatus>
std::string reason_when_failing(const std::string& name) {
  return reason_with(name, name == "cuInit" ? address_of(fail<unsigned, kStatus>) : address_of(fail<int*, kStatus>));
}

TEST(CudaDriver, TellsItsVersionAndGpus) {
  const auto driver = std::get<CudaDriver>(start(good_driver()));
  EXPECT_EQ(format_version(driver.version), "13.5");
  EXPECT_EQ(driver.num_gpus, 2);
}

TEST(CudaDriver, SaysInOneLineThatItIsMissing) {
  EXPECT_EQ(
      std::get<Unavailable>(open_driver("libno_such_driver.so.1")).reason,
      "no GPU is used: there is no NVIDIA driver (libno_such_driver.so.1: cannot open shared object file: No such "
      "file or directory)");
}

TEST(CudaDriver, SaysThatItIsTooOldOrHasNoGpu) {
  EXPECT_EQ(reason_with("cuDriverGetVersion", address_of(get_old_version)),
            "no GPU is used: the NVIDIA driver is for CUDA 12.4, needed is one for 13.0 or later");
  EXPECT_EQ(reason_with("cuDeviceGetCount", address_of(get_no_count)), "no GPU is used: the NVIDIA driver shows none");
}

TEST(CudaDriver, NamesTheCallThatFails) {
  for (const std::string name : {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount"}) {
    EXPECT_EQ(reason_when_failing<100>(name),
              "no GPU is used: " + name + " failed: no CUDA-capable device is detected");
    EXPECT_EQ(reason_when_failing<999>(name), "no GPU is used: " + name + " failed: error 999");
    EXPECT_EQ(reason_with(name, nullptr), "no GPU is used: the NVIDIA driver has no " + name);
  }
}

}  // namespace
}  // namespace accelerant::device::cuda
