#include "base/error.h"
#include "device/primitives/decompress_snappy.h"
#include "device/primitives/expand_deltas.h"
#include "device/primitives/expand_runs.h"
#include "device/primitives/place_values.h"
#include "device/primitives/test_deltas.h"
#include "device/primitives/test_runs.h"
#include "device/stopwatch.h"
#include "device_memory.h"
#include "encoded_rows.h"
#include "primitives.h"
#include "random_values.h"

#include <algorithm>

namespace accelerant::gpu_check {

using device::PageStatus;
using Bytes = std::vector<uint8_t>;

namespace {

constexpr double kGiga = 1e9;
constexpr int64_t kValueBytes = 8;

/// As many values as Parquet's writers put in a page.
constexpr int64_t kPageValues = 20'000;
/// So many pages are made, and copied until there are enough; each copy has a place of its own in device memory.
constexpr int64_t kDistinctPages = 64;

/// Pages of one encoding on a device, and room for what they are decoded to.
class Pages {
 public:
  /// @param make gives the bytes of a page of a number of values
  template <class Make>
  Pages(DeviceMemory& memory, int64_t num_values, Make make) : memory_(memory) {
    std::vector<Bytes> made;
    for (; num_values > 0; num_values -= kPageValues) {
      const int64_t n = std::min(num_values, kPageValues);
      const bool is_whole = n == kPageValues;
      const auto turn = static_cast<size_t>(size() % kDistinctPages);
      if (is_whole && made.size() <= turn) made.push_back(make(n, turn));
      const Bytes page = is_whole ? made[turn] : make(n, turn);
      data_.push_back(memory.put(page));
      sizes_.push_back(std::ssize(page));
      values_.push_back(n);
      to_.push_back(memory.make<uint64_t>(n));
    }
    statuses_ = memory.make<PageStatus>(size());
  }

  int64_t size() const { return std::ssize(data_); }
  const uint8_t* data(size_t i) const { return data_[i]; }
  int64_t num_bytes(size_t i) const { return sizes_[i]; }
  int64_t num_values(size_t i) const { return values_[i]; }
  uint64_t* to(size_t i) const { return to_[i]; }
  PageStatus* statuses() const { return statuses_; }

  /// Measures work that decodes all pages, once it has been seen to find nothing wrong.
  template <class Work>
  void measure(const char* name, Report& report, Work work) {
    work();
    const bool are_sound = memory_.get(statuses_, size()) == std::vector(data_.size(), PageStatus::Sound);
    if (!are_sound) throw Error(ErrorKind::Internal, "a page is not sound");
    int64_t num_values = 0;
    for (const int64_t n : values_) num_values += n;
    const double seconds = least_seconds(memory_.stream(), work);
    report.measure(name, static_cast<double>(num_values * kValueBytes) / seconds / kGiga, "GB/s of values");
  }

