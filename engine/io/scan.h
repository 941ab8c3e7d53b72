#pragma once

#include "columns/batch.h"
#include "columns/column.h"
#include "execution/context.h"
#include "expressions/program.h"
#include "io/file_format.h"
#include "memory/budget.h"
#include "types/zone_rules.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::io {

/// A piece of a file, as Spark split it.
struct FileSplit {
  std::string path;                                  ///< URI as Spark has it, e.g. file:///data/a.parquet
  int64_t start = 0;                                 ///< bytes
  int64_t length = 0;                                ///< bytes
  int64_t file_size = 0;                             ///< bytes when Spark listed it
  int64_t modification_millis = 0;                   ///< 0: unknown
  std::vector<columns::ColumnPtr> partition_values;  ///< flat columns of length 1, one a partition column
};

/// A column a scan emits, in output order.
struct ScanColumn {
  std::string name;
  types::DataType type;
  bool nullable = true;
  int partition_index = -1;   ///< position in FileSplit::partition_values; -1: read from the file
  bool filter_only = false;   ///< only filters need it: it may be nullptr in the batches emitted
  bool is_row_index = false;  ///< says which row of its file each is, counted from 0
  /// What is read of a struct in the file: the names that lead to the member, from the outermost struct on. It is null
  /// where a struct around it is.
  std::vector<std::string> members = {};
  int required_index = -1;  ///< position in the schema that Spark requires of the files; -1: not among those columns
  int data_index = -1;      ///< position in the schema of the files; -1: likewise

  friend bool operator==(const ScanColumn&, const ScanColumn&) = default;
};

/// What the options of a read say to the format that it is of. Immutable.
struct FormatOptions {
  virtual ~FormatOptions() = default;
};

/// What to read, apart from the files.
struct ScanSpec {
  FileFormat format = FileFormat::Parquet;
  std::vector<ScanColumn> columns;
  bool case_sensitive = false;
  /// Says whether a struct is null only where the file says so even if the file lacks all its wanted members, as from
  /// Spark 4.1 on; such files are refused without it.
  bool keeps_structs_without_members = true;
  /// Files that name no version of Spark may have dates, or timestamps, of the old hybrid calendar.
  bool may_have_old_dates = false;
  bool may_have_old_timestamps = false;
  /// Conjuncts over the scan's columns, each a program with one boolean output (inputs are positions in `columns`), to
  /// be applied in this order for errors' sake; those that can't fail may be reordered. May be empty.
  std::vector<std::shared_ptr<const expressions::Program>> filters;
  int filter_plan_node = -1;  ///< plan node that errors of filters belong to
  int plan_node = -1;         ///< the scan's own
  /// The options that some formats have of their own.
  std::shared_ptr<const FormatOptions> options = nullptr;
  /// Spark's own code for what the engine is not sure of, where the format's rows are lines. Its input is a line, its
  /// one output a struct of the columns that Spark requires of the files (`ScanColumn::required_index`), or an array of
  /// such structs where the format says so. nullptr: none.
  std::shared_ptr<const expressions::Program> line_parser = nullptr;
  /// The zone of times that say none, for such formats; nullptr: the plan has no rules of it.
  std::shared_ptr<const types::ZoneRules> zone = nullptr;
};

/// Reads batches for one worker. One thread at a time; does not outlive its scan.
class ScanWorker {
 public:
  virtual ~ScanWorker() = default;
  /// Fills `out` and returns true; false at the end. Place and `ends_morsel` are set as a Source has to.
  virtual bool next(columns::Batch& out) = 0;
};

class EncodedScan;

/// One pass over some files, in morsels that its workers share.
class Scan {
 public:
  virtual ~Scan() = default;
  /// Makes a worker. Any thread.
  virtual std::unique_ptr<ScanWorker> make_worker() = 0;
  /// Returns the way to read its morsels as they are stored; nullptr where there is none.
  virtual EncodedScan* encoded() { return nullptr; }
  virtual int64_t num_morsels() const = 0;
};

/// What files say of a column before it is read. Only costs depend on it, but for the nulls: where there are none,
/// nobody need ask.
struct ColumnSummary {
  std::optional<double> min;  ///< of numbers, as expressions::as_number has it, where every row group has bounds
  std::optional<double> max;  ///< likewise
  std::optional<int64_t> num_nulls;
  /// The length of the first row group's dictionary, where all values come from it and the column has no bounds.
  std::optional<int64_t> num_distinct;
  int64_t stored_bytes = 0;  ///< of its chunks
  int64_t num_chunks = 0;
};

/// The files of one scan with their footers read and checked. Immutable, shared by all runs of a query.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual int num_partitions() const = 0;
  /// Bytes of the splits of a partition.
  virtual int64_t partition_bytes(int partition) const = 0;
  /// Total rows of the morsels in partitions [first, last).
  virtual int64_t num_rows(int first, int last) const = 0;
  /// Row groups, or what stands for them, of all partitions.
  virtual int64_t num_morsels() const = 0;
  /// Says whether another one reads the same pieces of the same files; false where partition values make a difference.
  virtual bool reads_same_files(const Dataset& other) const = 0;
  /// Summarises a column that is read from the files, by its position in the scan's.
  virtual ColumnSummary summarize(int column) const = 0;
  /// Says whether its scans can read morsels as they are stored.
  virtual bool has_encoded_scans() const { return false; }
  /// Starts a pass over partitions [first, last), in order: partition, file, row group, row.
  virtual std::unique_ptr<Scan> scan(int first, int last, const execution::OperatorContext& ctx) const = 0;
};

/// Opens files of a spec's format: reads footers (on up to `threads` threads), maps columns by name, checks that
/// everything can be read.
/// @param partitions Spark's FilePartitions, in order
/// @throws Error Unsupported (file and column named) when Spark should read them, or say what is wrong with them
std::shared_ptr<const Dataset> open_files(std::shared_ptr<const ScanSpec> spec,
                                          std::vector<std::vector<FileSplit>> partitions, int threads,
                                          const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::io
