#include "io/orc_schema.h"

#include "base/error.h"
#include "io/file_fields.h"
#include "io/hybrid_calendar.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace accelerant::io {

using types::DataType;
using types::TypeId;

namespace {

/// Says whether an integer of a kind fits one of the widest kind that is given.
bool fits_integer(OrcKind kind, OrcKind widest) { return kind >= OrcKind::Byte && kind <= widest; }

/// Says whether values of a kind that is not nested are read as a type.
bool is_readable(const OrcType& stored, const DataType& wanted) {
  const OrcKind kind = stored.kind;
  switch (wanted.id()) {
    case TypeId::Boolean:
      return kind == OrcKind::Boolean;
    case TypeId::Byte:
      return kind == OrcKind::Byte;
    case TypeId::Short:
      return fits_integer(kind, OrcKind::Short);
    case TypeId::Int:
      return fits_integer(kind, OrcKind::Int);
    case TypeId::Long:
      return fits_integer(kind, OrcKind::Long);
    case TypeId::YearMonthInterval:
      return kind == OrcKind::Int;
    case TypeId::DayTimeInterval:
    case TypeId::TimestampNtz:
      return kind == OrcKind::Long;
    case TypeId::Float:
      return kind == OrcKind::Float;
    case TypeId::Double:
      return kind == OrcKind::Double;
    case TypeId::String:
      return kind == OrcKind::String || kind == OrcKind::Varchar;
    case TypeId::Binary:
      return kind == OrcKind::Binary;
    case TypeId::Date:
      return kind == OrcKind::Date;
    case TypeId::Timestamp:
      return kind == OrcKind::Timestamp && (stored.spark_type.empty() || stored.spark_type == "timestamp");
    case TypeId::Decimal:
      return kind == OrcKind::Decimal && stored.precision == wanted.precision() && stored.scale == wanted.scale();
    case TypeId::Null:
    case TypeId::CalendarInterval:
    case TypeId::Array:
    case TypeId::Map:
    case TypeId::Struct:
    case TypeId::Char:
    case TypeId::Varchar:
    case TypeId::Other:
      break;
  }
  return false;
}

/// Returns the kind of a nested type; nothing for others.
std::optional<OrcKind> nested_kind(const DataType& type) {
  if (type.is(TypeId::Struct)) return OrcKind::Struct;
  if (type.is(TypeId::Array)) return OrcKind::List;
  return type.is(TypeId::Map) ? std::optional(OrcKind::Map) : std::nullopt;
}

class Mapping {
 public:
  Mapping(const ScanSpec& spec, const OrcMetadata& metadata)
      : spec_(spec), options_(static_cast<const OrcReadOptions&>(*spec.options)), metadata_(metadata) {}

  OrcField map(const ScanColumn& wanted) {
    OrcField field{wanted.type};
    if (wanted.partition_index >= 0) return field;
    const auto column = find(0, wanted.name);
    return column ? map(*column, wanted.type) : field;
  }

  /// Refuses files on which Spark's own look at timestamps may fail: it compares types by their places.
  void check_timestamps() const {
    const auto& fields = metadata_.types[0].children;
    for (size_t i = 0; i < std::min(fields.size(), options_.data_schema.size()); ++i) {
      check_timestamp(fields[i], options_.data_schema[i].type);
    }
  }

 private:
  /// The children of a struct by name; nothing: several have the name.
  using Children = std::unordered_map<std::string, std::optional<uint64_t>>;

  /// Returns the child of a struct that has a name.
  std::optional<uint64_t> find(uint64_t parent, const std::string& name) {
    const Children& children = children_of(parent);
    const auto found = children.find(key(name));
    if (found == children.end()) return std::nullopt;
    if (!found->second) throw_unsupported("several columns of the file have the name " + name);
    return found->second;
  }

  const Children& children_of(uint64_t parent) {
    const auto [known, is_new] = children_.try_emplace(parent);
    if (!is_new) return known->second;
    const OrcType& type = metadata_.types[parent];
    for (size_t i = 0; i < type.names.size(); ++i) {
      const auto [child, is_first] = known->second.emplace(key(type.names[i]), type.children[i]);
      if (!is_first) child->second.reset();
    }
    return known->second;
  }

