#include "jni/java_table.h"

#include "jni/test_java_objects.h"
#include "memory/memory_wait.h"
#include "memory/reservation_probe.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace accelerant::jni {
namespace {

class JavaTableTest : public test::JavaObjectTest {
 protected:
  void SetUp() override {
    JavaObjectTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_TRUE(load_table_classes(env()));
  }

  /// Makes what a reader gives at a time: bytes in parts.
  static jobject rows(const std::vector<std::string>& parts) {
    std::vector<jobject> arrays;
    for (const std::string& part : parts) arrays.push_back(byte_array(part));
    return array_of("[B", arrays);
  }
  static jobject queue_of(const std::vector<jobject>& rows) { return collection_of("java/util/ArrayDeque", rows); }

  /// Makes a reader by what its methods do.
  static jobject reader(jobject next, jobject close) {
    return object_of("io/accelerant/spark/ExternalTable$Reader", {{"next", next}, {"close", close}});
  }
  /// Makes a reader of what is in a queue, which it empties when it is closed.
  static jobject reader_of(jobject queue) {
    return reader(bound(queue, "poll", "()Ljava/lang/Object;"), bound(queue, "clear", "()V"));
  }

  /// Makes a table by what its methods do.
  static jobject table(jobject plan_node, jobject num_partitions, jobject num_rows, jobject open) {
    return object_of(
        "io/accelerant/spark/ExternalTable",
        {{"planNode", plan_node}, {"numPartitions", num_partitions}, {"numRows", num_rows}, {"open", open}});
  }
  /// Makes a table with a reader for each partition.
  static jobject table_of(jint plan_node, jlong num_rows, const std::vector<jobject>& readers) {
    const jobject list = collection_of("java/util/ArrayList", readers);
    return table(constant(boxed(plan_node)), bound(list, "size", "()I"), constant(boxed(num_rows)),
                 bound(list, "get", "(I)Ljava/lang/Object;"));
  }

  static io::ExternalTables wrapped(const std::vector<jobject>& tables) {
    return to_tables(env(), array_of("io/accelerant/spark/ExternalTable", tables));
  }
  /// Opens the one partition of a table that has this reader.
  static std::unique_ptr<io::ExternalReader> opened(jobject reader) {
    return wrapped({table_of(0, 1, {reader})}).at(0)->open(0);
  }

  /// Returns the next bytes of a reader; "end": there are none.
  std::string next(io::ExternalReader& reader) const {
    const memory::BufferPtr bytes = reader.next(budget_);
    return bytes ? std::string(bytes->as<char>(), static_cast<size_t>(bytes->size_bytes())) : "end";
  }

