#include "io/arrow_messages.h"

#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "columns/test_columns.h"
#include "io/arrow_stream.h"

#include <arrow/buffer.h>
#include <arrow/c/bridge.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/message.h>
#include <arrow/ipc/writer.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

namespace accelerant::io {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::make_strings;
using columns::test::show;
using columns::test::unlimited;
using types::DataType;
using types::TypeId;

std::shared_ptr<arrow::Schema> arrow_schema(const DataType& type) {
  ArrowSchema schema;
  columns::export_schema(type, "", false, &schema);
  return arrow::ImportSchema(&schema).ValueOrDie();
}

std::vector<uint8_t> message_of(const arrow::Schema& schema) {
  const auto bytes = arrow::ipc::SerializeSchema(schema).ValueOrDie();
  return {bytes->data(), bytes->data() + bytes->size()};
}

/// Returns what a reader of the messages has, a batch each.
std::vector<Batch> read(const std::vector<uint8_t>& schema, const std::vector<ArrowMessage>& messages,
                        const DataType& type) {
  int64_t size = static_cast<int64_t>(schema.size());
  for (const ArrowMessage& message : messages) size += message.size_bytes();
  auto stream = memory::Buffer::allocate(size, unlimited());
  uint8_t* to = std::ranges::copy(schema, stream->mutable_data()).out;
  for (const ArrowMessage& message : messages) {
    message.write(to);
    to += message.size_bytes();
  }
  return read_arrow_stream(stream, type, unlimited());
}

ArrowArray exported(const Batch& batch) {
  ArrowArray array;
  columns::export_batch(batch, unlimited(), &array);
  return array;
}

std::vector<ArrowMessage> write(const ArrowMessageWriter& writer, std::vector<ArrowArray*> batches,
                                int64_t max_rows = 0, int64_t max_bytes = 0) {
  return writer.write(batches, {max_rows, max_bytes});
}

Batch batch_of(std::vector<columns::ColumnPtr> columns) {
  Batch batch;
  batch.num_rows = columns.empty() ? 0 : columns[0]->length();
  batch.columns = std::move(columns);
  return batch;
}

TEST(ArrowMessages, BringValuesOfEveryType) {
  for (const int num_rows : {1, 33}) {
    for (const auto& sample : columns::test::samples(num_rows)) {
      SCOPED_TRACE(sample.name);
      const DataType type = DataType::structure({{"c", sample.column->type(), true}});
      const auto schema = message_of(*arrow_schema(type));
      const ArrowMessageWriter writer(schema, type, unlimited());
      ArrowArray array = exported(batch_of({sample.column}));
      const auto batches = read(schema, write(writer, {&array}), type);
      ASSERT_EQ(batches.size(), 1);
      EXPECT_EQ(show(*batches[0].columns[0]), show(*sample.column));
    }
  }
}

TEST(ArrowMessages, HoldAtMostSoManyRows) {
  const auto strings = make_strings({"a", std::nullopt, "ccc", "dd", "e", "", std::nullopt});
  const DataType type = DataType::structure({{"s", strings->type(), true}});
  const auto schema = message_of(*arrow_schema(type));
  const ArrowMessageWriter writer(schema, type, unlimited());
  ArrowArray array = exported(batch_of({strings}));
  std::vector<std::vector<std::string>> rows;
  for (const Batch& batch : read(schema, write(writer, {&array}, 3), type)) rows.push_back(show(*batch.columns[0]));
  const auto part = [&](int64_t offset, int64_t length) { return show(*strings->slice(offset, length)); };
  EXPECT_EQ(rows, (std::vector{part(0, 3), part(3, 3), part(6, 1)}));
}

TEST(ArrowMessages, AreNoneOfABatchWithoutRows) {
  const DataType type = DataType::structure({{"c", DataType(TypeId::Long), true}});
  const ArrowMessageWriter writer(message_of(*arrow_schema(type)), type, unlimited());
  ArrowArray array = exported(batch_of({make_longs({})}));
  EXPECT_TRUE(write(writer, {&array}, 10).empty());
}

TEST(ArrowMessages, SuitAReaderThatNamesTheColumnsOtherwise) {
  const DataType type = DataType::structure({{"u", DataType(TypeId::Timestamp), true},
                                             {"l", DataType::structure({{"i", DataType(TypeId::Int), true}}), true}});
  const arrow::Schema theirs({arrow::field("u", arrow::timestamp(arrow::TimeUnit::MICRO, "Asia/Tokyo"), false),
                              arrow::field("u", arrow::struct_({arrow::field("i_0", arrow::int32(), false)}))});
  EXPECT_NO_THROW(ArrowMessageWriter(message_of(theirs), type, unlimited()));
}

TEST(ArrowMessages, AreRefusedToAReaderWithAnotherLayout) {
  const DataType type = DataType::structure({{"s", DataType(TypeId::String), true}});
  const std::vector<std::vector<std::shared_ptr<arrow::DataType>>> others = {
      {arrow::large_utf8()}, {arrow::utf8_view()}, {arrow::binary()}, {}, {arrow::utf8(), arrow::utf8()}};
  for (const auto& types : others) {
    arrow::FieldVector fields;
    for (const auto& other : types) fields.push_back(arrow::field("s", other));
    const auto schema = message_of(arrow::Schema(fields));
    EXPECT_THROW(ArrowMessageWriter(schema, type, unlimited()), Error) << fields.size();
  }
}

TEST(ArrowMessages, RefuseAMalformedSchema) {
  const DataType type = DataType::structure({});
  const std::vector<uint8_t> noise(24, 0x5a);
  EXPECT_THROW(ArrowMessageWriter(noise, type, unlimited()), Error);
  EXPECT_THROW(ArrowMessageWriter({}, type, unlimited()), Error);
}

TEST(ArrowMessages, PutBatchesTogether) {
  const auto strings = make_strings({"a", std::nullopt, "ccc", "dd"});
  const DataType type = DataType::structure({{"s", strings->type(), true}});
  const auto schema = message_of(*arrow_schema(type));
  const ArrowMessageWriter writer(schema, type, unlimited());
  ArrowArray first = exported(batch_of({strings}));
  ArrowArray second = exported(batch_of({strings->slice(1, 2)}));
  const auto batches = read(schema, write(writer, {&first, &second}, 5), type);
  ASSERT_EQ(batches.size(), 2);
  EXPECT_EQ(show(*batches[0].columns[0]), show(*make_strings({"a", std::nullopt, "ccc", "dd", std::nullopt})));
  EXPECT_EQ(show(*batches[1].columns[0]), show(*make_strings({"ccc"})));
}

TEST(ArrowMessages, HoldAtMostSoManyBytesOrOneRow) {
  const auto longs = make_longs(std::vector<std::optional<int64_t>>(1000, 7));
  const DataType type = DataType::structure({{"l", longs->type(), true}});
  const auto schema = message_of(*arrow_schema(type));
  const ArrowMessageWriter writer(schema, type, unlimited());
  for (const auto& [bytes, count] : {std::pair(10'000, 1), std::pair(5'000, 2), std::pair(1, 1000)}) {
    ArrowArray array = exported(batch_of({longs}));
    EXPECT_EQ(write(writer, {&array}, 0, bytes).size(), count) << bytes;
  }
}

TEST(ArrowMessages, WrapColumnsInOneForAReaderOfStructs) {
  const auto longs = make_longs({1, std::nullopt, 3, 4});
  const auto strings = make_strings({"a", std::nullopt, "ccc", "dd"});
  const DataType type = DataType::structure({{"l", longs->type(), true}, {"s", strings->type(), true}});
  const DataType wrapped = DataType::structure({{"struct", type, true}});
  const auto schema = message_of(*arrow_schema(wrapped));
  const ArrowMessageWriter writer(schema, type, unlimited());
  ArrowArray array = exported(batch_of({longs, strings}));
  const auto batches = read(schema, write(writer, {&array}, 3), wrapped);
  ASSERT_EQ(batches.size(), 2);
  const auto members = [&](size_t batch) { return batches[batch].columns[0]->children(); };
  EXPECT_EQ(show(*members(0)[0]), show(*longs->slice(0, 3)));
  EXPECT_EQ(show(*members(0)[1]), show(*strings->slice(0, 3)));
  EXPECT_EQ(show(*members(1)[1]), show(*strings->slice(3, 1)));
}

TEST(ArrowMessages, NameTheBudgetThatHasNoMemoryForThem) {
  const auto strings = make_strings({"one", "two", "three", "four"});
  const DataType type = DataType::structure({{"s", strings->type(), true}});
  const auto budget = std::make_shared<memory::Budget>("writer", 1);
  const ArrowMessageWriter writer(message_of(*arrow_schema(type)), type, budget);
  ArrowArray array = exported(batch_of({strings}));
  try {
    write(writer, {&array}, 3);
    FAIL() << "the second message's offsets start anew, in memory of their own";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Resource);
    EXPECT_NE(error.message().find("writer"), std::string::npos) << error.message();
  }
}

