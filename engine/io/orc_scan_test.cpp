#include "base/error.h"
#include "columns/test_columns.h"
#include "io/orc_dataset.h"
#include "io/test_files.h"
#include "io/test_orc_files.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::io {
namespace {

using columns::test::unlimited;
using test::OrcFileOptions;
using test::OrcTestColumn;
using test::TemporaryFile;

constexpr int64_t kRows = 700;

void expect_rows(const std::vector<OrcTestColumn>& columns, const OrcFileOptions& options) {
  const TemporaryFile file(test::write_orc(columns, options), "part.orc");
  for (const int64_t batch_rows : {3, 64, 0}) {
    const auto result = test::run_scan(test::orc_spec(columns), {{file.split()}}, batch_rows);
    ASSERT_EQ(static_cast<int64_t>(result.rows.size()), kRows);
    for (int64_t i = 0; i < kRows; ++i) ASSERT_EQ(result.rows[static_cast<size_t>(i)], test::orc_row(columns, i));
  }
}

TEST(OrcScan, ReadsTypesAndCodecs) {
  const auto columns = test::orc_columns(kRows);
  for (const char* codec : {"uncompressed", "gzip", "snappy", "lz4_raw", "zstd"}) {
    SCOPED_TRACE(codec);
    expect_rows(columns, {.codec = codec});
    expect_rows(columns, {.codec = codec, .dictionary_share = 1});
  }
}

TEST(OrcScan, GivesStripesToTheSplitsTheyBeginIn) {
  const auto columns = test::orc_columns(kRows);
  const TemporaryFile file(test::write_orc(columns, {}), "part.orc");
  FileSplit first = file.split();
  FileSplit second = first;
  first.length /= 2;
  second.start = first.length;
  second.length -= first.length;
  const auto result = test::run_scan(test::orc_spec(columns), {{first}, {second}}, 0);
  EXPECT_EQ(static_cast<int64_t>(result.rows.size()), kRows);
  EXPECT_GT(result.num_morsels, 2);
  const auto open = open_files(test::orc_spec(columns), {{first}, {second}}, 1, unlimited());
  EXPECT_GT(open->num_rows(0, 1), 0);
  EXPECT_LT(open->num_rows(0, 1), kRows);
  EXPECT_EQ(open->num_rows(0, 2), kRows);
}

TEST(OrcScan, FiltersRows) {
  const auto columns = test::orc_columns(kRows);
  const TemporaryFile file(test::write_orc(columns, {}), "part.orc");
  const auto spec = test::orc_spec(columns);
  spec->filters = {test::compare(0, "GreaterThanOrEqual", 690)};
  const auto result = test::run_scan(spec, {{file.split()}}, 16);
  ASSERT_EQ(result.rows.size(), 10u);
  EXPECT_EQ(result.rows[0], test::orc_row(columns, 690));
  const auto keyed =
      test::run_scan(test::orc_spec(columns), {{file.split()}}, 16, nullptr, {test::key_filter(0, {3, 699})});
  ASSERT_EQ(keyed.rows.size(), 2u);
  EXPECT_EQ(keyed.rows[1], test::orc_row(columns, 699));
}

TEST(OrcScan, SummarisesColumns) {
  const auto columns = test::orc_columns(kRows);
  const TemporaryFile file(test::write_orc(columns, {}), "part.orc");
  const auto open = open_files(test::orc_spec(columns), {{file.split()}}, 1, unlimited());
  EXPECT_EQ(open->summarize(0).min, 0);
  EXPECT_EQ(open->summarize(0).max, kRows - 1);
  EXPECT_EQ(open->summarize(9).min, std::nullopt);
}

TEST(OrcScan, KeepsToItsBudget) {
  const auto columns = test::orc_columns(kRows);
  const TemporaryFile file(test::write_orc(columns, {}), "part.orc");
  const auto budget = std::make_shared<memory::Budget>("OrcScan", 20'000);
  const auto spec = test::orc_spec(columns);
  EXPECT_THROW(test::run_scan(*open_files(spec, {{file.split()}}, 1, budget), 0, budget), Error);
  EXPECT_EQ(budget->used_bytes(), 0);
}

/// Says whether a scan of damaged bytes gives rows. Errors must name the file, and be none of ours.
bool survives(const TemporaryFile& file, const std::shared_ptr<const ScanSpec>& spec, const std::string& bytes) {
  file.overwrite(bytes);
  const auto budget = std::make_shared<memory::Budget>("OrcScan", int64_t{64} << 20);
  bool has_rows = false;
  try {
    test::run_scan(*open_files(spec, {{file.split()}}, 1, budget), 16, budget);
    has_rows = true;
  } catch (const Error& error) {
    EXPECT_NE(error.kind(), ErrorKind::Internal) << error.message();
    EXPECT_NE(error.message().find(file.uri()), std::string::npos) << error.message();
  }
  EXPECT_EQ(budget->used_bytes(), 0);
  return has_rows;
}

TEST(OrcCorruption, SurvivesFlippedBytes) {
  const auto columns = test::orc_columns(100);
  const auto spec = test::orc_spec(columns);
  for (const char* codec : {"uncompressed", "lz4_raw", "zstd", "gzip", "snappy"}) {
    for (const double share : {0.0, 1.0}) {
      const std::string bytes = test::write_orc(columns, {.codec = codec, .dictionary_share = share});
      const TemporaryFile file(bytes, "part.orc");
      std::mt19937 random(20261126);
      int with_rows = 0;
      for (size_t i = 0; i < bytes.size(); i += 7) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 + random() % 255));
        with_rows += survives(file, spec, damaged);
      }
      EXPECT_GT(with_rows, 0);
    }
  }
}

TEST(OrcCorruption, SurvivesTruncation) {
  const auto columns = test::orc_columns(100);
  const std::string bytes = test::write_orc(columns, {});
  const TemporaryFile file(bytes, "part.orc");
  for (size_t n = 1; n < bytes.size(); n += 5)
    EXPECT_FALSE(survives(file, test::orc_spec(columns), bytes.substr(0, n)));
}

}  // namespace
}  // namespace accelerant::io
