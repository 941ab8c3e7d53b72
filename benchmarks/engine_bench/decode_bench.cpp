#include "decode_bench.h"

#include "io/scan.h"
#include "memory_rate.h"
#include "table.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace accelerant::bench {

namespace {

using types::DataType;
using types::TypeId;

/// Returns the type that the beginning of a file's name tells.
DataType type_of(const std::string& name) {
  if (name.starts_with("bigints_")) return DataType::array(DataType(TypeId::Long), true);
  if (name.starts_with("decimal")) return DataType::decimal(12, 2);
  for (const TypeId id : {TypeId::Int, TypeId::Long, TypeId::Double, TypeId::String}) {
    if (name.starts_with(DataType(id).to_string() + "_")) return DataType(id);
  }
  throw std::invalid_argument(name + ": the name of a file begins with the type of its column");
}

/// Reads all of a scan and returns the bytes of its values as they leave it.
int64_t read(io::Scan& scan) {
  const auto worker = scan.make_worker();
  int64_t bytes = 0;
  for (columns::Batch batch; worker->next(batch);) bytes += batch.columns[0]->memory_bytes();
  return bytes;
}

void decode(benchmark::State& state, const std::filesystem::path& path) {
  auto spec = std::make_shared<io::ScanSpec>();
  spec->columns = {{"value", type_of(path.filename().string())}};
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path));
  const auto dataset = io::open_files(spec, {{{path.string(), 0, size, size, 0, {}}}}, 1, budget());
  int64_t bytes = 0;
  for (auto _ : state) bytes = read(*dataset->scan(0, 1, context()));
  count_rates(state, dataset->num_rows(0, 1), bytes);
}

}  // namespace

void register_decoding(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::absolute(folder))) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    benchmark::RegisterBenchmark(("decode_" + path.stem().string()).c_str(),
                                 [path](benchmark::State& state) { decode(state, path); });
  }
}

}  // namespace accelerant::bench
