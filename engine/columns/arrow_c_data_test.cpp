#include "columns/arrow_c_data.h"

#include "base/error.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::columns {
namespace {

using test::samples;
using test::show;
using test::unlimited;
using types::DataType;
using types::TypeId;

/// An array made by hand; counts its releases.
struct HandMade {
  ArrowArray array{};
  std::vector<const void*> buffers;
  int releases = 0;

  HandMade(int64_t length, std::vector<const void*> pointers) : buffers(std::move(pointers)) {
    array.length = length;
    array.null_count = -1;
    array.n_buffers = static_cast<int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.private_data = this;
    array.release = [](ArrowArray* released) {
      ++static_cast<HandMade*>(released->private_data)->releases;
      released->release = nullptr;
    };
  }
};

TEST(ArrowCData, RoundTripsEveryType) {
  for (int num_rows : {1, 8, 33}) {
    for (const auto& sample : samples(num_rows)) {
      SCOPED_TRACE(sample.name);
      ArrowSchema schema;
      ArrowArray array;
      export_schema(sample.column->type(), "x", true, &schema);
      export_column(sample.column, unlimited(), &array);
      EXPECT_EQ(import_type(schema).to_string(), sample.column->type().to_string());
      EXPECT_EQ(array.null_count, sample.column->count_nulls());
      const ColumnPtr back = import_column(&array, sample.column->type(), unlimited());
      EXPECT_EQ(array.release, nullptr);
      EXPECT_EQ(show(*back), show(*sample.column));
      schema.release(&schema);
      EXPECT_EQ(schema.release, nullptr);
    }
  }
}

TEST(ArrowCData, RoundTripsABatch) {
  Batch batch;
  batch.num_rows = 33;
  std::vector<types::Field> fields;
  for (const auto& sample : samples(33)) {
    batch.columns.push_back(sample.column);
    fields.push_back({sample.name, sample.column->type(), true});
  }
  const DataType type = DataType::structure(fields);
  EXPECT_TRUE(fits_export(batch));
  ArrowArray array;
  export_batch(batch, unlimited(), &array);
  const Batch back = import_batch(&array, type, unlimited());
  ASSERT_EQ(back.columns.size(), batch.columns.size());
  EXPECT_EQ(back.num_rows, 33);
  for (size_t i = 0; i < fields.size(); ++i) {
    SCOPED_TRACE(fields[i].name);
    EXPECT_EQ(show(*back.columns[i]), show(*batch.columns[i]));
  }
}

TEST(ArrowCData, RoundTripsZeroRowsAndZeroColumns) {
  for (const auto& sample : samples(3)) {
    SCOPED_TRACE(sample.name);
    ArrowArray array;
    export_column(sample.column->slice(1, 0), unlimited(), &array);
    EXPECT_EQ(import_column(&array, sample.column->type(), unlimited())->length(), 0);
  }
  Batch batch;
  batch.num_rows = 5;
  ArrowArray array;
  export_batch(batch, unlimited(), &array);
  EXPECT_EQ(import_batch(&array, DataType::structure({}), unlimited()).num_rows, 5);
}

TEST(ArrowCData, ReleasesWithTheLastBuffer) {
  const int64_t values[] = {1, 2, 3, 4};
  HandMade made(3, {nullptr, values});
  made.array.offset = 1;
  ColumnPtr column = import_column(&made.array, DataType(TypeId::Long), unlimited());
  EXPECT_EQ(made.array.release, nullptr);
  ColumnPtr part = column->slice(1, 2);
  column.reset();
  EXPECT_EQ(made.releases, 0);
  EXPECT_EQ(show(*part), (std::vector<std::string>{"3", "4"}));
  part.reset();
  EXPECT_EQ(made.releases, 1);
}

TEST(ArrowCData, CopiesWhatIsNotAligned) {
  alignas(16) const char bytes[40] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
  HandMade made(2, {nullptr, bytes + 4});
  const ColumnPtr column = import_column(&made.array, DataType::decimal(38, 0), unlimited());
  EXPECT_EQ(show(*column), (std::vector<std::string>{"1", "2"}));
}

void expect_refused(HandMade& made, const DataType& type) {
  EXPECT_THROW(import_column(&made.array, type, unlimited()), Error);
  EXPECT_EQ(made.releases, 1);
}

TEST(ArrowCData, RefusesArraysThatContradictThemselves) {
  const int64_t values[] = {1, 2};
  const int32_t falling[] = {0, 5, 3};
  const int32_t negative[] = {-1, 0, 3};
  const DataType text(TypeId::String);
  const DataType list = DataType::array(DataType(TypeId::Long), true);
  HandMade negative_length(-1, {nullptr, values});
  expect_refused(negative_length, DataType(TypeId::Long));
  HandMade few_buffers(2, {values});
  expect_refused(few_buffers, DataType(TypeId::Long));
  HandMade no_values(2, {nullptr, nullptr});
  expect_refused(no_values, DataType(TypeId::Long));
  HandMade descending(2, {nullptr, falling, "abcde"});
  expect_refused(descending, text);
  HandMade below_zero(2, {nullptr, negative, "abcde"});
  expect_refused(below_zero, text);
  HandMade no_bytes(1, {nullptr, falling, nullptr});
  expect_refused(no_bytes, text);
  HandMade no_child(2, {nullptr, falling});
  expect_refused(no_child, list);
  HandMade list_of_few(1, {nullptr, falling});
  HandMade few(2, {nullptr, values});
  ArrowArray* children[] = {&few.array};
  list_of_few.array.n_children = 1;
  list_of_few.array.children = children;
  expect_refused(list_of_few, list);
}

TEST(ArrowCData, RefusesFormatsItDoesNotKnow) {
  for (const char* format : {"U", "vu", "d:10", "d:40,2", "d:5,2,256", "+w:3", "tss:", "", "+x"}) {
    SCOPED_TRACE(format);
    ArrowSchema schema{};
    schema.format = format;
    EXPECT_THROW(import_type(schema), Error);
  }
  ArrowSchema schema;
  EXPECT_THROW(export_schema(DataType::array(DataType::other("variant"), true), "x", true, &schema), Error);
}

TEST(ArrowCData, SaysWhenStringsDoNotFit) {
  Batch batch;
  batch.num_rows = int64_t{1} << 28;
  batch.columns = {Column::constant(test::make_strings({"12345678"}), batch.num_rows)};
  EXPECT_FALSE(fits_export(batch));
}

TEST(ArrowCData, WritesOnlyTheElementsOfASlice) {
  for (const auto& sample : samples(40)) {
    const bool has_lists = sample.column->physical() == types::PhysicalType::Array ||
                           sample.column->physical() == types::PhysicalType::Map;
    if (!has_lists) continue;
    SCOPED_TRACE(sample.name);
    const ColumnPtr part = sample.column->slice(30, 5);
    ArrowArray array;
    export_column(part, unlimited(), &array);
    const auto* offsets = static_cast<const int32_t*>(array.buffers[1]);
    EXPECT_EQ(offsets[0], 0);
    EXPECT_EQ(offsets[5], array.children[0]->length);
    EXPECT_EQ(show(*import_column(&array, part->type(), unlimited())), show(*part));
  }
}

TEST(ArrowCData, GivesMemoryBackWhereABatchDoesNotFitTheBudget) {
  Batch batch;
  batch.num_rows = 33;
  for (const auto& sample : samples(33)) batch.columns.push_back(sample.column);
  const auto counted = std::make_shared<memory::Budget>("all of it", memory::Budget::kUnlimited, nullptr);
  ArrowArray array;
  export_batch(batch, counted, &array);
  const int64_t wanted = counted->used_bytes();
  array.release(&array);
  for (int64_t limit = 0; limit < wanted; limit += 64) {
    const auto budget = std::make_shared<memory::Budget>("too little", limit, nullptr);
    EXPECT_THROW(export_batch(batch, budget, &array), Error);
    EXPECT_EQ(budget->used_bytes(), 0);
  }
}

TEST(ArrowCData, GivesMemoryBackWhenReleased) {
  const auto budget = std::make_shared<memory::Budget>("export", int64_t{1} << 20);
  ArrowArray array;
  export_column(test::make_strings({"a", std::nullopt, "a text beyond the view"}), budget, &array);
  EXPECT_GT(budget->used_bytes(), 0);
  array.release(&array);
  EXPECT_EQ(budget->used_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::columns
