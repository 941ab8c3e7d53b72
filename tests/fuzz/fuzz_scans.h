#pragma once

#include "base/error.h"
#include "fuzz_input.h"
#include "io/scan.h"
#include "io/test_files.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace accelerant::fuzz {

inline constexpr int64_t kScanBudgetBytes = int64_t{64} << 20;

/// A file in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const uint8_t> bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0);
    require(write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  std::string uri() const { return "file:///proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Takes up to two filters by the first column of a scan, which is a bigint.
inline void take_filters(FuzzInput& input, io::ScanSpec& spec) {
  static const std::vector<std::string> functions = {"EqualTo", "LessThan", "GreaterThanOrEqual"};
  for (size_t n = input.choose(3); n > 0; --n) {
    const std::string& function = functions[input.choose(functions.size())];
    spec.filters.push_back(io::test::compare(0, function, input.take<uint8_t>()));
  }
}

/// Reads what a pass over a file gives.
inline void read_batches(const io::Dataset& dataset, const execution::OperatorContext& ctx) {
  const auto pass = dataset.scan(0, 1, ctx);
  const auto worker = pass->make_worker();
  // A footer may claim any number of rows of a column that it lacks: they cost nothing but time.
  constexpr int kMostBatches = 200;
  columns::Batch batch;
  for (int i = 0; i < kMostBatches && worker->next(batch); ++i) {
    for (const auto& column : batch.columns) require(!column || column->length() == batch.num_rows);
  }
}

/// Scans a file of the bytes that are left, after choices of how. Errors must name the file, and be none of ours.
inline void scan_rest(const std::shared_ptr<io::ScanSpec>& spec, FuzzInput& input) {
  const auto budget = std::make_shared<memory::Budget>("ParquetScan", kScanBudgetBytes);
  const execution::Cancellation cancellation;
  execution::Metrics metrics;
  execution::OperatorContext ctx{budget, &cancellation, &metrics, 0, input.take<uint8_t>()};
  if (input.choose(4) == 0) ctx.key_filters = {io::test::key_filter(0, {3, 40, 41, 90})};
  const MemoryFile file(input.rest());
  try {
    const auto dataset = io::open_files(spec, {{{file.uri(), 0, int64_t{1} << 40, 0, 0, {}}}}, 1, budget);
    for (size_t i = 0; i < spec->columns.size(); ++i) dataset->summarize(static_cast<int>(i));
    read_batches(*dataset, ctx);
  } catch (const Error& error) {
    require(error.kind() != ErrorKind::Internal);
    require(error.message().find(file.uri()) != std::string::npos);
  }
}

}  // namespace accelerant::fuzz
