#pragma once

#include "functions/definition.h"
#include "functions/interval/text_of_interval.h"

namespace accelerant::functions {

struct ToPrettyString {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ToPrettyString",
      .sql = "(put by Spark for Dataset.show)",
      .text = "Writes a value as Dataset.show prints it, \"NULL\" where it is null.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{"null int"}, "NULL string"},
      {{"5 int"}, "5 string"},
      {{"true boolean"}, "true string"},
      {{"0.1 double"}, "0.1 string"},
      {{"1.50 decimal(5,2)"}, "1.50 string"},
      {{"a string"}, "a string"},
      {{"ab/ binary"}, "[61 62 2F] string"},
      {{"2024-02-29 date"}, "2024-02-29 string"},
      {{"2024-07-01 10:30:00 timestamp"}, "2024-07-01 12:30:00 string"},
      {{"93784500000 micros"}, "INTERVAL '1 02:03:04.5' DAY TO SECOND string"},
      {{"14 months"}, "INTERVAL '1-2' YEAR TO MONTH string"},
      {{"[1,null] array<int>"}, "[1, NULL] string"},
      {{"([ab],{x:1.5},null) struct<a:array<binary>,b:map<string,double>,c:date>"},
       "{[[61 62]], {x -> 1.5}, NULL} string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto value = call.argument("child");
    const auto zone = call.zone();
    call.finish();
    const auto null_text = call.constant_text("NULL");
    return call.builder().coalesce({text_of(call, value, zone), null_text}, call.type());
  }

  /// Gives the text of a value, null of null; fails for no value.
  template <class Call, class Slot, class Zone>
  ACC_HD static Slot text_of(Call& call, Slot value, const Zone& zone) {
    const auto type = call.type_of(value);
    if (call.is_string(value)) return value;
    if (type.is(Call::TypeId::Null)) return call.null();
    if (type.is_nested()) return call.show_nested(value, zone);
    if (type.is(Call::TypeId::Binary)) return call.call("io.accelerant.BinaryText", {value});
    if (type.is_floating()) return call.call(kCast, {value, call.java_version()});
    if (is_interval(call, value)) return text_of_interval(call, value);
    return call.call(kCast, {value}, Call::kAnsi, zone);
  }

 private:
  static constexpr const char* kCast = "org.apache.spark.sql.catalyst.expressions.Cast";
};

}  // namespace accelerant::functions
