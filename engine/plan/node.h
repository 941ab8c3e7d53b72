#pragma once

#include "expressions/program.h"
#include "plan/column_mask.h"
#include "plan/members.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeinfo>
#include <vector>

namespace accelerant::plan {

/// What a node is to the pipelines that rows flow through.
enum class Role : uint8_t {
  Source,         ///< a leaf: rows start here
  Transform,      ///< the rows of its input pass through it
  Breaker,        ///< takes in the rows of its input before it emits any
  Join,           ///< a breaker to the rows of one input, a transform to those of the other
  Concatenation,  ///< the rows of its inputs, one input after the other
};

/// What a consumer other than `collect` may ask for; see docs/design/plan-message.md.
enum class Partitioning : uint8_t { Single, Independent, Shared };

/// A column that a node emits.
struct OutputColumn {
  std::string name;
  types::DataType type;
  bool nullable = true;

  friend bool operator==(const OutputColumn&, const OutputColumn&) = default;
};

/// A column of one of a node's inputs.
struct ColumnOrigin {
  size_t input;
  int column;

  friend bool operator==(const ColumnOrigin&, const ColumnOrigin&) = default;
};

/// Where each column of a node is among those of another one, if it is there.
using ColumnPositions = std::vector<std::optional<int>>;

/// Returns the places of so many columns that are where they were.
ColumnPositions in_place(size_t num_columns);

class Binding;
class Estimates;
class NodeFields;
struct ValueEstimate;
struct Relation;
struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// Knows which sources give the same rows.
class SourceComparison {
 public:
  virtual ~SourceComparison() = default;
  /// @param a and b of the same struct
  virtual bool give_same_rows(const Node& a, const Node& b) const = 0;
};

/// What every plan node has. Plain data, immutable once bound. Each node has a struct and a header of its own, and
/// static functions that bind it from Spark's classes. What rewrites ask of any node it answers itself: one that lacks
/// an answer does not compile.
struct Node {
  const Role role;
  int plan_node = -1;      ///< index in the plan message of the Spark node it stands for; metrics and errors go there
  std::vector<int> fused;  ///< indices of further Spark nodes whose work it does
  std::vector<OutputColumn> output;
  std::vector<NodePtr> inputs;

  explicit Node(Role node_role) : role(node_role) {}
  virtual ~Node() = default;

  /// Returns the operator's short name, e.g. "Aggregate".
  virtual const char* name() const = 0;
  /// Describes the node's own parameters on one line, e.g. "keys=2 calls=[sum(2), count(*)]".
  virtual std::string describe() const = 0;
  virtual std::shared_ptr<Node> clone() const = 0;
  /// Returns the programs that it runs over rows.
  virtual std::vector<ProgramPtr> programs() const = 0;
  /// Returns those of them that run where rows pass it, or are read of what it made: of a breaker, what runs before is
  /// left out.
  virtual std::vector<ProgramPtr> passing_programs() const { return programs(); }
  /// Says whether a row that it makes or reads may be in error, its programs apart; false is certain.
  virtual bool fails_by_itself() const = 0;
  /// Says whether one may be, of its programs or by itself; false is certain.
  bool can_fail() const;
  /// Returns the columns of its inputs whose values one of its own has as they came: none where it is computed.
  virtual std::vector<ColumnOrigin> origins_of(int column) const = 0;
  /// Puts it above other inputs: what was column i of inputs[k] is at `places[k][i]` of `changed[k]`, where it reads
  /// it. Returns the places of the columns that it emitted.
  virtual ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) = 0;
  /// Says whether leaving out rows of an input by the values of such a column leaves out those rows of its own that
  /// have these values, and changes nothing else. Asked only where it can't fail.
  virtual bool drops_alike(size_t input) const = 0;
  /// Says whether it does to its inputs what another node does to like ones, and emits the same columns.
  virtual bool does_same(const Node& other, const SourceComparison& sources) const = 0;
  /// Estimates how many rows it emits.
  virtual double estimate_rows(Estimates& estimates) const = 0;
  /// Estimates a column that it emits: as that which it comes from, unless it says otherwise.
  virtual ValueEstimate estimate_column(int column, Estimates& estimates) const;
  /// Says which columns of each input it reads where of its own only some are read. All, unless it says otherwise.
  virtual std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const;
  /// Says how its rows may be parted, its inputs' being parted like this.
  virtual Partitioning partitioning(std::span<const Partitioning> parted) const;
  /// Returns the input whose rows pass through it while a pipeline runs.
  virtual size_t passing_input() const { return 0; }
  /// Says whether it keeps some rows, and drops others, by the order in which they come. A breaker does unless it says
  /// otherwise.
  virtual bool chooses_rows() const { return role == Role::Breaker; }
  /// Says whether it may be through before it has all rows of its inputs.
  virtual bool takes_first_rows() const { return false; }
  /// Says whether its rows may come in another order in another run, its inputs' being in the same. A breaker's may
  /// unless it says otherwise.
  virtual bool varies_in_order() const { return role == Role::Breaker; }

  /// Puts a node that emits columns of its own above other inputs, its programs apart.
  ColumnPositions stay_above(std::vector<NodePtr> changed);
  /// Puts a node that emits its only input's columns above another one, its programs and keys apart.
  ColumnPositions pass_on(std::vector<NodePtr> changed, std::span<const ColumnPositions> places);
  /// Says whether rows that pass it are computed by code of the program around the engine.
  bool calls_outside() const;

  template <class T>
  bool is() const {
    return dynamic_cast<const T*>(this) != nullptr;
  }
  /// Returns this node as the struct that it is.
  template <class T>
  const T& as() const {
    return static_cast<const T&>(*this);
  }
};

/// The base of the struct T of a node. T lists its members, in `auto members() const`, as a tuple: of these it tells
/// the programs, and which nodes are equal. What sources read tells of them.
template <class T, Role kRole>
struct NodeOf : Node {
  NodeOf() : Node(kRole) {}
  std::shared_ptr<Node> clone() const final { return std::make_shared<T>(static_cast<const T&>(*this)); }
  std::vector<ProgramPtr> programs() const override {
    if constexpr (kRole == Role::Source)
      return {};
    else
      return programs_of(static_cast<const T&>(*this).members());
  }
  bool does_same(const Node& other, const SourceComparison& sources) const final {
    if (typeid(*this) != typeid(other)) return false;
    if constexpr (kRole == Role::Source) {
      return sources.give_same_rows(*this, other);
    } else {
      return static_cast<const T&>(*this).equals(static_cast<const T&>(other));
    }
  }
  /// For nodes of the same struct. A T that is never equal to another one has its own.
  bool equals(const T& other) const { return are_same(static_cast<const T&>(*this).members(), other.members()); }
};

/// Estimates the rows of a node's first input.
double estimate_rows_of_input(const Node& node, Estimates& estimates);

/// Returns what an output of a program is of the only input's columns.
std::vector<ColumnOrigin> origins_in(const expressions::Program& program, int output);

/// Returns a node as a T; nullptr if it is none.
template <class T>
std::shared_ptr<const T> node_as(const NodePtr& node) {
  return std::dynamic_pointer_cast<const T>(node);
}

/// Says how the rows of a tree may be parted.
Partitioning partitioning_of(const Node& root);

/// Says whether a row that a node or one below it makes or reads may be in error; false is certain.
bool may_fail(const Node& root);

/// Prints the tree, one node a line, inputs indented below: "Limit #7 limit=10 -> (a int, b string not null)".
std::string to_string(const Node& root);

}  // namespace accelerant::plan
