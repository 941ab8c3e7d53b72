#pragma once

#include "expressions/evaluator.h"
#include "io/scan.h"

#include <vector>

namespace accelerant::io {

/// Decides from a file's partition values alone whether a scan needs it: by those of the scan's filters and of its
/// runtime filters that read nothing else. Files of which a filter fails are left to the reader.
class FilePruning {
 public:
  FilePruning(const ScanSpec& spec, const execution::OperatorContext& ctx);

  bool keeps(const FileSplit& split);

 private:
  void add(const std::shared_ptr<const expressions::Program>& filter, const execution::OperatorContext& ctx);

  const ScanSpec& spec_;
  std::vector<expressions::Evaluator> filters_;
};

}  // namespace accelerant::io
