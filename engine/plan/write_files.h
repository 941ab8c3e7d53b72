#pragma once

#include "plan/file_layout.h"
#include "plan/of_partitions.h"

#include <string>

namespace accelerant::io {
class WriteFormat;
}

namespace accelerant::plan {

/// The root of a plan whose rows the engine writes as files: its rows are those to be written.
struct WriteFiles final : OfPartitions<WriteFiles> {
  /// Binds WriteFilesExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "WriteFiles"; }
  std::string describe() const override;
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  auto members() const { return std::tie(format, files, bucket_id); }

  const io::WriteFormat* format = nullptr;
  FileLayout files;      ///< of its rows' columns: none of them holds buckets
  ProgramPtr bucket_id;  ///< computes the number of each row's bucket; nullptr: there are no buckets
};

}  // namespace accelerant::plan
