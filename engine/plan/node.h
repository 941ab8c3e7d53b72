#pragma once

#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace accelerant::plan {

/// Which plan node a Node is; each has a struct and a header of its own.
enum class NodeKind : uint8_t { Scan, Filter, Project, Aggregate, Sort, Limit, Join, ScalarValue, Union, Expand };

/// Returns the operator's short name, e.g. "Aggregate".
const char* to_string(NodeKind kind);

/// A column that a node gives out.
struct OutputColumn {
  std::string name;
  types::DataType type;
  bool nullable = true;

  friend bool operator==(const OutputColumn&, const OutputColumn&) = default;
};

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// What every plan node has. Plain data, immutable once bound.
struct Node {
  NodeKind kind;
  int plan_node = -1;      ///< index in the plan message of the Spark node it stands for; metrics and errors go there
  std::vector<int> fused;  ///< indices of further Spark nodes whose work it does
  std::vector<OutputColumn> output;
  std::vector<NodePtr> inputs;

  explicit Node(NodeKind node_kind) : kind(node_kind) {}
  virtual ~Node() = default;

  /// Describes the node's own parameters on one line, e.g. "keys=2 calls=[sum(2), count(*)]".
  virtual std::string describe() const = 0;
  virtual std::shared_ptr<Node> clone() const = 0;

  /// Returns this node as one of its kind.
  template <class T>
  const T& as() const {
    return static_cast<const T&>(*this);
  }
};

/// The base of the nodes of one kind.
template <class T, NodeKind Kind>
struct NodeOf : Node {
  NodeOf() : Node(Kind) {}
  std::shared_ptr<Node> clone() const final { return std::make_shared<T>(static_cast<const T&>(*this)); }
};

/// Prints the tree, one node a line, inputs indented below: "Limit #7 limit=10 -> (a int, b string not null)".
std::string to_string(const Node& root);

}  // namespace accelerant::plan
