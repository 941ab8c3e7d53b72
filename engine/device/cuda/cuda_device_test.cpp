#include "device/cuda/cuda_device.h"

#include "base/error.h"
#include "device/cuda/test_driver.h"
#include "device/device_buffer.h"
#include "device/pinned_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <thread>

namespace accelerant::device::cuda {
namespace {

using test::state;

const KernelEntry kKernel{"known_kernel", 128, sizeof(int64_t), 0, nullptr};

class CudaDeviceTest : public testing::Test {
 protected:
  CudaDeviceTest() { state() = {}; }
  ~CudaDeviceTest() override {
    EXPECT_TRUE(state().memory.empty()) << "memory of the GPU was not freed";
    EXPECT_EQ(state().num_slabs, 0) << "pinned memory was not freed";
  }

  static std::unique_ptr<CudaDevice> open() {
    auto opened = CudaDevice::open(test::driver_of(test::functions()), 0);
    EXPECT_TRUE(std::holds_alternative<std::unique_ptr<CudaDevice>>(opened));
    return std::move(std::get<std::unique_ptr<CudaDevice>>(opened));
  }

  const std::shared_ptr<memory::Budget> large_budget_ = std::make_shared<memory::Budget>("large budget", 1 << 20);
};

TEST_F(CudaDeviceTest, TellsWhatItIs) {
  const auto device = open();
  EXPECT_EQ(device->name(), "Test GPU");
  EXPECT_EQ(device->architecture(), 90);
}

TEST_F(CudaDeviceTest, SaysWhyAGpuIsNotUsed) {
  const auto reason = [](const CudaDriver& driver) {
    return std::get<Unavailable>(CudaDevice::open(driver, 0)).reason;
  };
  state().architecture = 70;
  EXPECT_EQ(reason(test::driver_of(test::functions())),
            "no GPU is used: Test GPU is of sm_70, needed is sm_75 or later");
  auto functions = test::functions();
  functions.erase("cuMemAllocAsync");
  EXPECT_EQ(reason(test::driver_of(functions)), "no GPU is used: the NVIDIA driver has no cuMemAllocAsync");
  functions = test::functions();
  functions.erase("cuMemHostAlloc");
  EXPECT_EQ(reason(test::driver_of(functions)), "no GPU is used: the NVIDIA driver has no cuMemHostAlloc");
  state().architecture = 90;
  functions = test::functions();
  functions["cuDevicePrimaryCtxRetain"] = test::address_of(+[](Handle*, int32_t) -> Status { return 46; });
  EXPECT_EQ(reason(test::driver_of(functions)),
            "no GPU is used: GPU: cuDevicePrimaryCtxRetain failed: it was told to fail");
}

TEST_F(CudaDeviceTest, GivesBackAllThatItTook) {
  {
    const auto device = open();
    device->load(std::vector<uint8_t>{1});
    const auto stream = device->create_stream(memory::process_budget());
    const DeviceBuffer buffer(*stream, 100);
    EXPECT_EQ(device->memory()->used_bytes(), kAllocationUnitBytes);
  }
  EXPECT_EQ(state().calls,
            (std::vector<std::string>{"retain context", "load module", "allocate 100 on stream", "free on stream",
                                      "synchronize", "destroy stream", "unload module", "release context"}));
}

TEST_F(CudaDeviceTest, GivesBackFromAnyThread) {
  auto device = open();
  device->load(std::vector<uint8_t>{1});
  auto stream = device->create_stream(memory::process_budget());
  auto event = stream->record();
  auto buffer = std::make_unique<DeviceBuffer>(*stream, 100);
  state().calls.clear();
  // One thread each, as a thread that has had a context keeps it.
  std::jthread([&] { buffer.reset(); }).join();
  std::jthread([&] { event.reset(); }).join();
  std::jthread([&] { stream.reset(); }).join();
  std::jthread([&] { device.reset(); }).join();
  EXPECT_EQ(state().calls, (std::vector<std::string>{"free on stream", "destroy event", "synchronize", "destroy stream",
                                                     "unload module", "release context"}));
}

TEST_F(CudaDeviceTest, CopiesFillsAndLaunches) {
  const auto device = open();
  device->load(std::vector<uint8_t>{1});
  const auto stream = device->create_stream(memory::process_budget());
  const DeviceBuffer buffer(*stream, 4);
  std::string text = "abcd";
  stream->copy_to_device(buffer.as<char>(), text.data(), 4);
  stream->fill(buffer.as<char>(), 'x', 2);
  stream->copy_on_device(buffer.as<char>() + 2, buffer.as<char>(), 1);
  stream->copy_to_host(text.data(), buffer.as<char>(), 4);
  EXPECT_EQ(text, "xxxd");
  const int64_t argument = 77;
  stream->launch(kKernel, 5, &argument);
  EXPECT_EQ(state().calls.back(), "launch kernel of 5 on stream");
  EXPECT_EQ(state().launched_threads, 128);
  EXPECT_EQ(state().launched_arguments.front(), 77);
}

/// Memory that is slow to copy is pinned from so many bytes on; a slab has room for a buffer's padding too.
constexpr int64_t kSlabBytes = 64 << 10;
constexpr const char* kPinned = "pin 65600";

/// Copies so much to the GPU and back, and says whether it came back as it was.
bool comes_back(CudaDevice& device, const std::shared_ptr<memory::Budget>& budget) {
  const auto stream = device.create_stream(memory::process_budget());
  const DeviceBuffer memory(*stream, kSlabBytes);
  const auto buffer = device.pinned_memory()->allocate(kSlabBytes, budget);
  std::memset(buffer->mutable_data(), 7, kSlabBytes);
  stream->copy_to_device(memory.as<char>(), buffer->data(), kSlabBytes);
  std::memset(buffer->mutable_data(), 0, kSlabBytes);
  stream->copy_to_host(buffer->mutable_data(), memory.as<char>(), kSlabBytes);
  stream->synchronize();
  return std::all_of(buffer->data(), buffer->data() + kSlabBytes, [](uint8_t byte) { return byte == 7; });
}

TEST_F(CudaDeviceTest, PinsMemoryOnce) {
  {
    const auto device = open();
    EXPECT_TRUE(comes_back(*device, large_budget_));
    EXPECT_TRUE(comes_back(*device, large_budget_));
    EXPECT_EQ(std::ranges::count(state().calls, kPinned), 1);
    state().calls.clear();
  }
  EXPECT_EQ(state().calls, (std::vector<std::string>{"unpin", "release context"}));
}

TEST_F(CudaDeviceTest, KeepsItsContextForPinnedMemoryThatOutlivesIt) {
  auto device = open();
  auto buffer = device->pinned_memory()->allocate(kSlabBytes, large_budget_);
  device.reset();
  buffer->mutable_data()[kSlabBytes - 1] = 1;
  EXPECT_EQ(state().calls, (std::vector<std::string>{"retain context", kPinned}));
  buffer.reset();
  EXPECT_EQ(state().calls, (std::vector<std::string>{"retain context", kPinned, "unpin", "release context"}));
}

TEST_F(CudaDeviceTest, UsesOrdinaryMemoryWhereTheDriverPinsNone) {
  state().status_of_allocate_on_host = kOutOfMemory;
  const auto device = open();
  EXPECT_TRUE(comes_back(*device, large_budget_));
  EXPECT_TRUE(comes_back(*device, large_budget_));
  EXPECT_EQ(std::ranges::count(state().calls, kPinned), 1);
  EXPECT_EQ(device->pinned_memory()->pinned_bytes(), 0);
  EXPECT_EQ(large_budget_->used_bytes(), 0);
}

TEST_F(CudaDeviceTest, GoesOnWherePinnedMemoryIsNotFreed) {
  state().status_of_free_on_host = 700;
  const auto device = open();
  EXPECT_TRUE(comes_back(*device, large_budget_));
  device->pinned_memory()->release_kept(0);
  EXPECT_TRUE(comes_back(*device, large_budget_));
  EXPECT_EQ(std::ranges::count(state().calls, kPinned), 2);
}

TEST_F(CudaDeviceTest, OrdersStreamsByEvents) {
  const auto device = open();
  const auto stream = device->create_stream(memory::process_budget());
  state().calls.clear();
  stream->wait(stream->record());
  EXPECT_EQ(state().calls,
            (std::vector<std::string>{"record event on stream", "stream waits for event", "destroy event"}));
}

TEST_F(CudaDeviceTest, NamesWhatFails) {
  const auto device = open();
  const auto stream = device->create_stream(memory::process_budget());
  const auto failure = [](const auto& action) -> std::pair<ErrorKind, std::string> {
    try {
      action();
    } catch (const Error& error) {
      return {error.kind(), error.message()};
    }
    return {ErrorKind::Internal, "none"};
  };
  using Failure = std::pair<ErrorKind, std::string>;
  state().status_of_allocate = kOutOfMemory;
  EXPECT_EQ(failure([&] { static_cast<void>(stream->allocate(10)); }),
            Failure(ErrorKind::Resource, "GPU: cuMemAllocAsync failed: it was told to fail"));
  EXPECT_EQ(failure([&] { static_cast<void>(stream->allocate(1 << 20)); }).first, ErrorKind::Resource);
  state().status_of_synchronize = 700;
  EXPECT_EQ(failure([&] { stream->synchronize(); }),
            Failure(ErrorKind::Internal, "GPU: cuStreamSynchronize failed: it was told to fail"));
  const int64_t argument = 0;
  const KernelEntry unknown{"unknown_kernel", 128, sizeof argument, 0, nullptr};
  EXPECT_EQ(failure([&] { stream->launch(unknown, 1, &argument); }),
            Failure(ErrorKind::Internal, "GPU: no machine code has kernel unknown_kernel"));
}

}  // namespace
}  // namespace accelerant::device::cuda
