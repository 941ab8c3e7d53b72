// libFuzzer target: whole files through a scan of some columns of arrays, maps and structs, with some filters.
#include "fuzz_nested.h"
#include "fuzz_scans.h"

#include <vector>

namespace accelerant::fuzz {

namespace {

/// Takes a scan of some columns that seeds have, of their types or of others.
std::shared_ptr<io::ScanSpec> take_spec(FuzzInput& input) {
  static const std::vector<types::DataType> all = nested_types();
  auto spec = std::make_shared<io::ScanSpec>();
  spec->columns.push_back({"key", types::DataType(types::TypeId::Long)});
  for (size_t n = input.choose(4); n > 0; --n) {
    const size_t column = input.choose(all.size());
    const size_t type = input.choose(2) == 0 ? column : input.choose(all.size());
    spec->columns.push_back({nested_name(column), all[type]});
  }
  take_filters(input, *spec);
  return spec;
}

}  // namespace

}  // namespace accelerant::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant::fuzz;
  FuzzInput input(data, size);
  const auto spec = take_spec(input);
  scan_rest(spec, input);
  return 0;
}
