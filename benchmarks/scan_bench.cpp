// Measures the Parquet scan alone: scan_bench FILE.parquet COLUMN:TYPE... reads the columns of a local file ten times
// on one thread and prints the CPU seconds of each pass. Types are bigint, int, date, string, double, decimal(p,s).

#include "base/error.h"
#include "io/scan.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

namespace {

using accelerant::types::DataType;
using accelerant::types::TypeId;

DataType parse_type(const std::string& name) {
  int precision = 0;
  int scale = 0;
  if (std::sscanf(name.c_str(), "decimal(%d,%d)", &precision, &scale) == 2) return DataType::decimal(precision, scale);
  for (const TypeId id : {TypeId::Long, TypeId::Int, TypeId::Date, TypeId::String, TypeId::Double}) {
    if (DataType(id).to_string() == name) return DataType(id);
  }
  accelerant::throw_unsupported("type " + name);
}

double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Reads every batch and returns the number of rows.
int64_t drain(accelerant::io::Scan& scan) {
  const auto worker = scan.make_worker();
  int64_t rows = 0;
  accelerant::columns::Batch batch;
  while (worker->next(batch)) rows += batch.num_selected();
  return rows;
}

int run(int count, char** arguments) {
  auto spec = std::make_shared<accelerant::io::ScanSpec>();
  for (int i = 2; i < count; ++i) {
    const std::string column = arguments[i];
    const size_t colon = column.find(':');
    spec->columns.push_back({column.substr(0, colon), parse_type(column.substr(colon + 1))});
  }
  const std::string path = std::filesystem::absolute(arguments[1]);
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path));
  const auto budget = std::make_shared<accelerant::memory::Budget>("scan", accelerant::memory::Budget::kUnlimited);
  const accelerant::execution::Cancellation cancellation;
  accelerant::execution::Metrics metrics;
  for (int pass = 0; pass < 10; ++pass) {
    const double start = cpu_seconds();
    const auto dataset = accelerant::io::open_files(spec, {{{path, 0, size, size, 0, {}}}}, 1, budget);
    const auto scan = dataset->scan(0, 1, {budget, &cancellation, &metrics, 0, 0});
    const int64_t rows = drain(*scan);
    std::printf("%lld rows  %.4f CPU seconds  peak %s\n", static_cast<long long>(rows), cpu_seconds() - start,
                accelerant::memory::format_bytes(budget->peak_bytes()).c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: scan_bench FILE.parquet COLUMN:TYPE...\n");
    return 2;
  }
  try {
    return run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scan_bench: %s\n", error.what());
    return 1;
  }
}
