// libFuzzer target: the kernels that decode pages, in the emulator, against their references and against the decoders
// of the host: the same values, or all refuse.
#include "base/error.h"
#include "device/device_buffer.h"
#include "device/emulator/emulator.h"
#include "device/primitives/decompress_snappy.h"
#include "device/primitives/expand_deltas.h"
#include "device/primitives/expand_runs.h"
#include "fuzz_input.h"
#include "io/delta_decoder.h"
#include "io/run_decoder.h"
#include "io/snappy.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace accelerant::fuzz {

namespace {

using device::DeviceBuffer;
using device::PageStatus;

constexpr int64_t kMostValues = 4096;

/// An emulated device that decodes one page.
class PageDevice {
 public:
  explicit PageDevice(uint64_t seed)
      : device_({device::emulator::Turns::Random, seed, 1}), stream_(device_.create_stream(budget_)) {}

  /// Returns the integers of a stream, unless there is something wrong with it.
  std::optional<std::vector<uint32_t>> expand(std::span<const uint8_t> data, int32_t bit_width, int64_t n) {
    const DeviceBuffer from = put(data.data(), data.size());
    const DeviceBuffer to = make(n * static_cast<int64_t>(sizeof(uint32_t)));
    const device::RunStream run_stream = {from.as<uint8_t>(), static_cast<int64_t>(data.size()), n, to.as<void>(),
                                          bit_width};
    const DeviceBuffer streams = put(&run_stream, sizeof run_stream);
    const DeviceBuffer status = make(sizeof(PageStatus));
    device::expand_runs(*stream_, sizeof(uint32_t), streams.as<device::RunStream>(), 1, status.as<PageStatus>());
    return take<uint32_t>(status, to, n);
  }

  /// Returns the values of packed deltas, unless there is something wrong with them.
  std::optional<std::vector<int64_t>> expand_deltas(std::span<const uint8_t> data, int64_t n) {
    const DeviceBuffer from = put(data.data(), data.size());
    const DeviceBuffer to = make(n * static_cast<int64_t>(sizeof(int64_t)));
    const device::DeltaStream delta_stream = {from.as<uint8_t>(), static_cast<int64_t>(data.size()), n, to.as<void>()};
    const DeviceBuffer streams = put(&delta_stream, sizeof delta_stream);
    const DeviceBuffer status = make(sizeof(PageStatus));
    device::expand_deltas(*stream_, sizeof(int64_t), streams.as<device::DeltaStream>(), 1, status.as<PageStatus>());
    return take<int64_t>(status, to, n);
  }

  /// Returns the bytes that a block of snappy stands for, unless there is something wrong with it.
  std::optional<std::vector<uint8_t>> decompress(std::span<const uint8_t> block, int64_t to_bytes) {
    const DeviceBuffer from = put(block.data(), block.size());
    const DeviceBuffer to = make(to_bytes);
    const device::SnappyBlock snappy_block = {from.as<uint8_t>(), static_cast<int64_t>(block.size()), to.as<uint8_t>(),
                                              to_bytes};
    const DeviceBuffer blocks = put(&snappy_block, sizeof snappy_block);
    const DeviceBuffer status = make(sizeof(PageStatus));
    device::decompress_snappy(*stream_, blocks.as<device::SnappyBlock>(), 1, status.as<PageStatus>());
    return take<uint8_t>(status, to, to_bytes);
  }

 private:
  DeviceBuffer make(int64_t bytes) { return {*stream_, std::max<int64_t>(bytes, 1)}; }
  DeviceBuffer put(const void* from, size_t bytes) {
    DeviceBuffer to = make(static_cast<int64_t>(bytes));
    stream_->copy_to_device(to.as<void>(), from, static_cast<int64_t>(bytes));
    stream_->synchronize();
    return to;
  }
  template <class T>
  std::optional<std::vector<T>> take(const DeviceBuffer& status, const DeviceBuffer& to, int64_t n) {
    PageStatus found = {};
    std::vector<T> values(static_cast<size_t>(n));
    stream_->copy_to_host(&found, status.as<void>(), sizeof found);
    stream_->copy_to_host(values.data(), to.as<void>(), n * static_cast<int64_t>(sizeof(T)));
    stream_->synchronize();
    if (found != PageStatus::Sound) return std::nullopt;
    return values;
  }

  std::shared_ptr<memory::Budget> budget_ = std::make_shared<memory::Budget>("fuzzer", memory::Budget::kUnlimited);
  device::emulator::Emulator device_;
  std::unique_ptr<device::DeviceStream> stream_;
};

std::optional<std::vector<uint32_t>> expand_by_io(std::span<const uint8_t> data, int bit_width, int64_t n) {
  const PaddedBytes bytes(data);
  std::vector<uint32_t> values(static_cast<size_t>(n));
  try {
    io::RunDecoder decoder;
    decoder.reset(bytes.data(), bytes.num_bytes(), bit_width);
    decoder.read(n, values.data());
  } catch (const Error&) {
    return std::nullopt;
  }
  return values;
}

std::optional<std::vector<int64_t>> expand_deltas_by_io(std::span<const uint8_t> data, int64_t n) {
  const PaddedBytes bytes(data);
  std::vector<int64_t> values(static_cast<size_t>(n));
  try {
    io::DeltaDecoder decoder;
    decoder.reset(bytes.data(), bytes.data() + bytes.num_bytes());
    decoder.read(n, values.data());
  } catch (const Error&) {
    return std::nullopt;
  }
  return values;
}

void feed_runs(uint64_t seed, std::span<const uint8_t> data, int bit_width, int64_t n) {
  const auto made = PageDevice(seed).expand(data, bit_width, n);
  std::vector<uint32_t> plain;
  const bool is_sound = device::expand_runs_on_host(data, bit_width, n, plain) == PageStatus::Sound;
  require(made.has_value() == is_sound && (!made || *made == plain));
  require(made == expand_by_io(data, bit_width, n));
}

void feed_deltas(uint64_t seed, std::span<const uint8_t> data, int64_t n) {
  const auto made = PageDevice(seed).expand_deltas(data, n);
  std::vector<int64_t> plain;
  require(made.has_value() == device::expand_deltas_on_host(data, n, plain) && (!made || *made == plain));
  require(made == expand_deltas_by_io(data, n));
}

void feed_snappy(uint64_t seed, std::span<const uint8_t> block, int64_t to_bytes) {
  const auto made = PageDevice(seed).decompress(block, to_bytes);
  std::vector<uint8_t> plain(static_cast<size_t>(to_bytes));
  std::vector<uint8_t> by_io(plain.size());
  require(made.has_value() == device::decompress_snappy_on_host(block, plain) && (!made || *made == plain));
  require(made.has_value() == io::decompress_snappy(block, by_io) && (!made || *made == by_io));
}

}  // namespace

}  // namespace accelerant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant::fuzz;
  FuzzInput input(data, size);
  const size_t kind = input.choose(3);
  const auto seed = uint64_t{input.take<uint8_t>()};
  const auto n = static_cast<int64_t>(input.take<uint16_t>()) % kMostValues;
  const auto bit_width = static_cast<int>(input.choose(40));
  if (kind == 0) {
    feed_snappy(seed, input.rest(), n);
  } else if (kind == 1) {
    feed_runs(seed, input.rest(), bit_width, n);
  } else {
    feed_deltas(seed, input.rest(), n);
  }
  return 0;
}