/// What a reader has of a group: the lengths of its batches, and all its rows.
struct ReadGroup {
  std::vector<int64_t> lengths;
  std::vector<std::string> rows;

  friend bool operator==(const ReadGroup&, const ReadGroup&) = default;
};

/// Returns what follows a stream of Arrow's IPC format.
const uint8_t* past_stream(const uint8_t* at, const uint8_t* end) {
  arrow::io::BufferReader reader(std::make_shared<arrow::Buffer>(at, end - at));
  while (arrow::ipc::ReadMessage(&reader).ValueOrDie()) {
  }
  return at + reader.Tell().ValueOrDie();
}

std::vector<ReadGroup> read_groups(const std::vector<ArrowMessage>& messages, const DataType& type) {
  int64_t size = 0;
  for (const ArrowMessage& message : messages) size += message.size_bytes();
  const auto bytes = memory::Buffer::allocate(size, unlimited());
  uint8_t* to = bytes->mutable_data();
  for (const ArrowMessage& message : messages) {
    message.write(to);
    to += message.size_bytes();
  }
  const uint8_t* at = bytes->data();
  std::vector<ReadGroup> groups;
  while (at[3] == 1) {
    const uint8_t* end = past_stream(at + 4, bytes->data() + size);
    const auto stream = memory::Buffer::allocate(end - at - 4, unlimited());
    std::copy(at + 4, end, stream->mutable_data());
    ReadGroup& group = groups.emplace_back();
    for (const Batch& batch : read_arrow_stream(stream, type, unlimited())) {
      group.lengths.push_back(batch.num_rows);
      std::ranges::copy(show(*batch.columns[0]), std::back_inserter(group.rows));
    }
    at = end;
  }
  EXPECT_EQ(at + 4, bytes->data() + size);
  EXPECT_EQ(std::vector<uint8_t>(at, at + 4), std::vector<uint8_t>(4));
  return groups;
}