 private:
  DeviceMemory& memory_;
  std::vector<const uint8_t*> data_;
  std::vector<int64_t> sizes_;
  std::vector<int64_t> values_;
  std::vector<uint64_t*> to_;
  PageStatus* statuses_ = nullptr;
};

/// Returns the table of what each page is.
template <class T, class Make>
T* make_table(DeviceMemory& memory, const Pages& pages, Make make) {
  std::vector<T> table;
  for (size_t i = 0; i < static_cast<size_t>(pages.size()); ++i) table.push_back(make(i));
  return memory.put(table);
}

Bytes random_page(int64_t num_values, size_t seed) { return random_bytes(num_values * kValueBytes, seed); }

void measure_plain(device::Device& device, int64_t num_values, Report& report) {
  DeviceMemory memory(device);
  Pages pages(memory, num_values, random_page);
  const auto* table = make_table<device::ValuePage>(memory, pages, [&](size_t i) {
    return device::ValuePage{nullptr, pages.num_values(i), pages.data(i), pages.num_bytes(i), pages.to(i)};
  });
  pages.measure("decode plain", report, [&] {
    device::place_integers(memory.stream(), kValueBytes, kValueBytes, {table, pages.size(), pages.statuses()});
  });
}

/// Indices of 10 bits into a dictionary: expanded, then looked up.
void measure_dictionary(device::Device& device, int64_t num_values, Report& report) {
  constexpr int kBitWidth = 10;
  constexpr uint64_t kEntries = 1 << kBitWidth;
  DeviceMemory memory(device);
  Pages pages(memory, num_values, [](int64_t n, size_t seed) {
    device::RunWriter runs(kBitWidth);
    runs.pack(device::generate_on_host<uint32_t>({seed, 0, kEntries}, (n + 7) / 8 * 8));
    return runs.bytes();
  });
  std::vector<uint32_t*> indices;
  const auto* streams = make_table<device::RunStream>(memory, pages, [&](size_t i) {
    indices.push_back(memory.make<uint32_t>(pages.num_values(i)));
    return device::RunStream{pages.data(i), pages.num_bytes(i), pages.num_values(i), indices[i], kBitWidth};
  });
  const auto* table = make_table<device::ValuePage>(memory, pages, [&](size_t i) {
    const int64_t n = pages.num_values(i);
    return device::ValuePage{nullptr, n, reinterpret_cast<const uint8_t*>(indices[i]), n * 4, pages.to(i)};
  });
  const auto* entries = memory.put(device::generate_on_host<uint64_t>({9, 0, ~uint64_t{0}}, kEntries));
  pages.measure("decode dictionary", report, [&] {
    device::expand_runs(memory.stream(), sizeof(uint32_t), streams, pages.size(), pages.statuses());
    device::place_dictionary_values(memory.stream(), kValueBytes, entries, kEntries,
                                    {table, pages.size(), pages.statuses()});
  });
}

void measure_deltas(device::Device& device, int64_t num_values, Report& report) {
  constexpr int kBitWidth = 12;
  DeviceMemory memory(device);
  Pages pages(memory, num_values, [](int64_t n, size_t) {
    return device::deltas::encode(device::deltas::some_values(n, kBitWidth), {4, 32});
  });
  const auto* streams = make_table<device::DeltaStream>(memory, pages, [&](size_t i) {
    return device::DeltaStream{pages.data(i), pages.num_bytes(i), pages.num_values(i), pages.to(i)};
  });
  pages.measure("decode deltas", report,
                [&] { device::expand_deltas(memory.stream(), kValueBytes, streams, pages.size(), pages.statuses()); });
}

/// Values of which half the bytes are the same as others'.
void measure_snappy(device::Device& device, int64_t num_values, Report& report) {
  DeviceMemory memory(device);
  Pages pages(memory, num_values, [](int64_t n, size_t seed) {
    Bytes bytes;
    for (const int64_t value : device::generate_on_host<int64_t>({seed, 0, 1'000'000}, n)) {
      for (int64_t i = 0; i < kValueBytes; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
    return compressed(bytes);
  });
  const auto* blocks = make_table<device::SnappyBlock>(memory, pages, [&](size_t i) {
    return device::SnappyBlock{pages.data(i), pages.num_bytes(i), reinterpret_cast<uint8_t*>(pages.to(i)),
                               pages.num_values(i) * kValueBytes};
  });
  pages.measure("decode snappy", report,
                [&] { device::decompress_snappy(memory.stream(), blocks, pages.size(), pages.statuses()); });
}

/// With the copy of its bytes to the device, which is part of every read.
void measure_row_group(device::Device& device, int64_t num_rows, Report& report) {
  const EncodedRows rows = make_encoded_rows(num_rows, *device.pinned_memory());
  const auto stream = device.create_stream(memory::process_budget());
  int64_t num_bytes = 0;
  for (const device::EncodedColumn& column : rows.encoded.columns) num_bytes += column.num_bytes;
  const double seconds = least_seconds(*stream, [&] {
    if (!device::decode(*stream, rows.encoded, memory::process_budget())) {
      throw Error(ErrorKind::Internal, "a page is not sound");
    }
  });
  report.measure("decode a row group, copy included", static_cast<double>(num_bytes) / seconds / kGiga,
                 "GB/s of a file");
}

}  // namespace

void measure_decoding(device::Device& device, int64_t num_values, Report& report) {
  report.attempt("measure decode plain", [&] { measure_plain(device, num_values, report); });
  report.attempt("measure decode dictionary", [&] { measure_dictionary(device, num_values, report); });
  report.attempt("measure decode deltas", [&] { measure_deltas(device, num_values, report); });
  report.attempt("measure decode snappy", [&] { measure_snappy(device, num_values, report); });
  constexpr int64_t kMostRows = 1'000'000;
  report.attempt("measure decode of a row group",
                 [&] { measure_row_group(device, std::min(num_values, kMostRows), report); });
}

}  // namespace accelerant::gpu_check