  std::string key(const std::string& name) const { return spec_.case_sensitive ? name : lower_case(name); }

  OrcField map(uint64_t column, const DataType& wanted) {
    const OrcType& stored = metadata_.types[column];
    const auto kind = nested_kind(wanted);
    if (kind ? *kind != stored.kind : !is_readable(stored, wanted)) {
      throw_unsupported("reading ORC's type " + std::to_string(static_cast<int>(stored.kind)) + " as " +
                        wanted.to_string());
    }
    OrcField field{wanted, static_cast<int64_t>(column), stored.kind, stored.most_characters};
    if (kind) map_children(field);
    if (!kind) check_calendar(field);
    return field;
  }

  void map_children(OrcField& field) {
    const auto& wanted = field.type.fields();
    const auto parent = static_cast<uint64_t>(field.column);
    if (field.kind == OrcKind::Struct) {
      for (const types::Field& member : wanted) {
        const auto column = find(parent, member.name);
        field.children.push_back(column ? map(*column, member.type) : OrcField{member.type});
      }
      return;
    }
    // Spark's reader of rows puts maps in the order of their keys.
    if (field.kind == OrcKind::Map && !options_.reads_batches) throw_unsupported("a map that is not read in batches");
    const auto& children = metadata_.types[parent].children;
    if (children.size() != wanted.size()) throw_unsupported("a list or map that is not one");
    for (size_t i = 0; i < wanted.size(); ++i) field.children.push_back(map(children[i], wanted[i].type));
  }

  /// Refuses dates and timestamps that both calendars, or both of Java's libraries, do not count alike, where the
  /// engine can't tell what Spark makes of them.
  void check_calendar(const OrcField& field) const {
    const auto* statistics =
        metadata_.statistics.empty() ? nullptr : &metadata_.statistics[static_cast<size_t>(field.column)];
    if (statistics && statistics->num_values == 0) return;
    if (field.kind == OrcKind::Date && !metadata_.has_old_calendar &&
        !(statistics && statistics->min && *statistics->min >= kFirstGregorianDay)) {
      throw_unsupported("dates before 1582-10-15 of a file that counts by the new calendar");
    }
    if (field.kind != OrcKind::Timestamp || (metadata_.has_old_calendar && is_utc(options_.time_zone))) return;
    constexpr int64_t kDayMillis = 86'400'000;  // bounds may be of another zone's
    const bool is_safe =
        statistics && statistics->min_millis && *statistics->min_millis >= kFirstSafeMicros / 1000 + kDayMillis;
    if (!is_safe) throw_unsupported("timestamps before 1900 in the time zone " + options_.time_zone);
  }

  void check_timestamp(uint64_t column, const DataType& wanted) const {
    const OrcType& stored = metadata_.types[column];
    const bool is_stored = stored.kind == OrcKind::Timestamp || stored.kind == OrcKind::TimestampInstant ||
                           stored.spark_type.starts_with("timestamp");
    const bool is_wanted = wanted.is(TypeId::Timestamp) || wanted.is(TypeId::TimestampNtz);
    const bool is_ntz = stored.spark_type == "timestamp_ntz";
    if (is_stored && is_wanted && is_ntz != wanted.is(TypeId::TimestampNtz)) {
      throw_unsupported("timestamps with a time zone and without one");
    }
    if (nested_kind(wanted) != stored.kind) return;
    for (size_t i = 0; i < std::min(stored.children.size(), wanted.fields().size()); ++i) {
      check_timestamp(stored.children[i], wanted.fields()[i].type);
    }
  }