  const std::shared_ptr<memory::Budget> budget_ = std::make_shared<memory::Budget>("budget of the test", 1 << 20);
};

TEST_F(JavaTableTest, TellsItsPartitionsAndRowsUnderItsPlanNode) {
  const jobject none = reader_of(queue_of({}));
  const io::ExternalTables tables = wrapped({table_of(7, 5'000'000'000, {none, none, none}), table_of(2, 0, {})});
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables.at(7)->num_partitions(), 3);
  EXPECT_EQ(tables.at(7)->num_rows(), 5'000'000'000);
  EXPECT_EQ(tables.at(2)->num_partitions(), 0);
  EXPECT_EQ(tables.at(2)->num_rows(), 0);
  EXPECT_TRUE(wrapped({}).empty());
}

TEST_F(JavaTableTest, PutsThePartsOfRowsTogether) {
  const auto reader = opened(reader_of(queue_of({rows({"ab", "", "c"}), rows({}), rows({std::string("d\0\xff", 3)})})));
  EXPECT_EQ(next(*reader), "abc");
  EXPECT_EQ(next(*reader), "");
  EXPECT_EQ(next(*reader), std::string("d\0\xff", 3));
  EXPECT_EQ(next(*reader), "end");
}

TEST_F(JavaTableTest, OpensThePartitionThatIsAskedFor) {
  const auto tables =
      wrapped({table_of(0, 2, {reader_of(queue_of({rows({"first"})})), reader_of(queue_of({rows({"second"})}))})});
  EXPECT_EQ(next(*tables.at(0)->open(1)), "second");
  EXPECT_EQ(next(*tables.at(0)->open(0)), "first");
}

TEST_F(JavaTableTest, IsReadByThreadsOfOursThatMayOutliveIt) {
  auto tables = wrapped({table_of(0, 1, {reader_of(queue_of({rows({"some ", "bytes"})}))})});
  std::string bytes;
  std::thread([&] {
    const auto reader = tables.at(0)->open(0);
    tables.clear();
    bytes = next(*reader);
  }).join();
  EXPECT_EQ(bytes, "some bytes");
}

TEST_F(JavaTableTest, ClosesReadersThatAreLetGoOf) {
  const jobject queue = queue_of({rows({"read"}), rows({"left"})});
  auto reader = opened(reader_of(queue));
  EXPECT_EQ(next(*reader), "read");
  EXPECT_EQ(size_of(queue), 1);
  reader.reset();
  EXPECT_EQ(size_of(queue), 0);
}

TEST_F(JavaTableTest, IgnoresWhatClosingThrows) {
  auto closed = opened(reader(constant(nullptr), throwing("java/lang/IllegalStateException", "closed twice")));
  closed.reset();
  EXPECT_FALSE(env()->ExceptionCheck());
}

TEST_F(JavaTableTest, TurnsExceptionsIntoErrors) {
  const jobject thrown = throwing("java/lang/IllegalStateException", "no more");
  const std::string failure = "RESOURCE java.lang.IllegalStateException: no more";
  const jobject number = constant(boxed(jint{1}));
  const jobject num_rows = constant(boxed(jlong{1}));
  EXPECT_EQ(failure_of([&] { wrapped({table(thrown, number, num_rows, number)}); }), failure);
  EXPECT_EQ(failure_of([&] { wrapped({table(number, thrown, num_rows, number)}); }), failure);
  EXPECT_EQ(failure_of([&] { wrapped({table(number, number, thrown, number)}); }), failure);
  const auto lost =
      wrapped({table(number, number, num_rows, throwing("io/accelerant/spark/RevertException", "rows are lost"))})
          .at(1);
  EXPECT_EQ(failure_of([&] { lost->open(0); }), "UNSUPPORTED rows are lost");
  const auto broken = opened(reader(thrown, constant(nullptr)));
  EXPECT_EQ(failure_of([&] { next(*broken); }), failure);
}

TEST_F(JavaTableTest, ChargesRowsToTheBudget) {
  const auto reader = opened(reader_of(queue_of({rows({"abc"}), rows({std::string(1 << 21, 'x')}), rows({"d"})})));
  memory::BufferPtr bytes = reader->next(budget_);
  EXPECT_GE(budget_->used_bytes(), 3);
  bytes.reset();
  EXPECT_EQ(budget_->used_bytes(), 0);
  EXPECT_EQ(failure_of([&] { next(*reader); }).substr(0, 9), "RESOURCE ");
  EXPECT_EQ(budget_->used_bytes(), 0);
}

TEST_F(JavaTableTest, KeepsRowsThatWaitForMemory) {
  const auto reader = opened(reader_of(queue_of({rows({"first ", "rows"}), rows({"second"})})));
  for (int time = 0; time < 2; ++time) {
    const memory::ReservationProbe probe(0, nullptr);
    EXPECT_THROW(next(*reader), memory::MemoryWait);
  }
  EXPECT_EQ(next(*reader), "first rows");
  EXPECT_EQ(next(*reader), "second");
  EXPECT_EQ(next(*reader), "end");
}

}  // namespace
}  // namespace accelerant::jni
