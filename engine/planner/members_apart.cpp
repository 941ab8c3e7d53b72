#include "planner/members_apart.h"

#include "expressions/member_path.h"
#include "plan/scan.h"
#include "planner/change_nodes.h"
#include "planner/program_above.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace accelerant::planner {

using expressions::MemberPath;
using plan::NodePtr;
using plan::ProgramPtr;

namespace {

using Paths = std::set<MemberPath>;
using Places = std::map<MemberPath, int>;

/// Returns a column that reads what a path leads to in another one.
io::ScanColumn member_of(const io::ScanColumn& column, const MemberPath& path) {
  io::ScanColumn member = column;
  for (const int number : path.members) {
    const types::Field field = member.type.fields()[static_cast<size_t>(number)];
    member.type = field.type;
    member.members.push_back(field.name);
    member.nullable = true;
  }
  return member;
}

/// A scan whose structs are taken apart.
class ApartScan {
 public:
  ApartScan(const plan::Scan& scan, const Paths& read_above)
      : emitted_(scan.emitted_columns()),
        spec_(std::make_shared<io::ScanSpec>(*scan.spec)),
        node_(std::make_shared<plan::Scan>(scan)) {
    Paths read;
    for (const ProgramPtr& filter : scan.spec->filters) read.merge(expressions::paths_read(*filter));
    for (MemberPath path : read_above) {
      path.column = static_cast<int>(emitted_[static_cast<size_t>(path.column)]);
      read_above_.insert(path);
    }
    read.insert(read_above_.begin(), read_above_.end());
    spec_->columns.clear();
    node_->output.clear();
    for (const bool is_emitted : {true, false}) {
      for (size_t i = 0; i < scan.spec->columns.size(); ++i) {
        add(scan.spec->columns[i], static_cast<int>(i), read, is_emitted);
      }
    }
    if (!is_changed_) return;
    for (ProgramPtr& filter : spec_->filters) filter = expressions::with_members_apart(*filter, places_);
    node_->spec = spec_;
  }

  bool is_changed() const { return is_changed_; }
  NodePtr node() const { return node_; }
  /// Returns the places in the output by the columns of the scan's output that was.
  Places places_above() const {
    Places places;
    for (const auto& [path, place] : emitted_places_) {
      const auto column = std::ranges::find(emitted_, static_cast<size_t>(path.column)) - emitted_.begin();
      places[{static_cast<int>(column), path.members}] = place;
    }
    return places;
  }

 private:
  /// Adds what is read of a column and is emitted, or is not.
  void add(const io::ScanColumn& column, int number, const Paths& read, bool is_emitted) {
    const MemberPath whole{number};
    const auto first = read.lower_bound(whole);
    const bool is_read = first != read.end() && first->column == number;
    const bool is_file_struct = column.type.is(types::TypeId::Struct) && column.partition_index < 0;
    if (!is_read || !is_file_struct || *first == whole) {
      if (is_emitted != column.filter_only) add_part(column, whole, is_emitted);
      return;
    }
    is_changed_ = true;
    for (auto path = first; path != read.end() && path->column == number; ++path) {
      const bool is_new = is_read_above(*path) == is_emitted && !lies_in_one(*path);
      if (is_new) add_part(member_of(column, *path), *path, is_emitted);
    }
  }

  /// Says whether what a path leads to is a part of one that has a place.
  bool lies_in_one(MemberPath path) const {
    while (!path.members.empty()) {
      path.members.pop_back();
      if (places_.contains(path)) return true;
    }
    return false;
  }

  /// Says whether the node above reads what a path leads to, or a part of it.
  bool is_read_above(const MemberPath& path) const {
    return std::ranges::any_of(read_above_, [&](const MemberPath& other) {
      return other.column == path.column && other.members.size() >= path.members.size() &&
             std::equal(path.members.begin(), path.members.end(), other.members.begin());
    });
  }

  void add_part(io::ScanColumn column, const MemberPath& path, bool is_emitted) {
    places_[path] = static_cast<int>(spec_->columns.size());
    column.filter_only = !is_emitted;
    if (is_emitted) {
      emitted_places_[path] = static_cast<int>(node_->output.size());
      node_->output.push_back({column.name, column.type, column.nullable});
    }
    spec_->columns.push_back(std::move(column));
  }

  const std::vector<size_t> emitted_;  ///< of the scan that was
  Paths read_above_;                   ///< by the columns of its spec, as all paths here
  std::shared_ptr<io::ScanSpec> spec_;
  std::shared_ptr<plan::Scan> node_;
  Places places_;          ///< in the new spec
  Places emitted_places_;  ///< in the new output
  bool is_changed_ = false;
};

NodePtr take_members_apart(const NodePtr& node) {
  const ProgramPtr program = program_above(*node);
  if (!program || program->can_fail() || !node->inputs.front()->is<plan::Scan>()) return node;
  const auto& scan = node->inputs.front()->as<plan::Scan>();
  const auto can_fail = [](const ProgramPtr& filter) { return filter->can_fail(); };
  if (!scan.spec || !io::reads_members(scan.spec->format) || std::ranges::any_of(scan.spec->filters, can_fail)) {
    return node;
  }
  const ApartScan apart(scan, expressions::paths_read(*program));
  if (!apart.is_changed()) return node;
  return with_program(*node, expressions::with_members_apart(*program, apart.places_above()), apart.node());
}

}  // namespace

NodePtr read_members_apart(const NodePtr& root) { return change_nodes(root, take_members_apart); }

}  // namespace accelerant::planner
