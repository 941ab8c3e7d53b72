#include "operators/memory_scan.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "io/test_streams.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using types::DataType;
using types::TypeId;

const DataType kRow = DataType::structure({{"a", DataType(TypeId::Long), true}});

/// Emits a partition's streams, and then what a partition that is lost gives.
class Reader final : public io::ExternalReader {
 public:
  explicit Reader(const std::vector<std::vector<std::optional<int64_t>>>& streams) {
    for (const auto& stream : streams) {
      Batch batch;
      batch.num_rows = static_cast<int64_t>(stream.size());
      batch.columns = {make_longs(stream)};
      streams_.push_back(io::test::write_arrow_stream(batch, kRow));
    }
  }

  memory::BufferPtr next(const std::shared_ptr<memory::Budget>&) override {
    return at_ == streams_.size() ? nullptr : streams_[at_++];
  }

 private:
  std::vector<memory::BufferPtr> streams_;
  size_t at_ = 0;
};

/// Partition 0 has 5 rows in two streams, 1 is empty, 2 has a stream of no rows and one of 1 row, 3 is lost.
class Table final : public io::ExternalTable {
 public:
  int num_partitions() const override { return 4; }
  int64_t num_rows() const override { return 6; }
  std::unique_ptr<io::ExternalReader> open(int partition) const override {
    using Streams = std::vector<std::vector<std::optional<int64_t>>>;
    if (partition == 3) throw_unsupported("it is lost");
    const Streams streams[] = {{{1, 2, 3}, {4, 5}}, {}, {{}, {6}}};
    return std::make_unique<Reader>(streams[partition]);
  }
};

std::unique_ptr<Source> source(int first, int last, const execution::OperatorContext& ctx) {
  auto node = std::make_shared<plan::MemoryScan>();
  node->row_type = kRow;
  return MemoryTable(std::move(node), std::make_shared<Table>()).make_source(first, last, ctx);
}

TEST(MemoryScan, GivesPartitionsAsMorselsInBatchesOfTheWantedSize) {
  execution::Metrics metrics;
  const auto scan = source(0, 3, {columns::test::unlimited(), nullptr, &metrics, 3, 2});
  EXPECT_EQ(scan->num_morsels(), 3);
  const auto state = scan->make_state();
  std::vector<std::vector<int64_t>> morsels(3);
  int64_t ended = 0;
  Batch batch;
  while (test::insist([&] { return scan->next(*state, batch); }).kind == Step::Kind::HasOutput) {
    EXPECT_EQ(batch.morsel, ended);
    EXPECT_LE(batch.num_rows, 2);
    ASSERT_EQ(batch.columns.size(), 1);
    const auto* values = batch.columns[0]->values<int64_t>();
    auto& rows = morsels[static_cast<size_t>(batch.morsel)];
    if (batch.num_rows > 0) rows.insert(rows.end(), values, values + batch.num_rows);
    ended += batch.ends_morsel;
  }
  EXPECT_EQ(ended, 3);
  EXPECT_EQ(morsels, (std::vector<std::vector<int64_t>>{{1, 2, 3, 4, 5}, {}, {6}}));
  EXPECT_GT(metrics.input_bytes.load(), 0);
}

TEST(MemoryScan, FailsAtTheMorselThatIsLost) {
  const auto scan = source(2, 4, {columns::test::unlimited(), nullptr, nullptr, 3, 100});
  const auto state = scan->make_state();
  Batch batch;
  do {
    ASSERT_EQ(scan->next(*state, batch).kind, Step::Kind::HasOutput);
  } while (!batch.ends_morsel);
  try {
    scan->next(*state, batch);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(batch.morsel, 1);
  }
}

}  // namespace
}  // namespace accelerant::operators
