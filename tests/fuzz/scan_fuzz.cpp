// libFuzzer target: whole files through a scan of some columns with some filters.
#include "fuzz_scans.h"

#include <vector>

namespace accelerant::fuzz {

namespace {

/// Takes a scan of some columns that seeds have.
std::shared_ptr<io::ScanSpec> take_spec(FuzzInput& input) {
  static const auto all = io::test::all_columns();
  std::vector<io::test::TestColumn> columns = {io::test::long_column("key", [](int64_t row) { return row; })};
  for (size_t n = input.choose(4); n > 0; --n) columns.push_back(all[input.choose(all.size())]);
  auto spec = io::test::spec_of(columns);
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
