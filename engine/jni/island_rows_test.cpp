#include "jni/island_rows.h"

#include "base/error.h"
#include "io/test_streams.h"
#include "jni/held_batch.h"
#include "jni/test_jvm.h"
#include "memory/reservation_probe.h"
#include "runtime/stream.h"
#include "runtime/test_islands.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" {
jlongArray Java_io_accelerant_spark_Native_claim(JNIEnv* env, jclass type, jlong query, jint index, jint count);
jint Java_io_accelerant_spark_Native_putRows(JNIEnv* env, jclass type, jlong claim, jbyteArray rows, jint length,
                                             jint num_rows);
jint Java_io_accelerant_spark_Native_putColumns(JNIEnv* env, jclass type, jlong claim, jlong batch, jint num_columns,
                                                jint offset, jint num_rows, jbyteArray others, jint first);
jint Java_io_accelerant_spark_Native_room(JNIEnv* env, jclass type, jlong claim);
void Java_io_accelerant_spark_Native_endClaim(JNIEnv* env, jclass type, jlong claim, jboolean complete);
jlong Java_io_accelerant_spark_Native_awaitBell(JNIEnv* env, jclass type, jlong query, jlong seen,
                                                jlong timeout_millis);
}

namespace accelerant::jni {
namespace {

using columns::test::make_longs;
using runtime::test::Column;
using runtime::test::Rows;

const Column kFirst{"first", 1, runtime::test::kLong};
const Column kSecond{"second", 2, runtime::test::kLong};

constexpr jlong kPatienceMillis = std::chrono::milliseconds(runtime::test::kPatience).count();

class IslandRowsTest : public test::JvmTest {
 protected:
  /// A partition that was claimed.
  struct Claim {
    jlong handle;
    jlong plan_node;
    jlong partition;
  };

  void TearDown() override {
    if (stream_) stream_->close();
    JvmTest::TearDown();
  }

  /// Opens a query over an island of two columns.
  void open(int partitions = 1, const runtime::RunOptions& options = {}) {
    plan::SparkPlan plan;
    island_ = runtime::test::add_island(plan, {kFirst, kSecond});
    query_ = runtime::test::open_over_islands(plan.builder.finish(island_), {{island_, {partitions, 100}}}, options);
  }
  void start_reading() { stream_ = query_->open_stream(0, 1); }

  jlong query() { return reinterpret_cast<jlong>(&query_); }
  jlong await_bell(jlong seen, jlong millis) {
    return Java_io_accelerant_spark_Native_awaitBell(env(), nullptr, query(), seen, millis);
  }
  jlongArray try_claim() { return Java_io_accelerant_spark_Native_claim(env(), nullptr, query(), 0, 1); }
  /// Claims a partition as soon as it is read.
  Claim claim() {
    jlongArray numbers = nullptr;
    for (jlong rings = 0; !(numbers = try_claim());) {
      const jlong rung = await_bell(rings, kPatienceMillis);
      if (rung == rings) throw std::runtime_error("nobody reads the island");
      rings = rung;
    }
    EXPECT_EQ(env()->GetArrayLength(numbers), 3);
    jlong values[3] = {};
    env()->GetLongArrayRegion(numbers, 0, 3, values);
    return {values[0], values[1], values[2]};
  }

  static std::string bytes_of(const Rows& rows) {
    const std::vector<int64_t> words = runtime::test::unsafe_rows(rows);
    return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(int64_t)};
  }
  /// Hands rows over, in an array that is longer than they are.
  static jint put(const Claim& claim, const Rows& rows) {
    const std::string bytes = bytes_of(rows);
    return Java_io_accelerant_spark_Native_putRows(env(), nullptr, claim.handle, byte_array(bytes + "and more"),
                                                   static_cast<jint>(bytes.size()), static_cast<jint>(rows.size()));
  }
  static jint room(const Claim& claim) { return Java_io_accelerant_spark_Native_room(env(), nullptr, claim.handle); }
  static void end(const Claim& claim, bool complete) {
    Java_io_accelerant_spark_Native_endClaim(env(), nullptr, claim.handle, complete ? JNI_TRUE : JNI_FALSE);
  }

  Rows read() {
    return runtime::test::read_rows(
        [&](columns::Batch& batch) { return stream_->next(batch, runtime::test::kPatience); });
  }
  /// Reads until the stream fails, and returns its error as its kind and its message.
  std::string failure() {
    try {
      read();
    } catch (const Error& error) {
      return std::string(to_string(error.kind())) + " " + error.message();
    }
    return "nothing";
  }

