#include "plan/write_message.h"

#include "base/error.h"
#include "plan/message_writer.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <span>

namespace accelerant::plan {
namespace {

std::vector<uint8_t> message(std::initializer_list<std::string_view> columns,
                             std::initializer_list<std::string_view> settings) {
  MessageWriter writer;
  for (const auto& texts : {columns, settings}) {
    writer.varint(texts.size());
    for (const std::string_view text : texts) writer.text(text);
  }
  return writer.take();
}

TEST(WriteMessage, HasColumnsAndSettings) {
  const io::WriteSpec spec = decode_write(message({"a", "true", "b", "false"}, {"parquet.block.size", "7"}));
  ASSERT_EQ(spec.columns.size(), 2u);
  EXPECT_EQ(spec.columns[0].name, "a");
  EXPECT_TRUE(spec.columns[0].nullable);
  EXPECT_FALSE(spec.columns[1].nullable);
  EXPECT_EQ(spec.settings.at("parquet.block.size"), "7");
}

TEST(WriteMessage, FailsWhenDamaged) {
  const auto whole = message({"a", "true"}, {"b", "c"});
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(decode_write(std::span(whole).first(length)), Error) << length;
  }
  EXPECT_THROW(decode_write(message({"a", "perhaps"}, {})), Error);
  EXPECT_THROW(decode_write(message({"a"}, {})), Error);
  EXPECT_THROW(decode_write(message({}, {"a"})), Error);
}

}  // namespace
}  // namespace accelerant::plan
