#pragma once

#include "columns/column.h"
#include "types/zone_rules.h"

#include <string>
#include <string_view>
#include <vector>

/// Values as tests and the examples of functions write them: "text type", e.g. "1.50 decimal(3,2)", "null int", "a b
/// string", "2024-01-01 12:00:00.5 timestamp" in UTC, "1 micros" and "1 months" for intervals,
/// "[1,null] array<int>", "{k:1} map<string,int>", "(1,x) struct<a:int,b:string>".
namespace accelerant::expressions {

/// Parses Spark's spelling of a type.
types::DataType parse_type(std::string_view text);

/// Returns the type at the end of a "text type".
types::DataType type_of_example(std::string_view example);

/// Makes a flat column of one row.
columns::ColumnPtr parse_example(std::string_view example);

/// Makes a flat column of several values of one type; "null" is null. Decimals take int64 where all fit and `wide` is
/// not set.
columns::ColumnPtr parse_column(std::string_view type, const std::vector<std::string>& texts, bool wide = false);

/// Returns the rules of an example's time zone: "UTC", or "Example": Berlin's without the wars.
std::shared_ptr<const types::ZoneRules> zone_of_example(std::string_view name);

/// Writes a row's value as tests compare it, e.g. "1.50", "null", "1994-01-01".
std::string format_row(const columns::Column& column, int64_t row);

}  // namespace accelerant::expressions
