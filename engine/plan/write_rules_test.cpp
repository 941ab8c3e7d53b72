#include "base/error.h"
#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/test_plans.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::plan {
namespace {

using Type = SparkPlan::Type;
using types::TypeId;

constexpr std::string_view kParquet = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat";

/// A write of a scan of one column, and what is changed of it.
struct Write {
  Type type = Type(TypeId::Int);
  std::string_view format = kParquet;
  std::string_view option = "compression";
  bool is_partitioned = false;
  bool has_buckets = false;
  std::string setting = "spark.sql.ansi.enabled";
  std::string setting_value = "true";
};

/// Binds a write and returns what it says of files and rows, or why it can't be bound.
std::string bound(const Write& write) {
  SparkPlan plan;
  plan.builder.setting(write.setting, write.setting_value);
  const SparkPlan::Column column = {"a", 1, write.type};
  const int scan = plan.scan({column});
  const FieldValue partitions =
      write.is_partitioned ? SparkPlan::nodes({plan.attribute(column)}) : SparkPlan::nodes({});
  const std::vector<int> buckets = write.has_buckets ? std::vector{plan.attribute(column)} : std::vector<int>();
  std::vector<int> bucket_id;
  for (const int key : buckets) {
    bucket_id.push_back(plan.builder.expression("CollationAwareMurmur3Hash", Type(TypeId::Int), false,
                                                {{"children", SparkPlan::nodes({key})}, {"seed", {int64_t{42}}}}));
  }
  const int root =
      plan.builder.plan("datasources.WriteFilesExec", {{"child", {NodeReference{scan}}},
                                                       {"fileFormat", {Opaque{write.format}}},
                                                       {"partitionColumns", partitions},
                                                       {"bucketSpec", SparkPlan::nodes({})},
                                                       {"bucketId", SparkPlan::nodes(bucket_id)},
                                                       {"bucketSort", SparkPlan::nodes(buckets)},
                                                       {"options", {Map{{{Text{write.option}}, {Text{"1"}}}}}},
                                                       {"staticPartitions", {Map{}}},
                                                       {"output", SparkPlan::nodes({})}});
  try {
    const BoundPlan result = bind(decode_plan(plan.builder.finish(root)));
    std::string text = std::string(result.root->name()) + " " + result.root->describe() + " of";
    for (const OutputColumn& written : result.root->output) text += " " + written.name + " " + written.type.to_string();
    return result.root->inputs.at(0)->plan_node == scan ? text : text + ", rewritten";
  } catch (const Error& error) {
    return error.message();
  }
}

TEST(WriteRules, BindTheRowsToBeWritten) { EXPECT_EQ(bound({}), "WriteFiles folders=0 of a int"); }

TEST(WriteRules, BindWhatComputesBuckets) {
  EXPECT_EQ(bound({.has_buckets = true}), "WriteFiles folders=0 buckets sorted=1 of a int");
}

TEST(WriteRules, NameWhatIsNotWritten) {
  EXPECT_EQ(bound({.format = "org.apache.spark.sql.execution.datasources.orc.OrcFileFormat"}),
            "WriteFiles: file format OrcFileFormat");
  EXPECT_EQ(bound({.option = "parquet.crypto.factory.class"}),
            "WriteFiles: write setting parquet.crypto.factory.class=1");
  EXPECT_EQ(bound({.is_partitioned = true}), "WriteFiles: files without a column");
  const std::string mode = "spark.sql.parquet.datetimeRebaseModeInWrite";
  EXPECT_EQ(bound({.setting = mode, .setting_value = "LEGACY"}), "WriteFiles: " + mode + "=LEGACY");
  EXPECT_EQ(bound({.setting = mode, .setting_value = "corrected"}), "WriteFiles folders=0 of a int");
}

TEST(WriteRules, NameSettingsThatChangeNestedColumns) {
  const std::string legacy = "spark.sql.parquet.writeLegacyFormat";
  EXPECT_EQ(bound({.setting = legacy, .setting_value = "true"}), "WriteFiles folders=0 of a int");
  EXPECT_EQ(bound({.type = Type::array(Type(TypeId::Int), true), .setting = legacy, .setting_value = "true"}),
            "WriteFiles: nested columns with " + legacy + "=true");
}

}  // namespace
}  // namespace accelerant::plan
