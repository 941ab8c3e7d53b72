#pragma once

#include "aggregates/function.h"
#include "plan/node.h"
#include "plan/sort.h"
#include "plan/window_function.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accelerant::plan {

/// Where a frame begins or ends.
struct FrameBound {
  enum class Kind : uint8_t {
    Unbounded,  ///< at the end of the window partition
    Rows,       ///< a number of rows from the row
    Peers,      ///< at the first or last row of equal order
    Value,      ///< at the first or last row whose order key does not pass a value
  };
  Kind kind = Kind::Unbounded;
  int64_t rows = 0;  ///< of Rows: behind the row, negative: before it
  int column = -1;   ///< of Value: the column that holds it; null where the order key is

  friend bool operator==(const FrameBound&, const FrameBound&) = default;
};

/// The rows of a window partition that a function looks at.
struct WindowFrame {
  FrameBound lower;
  FrameBound upper;

  bool is_whole_partition() const {
    return lower.kind == FrameBound::Kind::Unbounded && upper.kind == FrameBound::Kind::Unbounded;
  }
  friend bool operator==(const WindowFrame&, const WindowFrame&) = default;
};

/// A function of a window, without DISTINCT. A FILTER clause is part of the arguments, as of aggregates.
struct WindowCall {
  WindowKind kind = WindowKind::RowNumber;
  size_t num_keys = 0;         ///< of the window's keys those, the first ones, that are its partition and its order
  WindowFrame frame;           ///< of NthValue, LastValue and Aggregate
  std::vector<int> arguments;  ///< columns; of a Shift the value, and the default if it is not null
  /// Of NTile the parts; of a Shift the rows behind the row, negative: before it; of NthValue the row, from 1.
  int64_t number = 0;
  bool ignores_nulls = false;  ///< of Shift, NthValue, LastValue: only rows count whose value is not null
  aggregates::Call aggregate;  ///< of Aggregate
  types::DataType result_type;

  friend bool operator==(const WindowCall&, const WindowCall&) = default;
};

/// Which rows of each window partition are wanted: those whose rank is not above a number.
struct RankLimit {
  WindowKind rank = WindowKind::RowNumber;  ///< RowNumber, Rank or DenseRank
  int64_t rows = 0;

  friend bool operator==(const RankLimit&, const RankLimit&) = default;
};

/// Returns a limit for people, e.g. "rank<=3".
std::string describe(const RankLimit& limit);

/// Computes functions of each row over rows of its window partition: those of equal partition keys, in the order of the
/// order keys. Emits columns of the input and the functions' results, by partition keys, then order keys; rows that are
/// equal in both keep their order.
struct Window final : NodeOf<Window, Role::Breaker> {
  /// Binds WindowExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Window"; }
  std::string describe() const override;
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override;
  Partitioning partitioning(std::span<const Partitioning> parted) const override {
    return parted.front() == Partitioning::Single ? Partitioning::Single : Partitioning::Shared;
  }
  std::vector<ProgramPtr> passing_programs() const override { return {}; }
  /// A result may fail, too.
  bool fails_by_itself() const override;
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  std::vector<ColumnOrigin> origins_of(int column) const override;
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return false; }
  auto members() const { return std::tie(keys, num_partition_keys, calls, passed, limit, computed); }
  /// What a function makes of rows of equal order becomes a value of a row.
  bool chooses_rows() const override;
  bool varies_in_order() const override { return false; }

  std::vector<SortKey> keys;      ///< those of the partition, then those of the order; a function's may be fewer
  size_t num_partition_keys = 0;  ///< none: all rows are one window partition
  std::vector<WindowCall> calls;
  std::vector<int> passed;  ///< columns of the input that it emits, before the results
  /// Of the keys: rows beyond it may be left out, as no one wants them. No function looks at a row behind its own then.
  std::optional<RankLimit> limit;
  /// Computes keys and arguments that are no columns of the input; they count as columns behind the input's. nullptr:
  /// there are none, as where it runs.
  ProgramPtr computed;
};

}  // namespace accelerant::plan
