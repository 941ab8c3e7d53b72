#pragma once

#include "plan/of_partitions.h"

#include <string>

namespace accelerant::plan {

/// The root of a plan whose rows the engine writes as files: its rows are those to be written.
struct WriteFiles final : OfPartitions<WriteFiles> {
  /// Binds WriteFilesExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "WriteFiles"; }
  std::string describe() const override { return ""; }
  bool equals(const WriteFiles&) const { return true; }
};

}  // namespace accelerant::plan