  std::shared_ptr<runtime::Query> query_;
  std::shared_ptr<runtime::Stream> stream_;
  int island_ = 0;
};

TEST_F(IslandRowsTest, AreOfIslandsThatThreeNumbersEachDescribe) {
  const jlongArray array = env()->NewLongArray(6);
  const jlong numbers[] = {3, 4, 5'000'000'000, 9, 1, 0};
  env()->SetLongArrayRegion(array, 0, 6, numbers);
  const planner::Islands islands = to_islands(env(), array);
  ASSERT_EQ(islands.tables.size(), 2U);
  EXPECT_EQ(islands.tables.at(3)->num_partitions(), 4);
  EXPECT_EQ(islands.tables.at(3)->num_rows(), 5'000'000'000);
  EXPECT_EQ(islands.tables.at(9)->num_partitions(), 1);
  EXPECT_EQ(islands.tables.at(9)->num_rows(), 0);
  islands.tables.at(3)->open(0);
  islands.tables.at(9)->open(0);
  EXPECT_EQ(islands.bell->wait(1, runtime::test::kPatience), 2U);
}

TEST_F(IslandRowsTest, HaveNoBellWhereThereIsNoIsland) {
  const planner::Islands islands = to_islands(env(), env()->NewLongArray(0));
  EXPECT_TRUE(islands.tables.empty());
  EXPECT_EQ(islands.bell, nullptr);
}

TEST_F(IslandRowsTest, AreClaimedWhereSomebodyReadsThem) {
  open(2);
  EXPECT_EQ(try_claim(), nullptr);
  start_reading();
  const Claim first = claim();
  EXPECT_EQ(first.plan_node, island_);
  EXPECT_EQ(first.partition, 0);
  end(first, true);
  const Claim second = claim();
  EXPECT_EQ(second.partition, 1);
  end(second, true);
  EXPECT_TRUE(read().empty());
  EXPECT_EQ(try_claim(), nullptr);
}

TEST_F(IslandRowsTest, ReachWhoReadsInTheirOrder) {
  open();
  start_reading();
  const Claim claimed = claim();
  EXPECT_EQ(room(claimed), 0);
  put(claimed, {{1, 10}, {2, 20}});
  put(claimed, {});
  put(claimed, {{3, 30}});
  end(claimed, true);
  EXPECT_EQ(read(), (Rows{{1, 10}, {2, 20}, {3, 30}}));
}

TEST_F(IslandRowsTest, HaveFirstColumnsThatTheEngineHolds) {
  columns::Batch batch;
  batch.num_rows = 4;
  batch.columns = {make_longs({1, 2, 3, 4}), make_longs({-1, -2, -3, -4})};
  ArrowArray held;
  hold_batch(std::move(batch), {}, columns::test::unlimited(), &held);
  columns::Batch others;
  others.num_rows = 3;
  others.columns = {make_longs({70, 80, 90})};
  const auto stream =
      io::test::write_arrow_stream(others, types::DataType::structure({{kSecond.name, kSecond.type, true}}));
  open();
  start_reading();
  const Claim claimed = claim();
  const std::string bytes(stream->as<char>(), static_cast<size_t>(stream->size_bytes()));
  Java_io_accelerant_spark_Native_putColumns(env(), nullptr, claimed.handle, reinterpret_cast<jlong>(&held), 1, 2, 2,
                                             byte_array(bytes), 1);
  held.release(&held);
  end(claimed, true);
  EXPECT_EQ(read(), (Rows{{3, 80}, {4, 90}}));
}

TEST_F(IslandRowsTest, AreComputedByAnotherWhereAClaimIsGivenUpBeforeThem) {
  open();
  start_reading();
  end(claim(), false);
  const Claim again = claim();
  EXPECT_EQ(again.partition, 0);
  put(again, {{1, 10}});
  end(again, true);
  EXPECT_EQ(read(), (Rows{{1, 10}}));
}

TEST_F(IslandRowsTest, EndTheQueryWhereAClaimIsGivenUpAmongThem) {
  open();
  start_reading();
  const Claim claimed = claim();
  put(claimed, {{1, 10}});
  end(claimed, false);
  EXPECT_EQ(failure(), "CANCELLED the task that computed rows for the query has ended before it was through");
}

TEST_F(IslandRowsTest, LieOnDiskWhereMemoryForThemIsLacking) {
  runtime::RunOptions options;
  options.memory_limit_bytes = 1 << 20;
  open(1, options);
  start_reading();
  const Claim claimed = claim();
  const Rows rows(100'000, {1, 2});
  EXPECT_EQ(put(claimed, rows), 0);
  end(claimed, true);
  EXPECT_EQ(read(), rows);
}

TEST_F(IslandRowsTest, DoNotWaitForMemory) {
  open();
  start_reading();
  const Claim claimed = claim();
  {
    const memory::ReservationProbe probe(0, nullptr);
    EXPECT_EQ(put(claimed, {{1, 10}}), 2);
  }
  EXPECT_EQ(failure().substr(0, 9), "RESOURCE ");
  end(claimed, false);
}

TEST_F(IslandRowsTest, AreUnwantedOnceNobodyReadsThem) {
  open();
  start_reading();
  const Claim claimed = claim();
  stream_->close();
  for (jlong rings = 0; room(claimed) != 2;) {
    const jlong rung = await_bell(rings, kPatienceMillis);
    ASSERT_GT(rung, rings);
    rings = rung;
  }
  EXPECT_EQ(put(claimed, {{1, 10}}), 2);
  end(claimed, true);
}

TEST_F(IslandRowsTest, RingTheBellThatTheirTasksAwait) {
  open();
  EXPECT_EQ(await_bell(0, 1), 0);
  start_reading();
  EXPECT_GT(await_bell(0, kPatienceMillis), 0);
}

TEST_F(IslandRowsTest, AreAwaitedInVainWithoutIslands) {
  query_ = runtime::test::open(runtime::test::Numbers(10).all());
  EXPECT_EQ(try_claim(), nullptr);
  await_bell(0, 1);
  const jthrowable thrown = take_exception();
  ASSERT_NE(thrown, nullptr);
  EXPECT_TRUE(env()->IsInstanceOf(thrown, env()->FindClass("io/accelerant/spark/NativeError")));
}

}  // namespace
}  // namespace accelerant::jni