TEST(ArrowGroups, AreStreamsOfTheirOwn) {
  const auto strings = make_strings({"a", std::nullopt, "ccc", "dd", "e", "", "g"});
  const DataType type = DataType::structure({{"s", strings->type(), true}});
  ArrowGroupWriter writer(message_of(*arrow_schema(type)), type, unlimited());
  ArrowArray array = exported(batch_of({strings}));
  const std::vector<int64_t> begins = {0, 2, 3};
  std::vector<ArrowMessage> messages = writer.write(&array, begins, {0, 0});
  EXPECT_EQ(messages.size(), 2) << "the last group may go on";
  std::ranges::move(writer.finish({0, 0}), std::back_inserter(messages));
  const auto part = [&](int64_t offset, int64_t length) { return show(*strings->slice(offset, length)); };
  EXPECT_EQ(read_groups(messages, type),
            (std::vector<ReadGroup>{{{2}, part(0, 2)}, {{1}, part(2, 1)}, {{4}, part(3, 4)}}));
}

TEST(ArrowGroups, GoOnFromBatchToBatchInFullMessages) {
  const DataType type = DataType::structure({{"l", DataType(TypeId::Long), true}});
  ArrowGroupWriter writer(message_of(*arrow_schema(type)), type, unlimited());
  std::vector<ArrowMessage> messages;
  const auto add = [&](std::vector<std::optional<int64_t>> rows, std::vector<int64_t> begins) {
    ArrowArray array = exported(batch_of({make_longs(std::move(rows))}));
    std::ranges::move(writer.write(&array, begins, {3, 0}), std::back_inserter(messages));
  };
  add({1, 2}, {0});
  add({3}, {});
  add({}, {});
  add({4, 5, 6, 7}, {});
  EXPECT_EQ(messages.size(), 2);
  add({8, 9}, {0});
  add({10, 11}, {1});
  std::ranges::move(writer.finish({3, 0}), std::back_inserter(messages));
  const auto longs = [](std::vector<std::optional<int64_t>> rows) { return show(*make_longs(std::move(rows))); };
  EXPECT_EQ(read_groups(messages, type),
            (std::vector<ReadGroup>{
                {{3, 3, 1}, longs({1, 2, 3, 4, 5, 6, 7})}, {{3}, longs({8, 9, 10})}, {{1}, longs({11})}}));
}

