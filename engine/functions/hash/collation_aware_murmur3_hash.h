#pragma once

#include "functions/definition.h"
#include "functions/hash/hash_chain.h"

namespace accelerant::functions {

struct CollationAwareMurmur3Hash {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.CollationAwareMurmur3Hash",
      .sql = "(put by Spark for buckets)",
      .text =
          "Returns what hash does, of strings in the one collation that the engine has; the examples give the seed, "
          "then the values.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{"42 int", "-1 int"}, "-1604776387 int"},
      {{"42 int", "abcd string"}, "-396302900 int"},
      {{"42 int", "null int"}, "42 int"},
      {{"42 int", "null int", "abcd string"}, "-396302900 int"},
      {{"42 int", "-1 int", "abcd string"}, "2023516264 int"},
      {{"42 int", "[1,null,2] array<int>"}, "-222940379 int"},
      {{"42 int", "(1,[ab,null]) struct<x:int,y:array<string>>"}, "-2026801136 int"},
      {{"42 int", "null array<int>", "(7,null) struct<x:int,y:array<int>>"}, "1079293707 int"},
      {{"42 int", "7 int", "[3] array<int>"}, "1218244675 int"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    return bind_hash(call, "org.apache.spark.sql.catalyst.expressions.Murmur3Hash");
  }
};

}  // namespace accelerant::functions
