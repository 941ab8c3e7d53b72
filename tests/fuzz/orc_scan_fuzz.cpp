// libFuzzer target: whole ORC files through a scan of all columns of the unit tests' files, with some filters.
#include "fuzz_scans.h"
#include "io/test_orc_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace accelerant;
  static const auto columns = io::test::orc_columns(1);
  fuzz::FuzzInput input(data, size);
  const auto spec = io::test::orc_spec(columns);
  fuzz::take_filters(input, *spec);
  fuzz::scan_rest(spec, input);
  return 0;
}
