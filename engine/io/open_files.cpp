#include "base/error.h"
#include "io/scan.h"

#include <utility>

namespace accelerant::io {

// The formats' own functions: the list alone names them here.
#define ACC_DECLARE_OPEN(name, spark_class, open, take_options) decltype(open_files) open;
ACC_FILE_FORMATS(ACC_DECLARE_OPEN)
#undef ACC_DECLARE_OPEN

std::shared_ptr<const Dataset> open_files(std::shared_ptr<const ScanSpec> spec,
                                          std::vector<std::vector<FileSplit>> partitions, int threads,
                                          const std::shared_ptr<memory::Budget>& budget) {
  switch (spec->format) {
#define ACC_OPEN_FORMAT(name, spark_class, open, take_options) \
  case FileFormat::name:                                       \
    return open(std::move(spec), std::move(partitions), threads, budget);
    ACC_FILE_FORMATS(ACC_OPEN_FORMAT)
#undef ACC_OPEN_FORMAT
  }
  throw Error(ErrorKind::Internal, "no such format of files");
}

}  // namespace accelerant::io