TEST(ArrowGroups, DoNotWaitBeyondTheMostBytesOfAMessage) {
  const DataType type = DataType::structure({{"l", DataType(TypeId::Long), true}});
  for (const int64_t max_rows : {0, 100}) {
    ArrowGroupWriter writer(message_of(*arrow_schema(type)), type, unlimited());
    std::vector<ArrowMessage> messages;
    for (int i = 0; i < 4; ++i) {
      ArrowArray array = exported(batch_of({make_longs({1, 2, 3, 4, 5, 6, 7, 8})}));
      const std::vector<int64_t> begins(static_cast<size_t>(i == 0));
      std::ranges::move(writer.write(&array, begins, {max_rows, 100}), std::back_inserter(messages));
    }
    EXPECT_EQ(messages.size(), 4) << "two that had too many bytes, each in halves";
    std::ranges::move(writer.finish({max_rows, 100}), std::back_inserter(messages));
    const std::vector<ReadGroup> groups = read_groups(messages, type);
    ASSERT_EQ(groups.size(), 1);
    EXPECT_EQ(groups[0].lengths, (std::vector<int64_t>{8, 8, 8, 8}));
  }
}

TEST(ArrowGroups, AreWrappedForAReaderOfStructs) {
  const DataType type = DataType::structure({{"l", DataType(TypeId::Long), true}});
  const DataType wrapped = DataType::structure({{"struct", type, true}});
  ArrowGroupWriter writer(message_of(*arrow_schema(wrapped)), type, unlimited());
  ArrowArray array = exported(batch_of({make_longs({7, 8})}));
  const std::vector<int64_t> begins = {0, 1};
  std::vector<ArrowMessage> messages = writer.write(&array, begins, {3, 0});
  std::ranges::move(writer.finish({3, 0}), std::back_inserter(messages));
  EXPECT_EQ(read_groups(messages, wrapped).size(), 2);
}

TEST(ArrowGroups, NameTheBudgetThatHasNoMemoryForThem) {
  const auto strings = make_strings({"one", "two", "three", "four"});
  const DataType type = DataType::structure({{"s", strings->type(), true}});
  ArrowGroupWriter writer(message_of(*arrow_schema(type)), type, std::make_shared<memory::Budget>("writer", 1));
  ArrowArray array = exported(batch_of({strings}));
  const std::vector<int64_t> begins = {0, 2};
  EXPECT_THROW(writer.write(&array, begins, {0, 0}), Error);
  EXPECT_EQ(array.release, nullptr);
}

TEST(ArrowGroups, AreNoneWithoutRows) {
  const DataType type = DataType::structure({{"l", DataType(TypeId::Long), true}});
  ArrowGroupWriter writer(message_of(*arrow_schema(type)), type, unlimited());
  EXPECT_TRUE(writer.finish({3, 0}).empty());
}

}  // namespace
}  // namespace accelerant::io