  const ScanSpec& spec_;
  const OrcReadOptions& options_;
  const OrcMetadata& metadata_;
  std::unordered_map<uint64_t, Children> children_;  ///< of the structs that were asked for
};

/// Says whether every version of Spark reads the name of a type that stands in a file; empty: there is none.
bool is_known_name(std::string_view name) {
  constexpr std::string_view kNames[] = {"",
                                         "string",
                                         "timestamp",
                                         "timestamp_ntz",
                                         "interval year",
                                         "interval month",
                                         "interval year to month",
                                         "interval day",
                                         "interval hour",
                                         "interval minute",
                                         "interval second",
                                         "interval day to hour",
                                         "interval day to minute",
                                         "interval day to second",
                                         "interval hour to minute",
                                         "interval hour to second",
                                         "interval minute to second"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// Says whether a type has as many children as its kind asks for.
bool has_its_children(const OrcType& type) {
  if (type.kind == OrcKind::Struct) return true;
  if (type.kind == OrcKind::List) return type.children.size() == 1;
  if (type.kind == OrcKind::Map) return type.children.size() == 2;
  return type.children.empty();
}

/// Refuses a type on which Spark fails wherever it stands: it reads the whole schema of a file, wanted or not
/// (OrcUtils.toCatalystSchema).
void check_type(const OrcType& type, const OrcReadOptions& options) {
  constexpr int kMostDigits = 38;
  if (type.kind == OrcKind::Union) throw_unsupported("an ORC file with a union");
  if (type.kind == OrcKind::TimestampInstant && !options.reads_instants) {
    throw_unsupported("an ORC file with timestamps with a local time zone");
  }
  if (type.kind == OrcKind::Decimal &&
      (type.precision < 1 || type.precision > kMostDigits || type.scale > type.precision)) {
    throw_unsupported("an ORC file with decimals of an unknown size");
  }
  if (!is_known_name(type.spark_type)) throw_unsupported("an ORC file with Spark's type " + type.spark_type);
  if (!has_its_children(type)) throw_unsupported("an ORC file with types that are none");
}

/// Says whether columns are those of Hive's transactional tables, which ORC's reader looks below.
bool is_transactional(const std::vector<std::string>& names) {
  constexpr std::string_view kNames[] = {"operation", "originaltransaction", "bucket",
                                         "rowid",     "currenttransaction",  "row"};
  return std::ranges::equal(names, kNames, {}, lower_case);
}

/// Refuses files that Spark fails on, or may, whichever columns are wanted.
void check_layout(const OrcMetadata& metadata, const OrcReadOptions& options) {
  const OrcType& root = metadata.types[0];
  if (root.kind != OrcKind::Struct) throw_unsupported("an ORC file whose rows are no structs");
  for (const OrcType& type : metadata.types) check_type(type, options);
  if (is_transactional(root.names)) throw_unsupported("an ORC file of a transactional table of Hive");
}

/// Refuses a file of old versions of Hive, which name no columns: Spark finds these by their places.
void check_names(const OrcMetadata& metadata) {
  const auto& names = metadata.types[0].names;
  const auto is_number = [](const std::string& name) { return name.starts_with("_col"); };
  if (std::ranges::all_of(names, is_number)) throw_unsupported("an ORC file without names of columns");
}

}  // namespace

std::vector<OrcField> map_orc_columns(const ScanSpec& spec, const OrcMetadata& metadata) {
  const bool has_columns = !metadata.types.empty() && !metadata.types[0].children.empty();
  if (!metadata.types.empty()) check_layout(metadata, static_cast<const OrcReadOptions&>(*spec.options));
  Mapping mapping(spec, metadata);
  if (has_columns) {
    check_names(metadata);
    mapping.check_timestamps();
  }
  std::vector<OrcField> fields;
  for (const ScanColumn& column : spec.columns) {
    try {
      fields.push_back(has_columns ? mapping.map(column) : OrcField{column.type});
    } catch (Error& error) {
      error.with_context("column " + column.name);
      throw;
    }
  }
  return fields;
}

bool contains(const OrcField& field, OrcKind kind) {
  const bool is_it = !field.is_missing() && field.kind == kind;
  return is_it || std::ranges::any_of(field.children, [kind](const OrcField& child) { return contains(child, kind); });
}

}  // namespace accelerant::io
