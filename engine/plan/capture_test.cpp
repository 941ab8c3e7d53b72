#include "plan/capture.h"

#include "base/error.h"
#include "plan/message_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace accelerant::plan {
namespace {

using Sections = std::vector<std::pair<std::string, std::string>>;

Sections example_sections() {
  return {{"plan", "ACCPxyz"},
          {"splits", std::string("ACCS\0\1", 6)},
          {"options", "threads=2\n"},
          {"settings", "spark.version=4.3.0\nspark.accelerant.capture.dir=/a\\\\b\\tc=d\n"},
          {"files", "file:///data/a%20b.parquet\t1000\t1700000000000\t00ff00ff00ff00ff\nfile:///gone\t5\t0\t-\n"},
          {"answer",
           "rows=3\nhash=ffffffffffffffff\nfloat.1.count=2\nfloat.1.nan=1\nfloat.1.posinf=0\nfloat.1.neginf=0\n"
           "float.1.sum=1.0E10\nfloat.1.abs=Infinity\nother.2.count=7\n"},
          {"end", ""}};
}

std::vector<uint8_t> container(const Sections& sections) {
  MessageWriter out;
  out.raw("ACCC");
  out.varint(1);
  for (const auto& [name, bytes] : sections) {
    out.text(name);
    out.text(bytes);
  }
  return out.take();
}

std::string decode_error(const std::vector<uint8_t>& bytes) {
  try {
    decode_capture(bytes);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(Capture, Decodes) {
  const Capture capture = decode_capture(container(example_sections()));
  EXPECT_EQ(std::string(capture.plan.begin(), capture.plan.end()), "ACCPxyz");
  EXPECT_EQ(capture.splits.size(), 6u);
  EXPECT_EQ(capture.options, "threads=2\n");
  EXPECT_EQ(capture.setting("spark.version"), "4.3.0");
  EXPECT_EQ(capture.setting("spark.accelerant.capture.dir"), "/a\\b\tc=d");
  ASSERT_EQ(capture.files.size(), 2u);
  EXPECT_EQ(capture.files[0].path, "file:///data/a%20b.parquet");
  EXPECT_EQ(capture.files[0].size_bytes, 1000);
  EXPECT_EQ(capture.files[0].tail_hash, 0x00ff00ff00ff00ffu);
  EXPECT_FALSE(capture.files[1].tail_hash.has_value());
  EXPECT_EQ(capture.answer.rows, 3);
  EXPECT_EQ(capture.answer.hash, ~uint64_t{0});
  EXPECT_EQ(capture.answer.floats.at(1).sum, 1e10);
  EXPECT_TRUE(std::isinf(capture.answer.floats.at(1).magnitude));
  EXPECT_EQ(capture.answer.other_counts.at(2), 7);
}

TEST(Capture, DecodesFailures) {
  Sections sections = example_sections();
  sections[5].second = "error.class=org.apache.spark.SparkArithmeticException\nerror.condition=DIVIDE_BY_ZERO\n";
  const CapturedAnswer answer = decode_capture(container(sections)).answer;
  EXPECT_EQ(answer.error_class, "org.apache.spark.SparkArithmeticException");
  EXPECT_EQ(answer.error_condition, "DIVIDE_BY_ZERO");
}

TEST(Capture, RefusesOtherFilesAndVersions) {
  EXPECT_EQ(decode_error({'P', 'A', 'R', '1', 0}), "malformed captured query at byte 4: it does not start with ACCC");
  std::vector<uint8_t> bytes = container(example_sections());
  bytes[4] = 3;
  EXPECT_EQ(decode_error(bytes), "captured query format 3; this engine reads 1");
}

TEST(Capture, RefusesOtherSections) {
  Sections sections = example_sections();
  std::swap(sections[2], sections[3]);
  EXPECT_NE(decode_error(container(sections)).find("section 'settings' where 'options' is due"), std::string::npos);
  sections = example_sections();
  sections.back().second = "x";
  EXPECT_NE(decode_error(container(sections)).find("'end' is not empty"), std::string::npos);
  sections = example_sections();
  sections.emplace_back("more", "");
  EXPECT_NE(decode_error(container(sections)).find("follow its end"), std::string::npos);
}

TEST(Capture, RefusesOddLines) {
  const auto with = [](size_t section, std::string text) {
    Sections sections = example_sections();
    sections[section].second = std::move(text);
    return decode_error(container(sections));
  };
  EXPECT_EQ(with(5, "rows=three\n"), "malformed captured query: section answer has the line 'three'");
  EXPECT_EQ(with(5, "rows=3"), "malformed captured query: section answer has the line 'rows=3'");
  EXPECT_NE(with(5, "float.1.median=3\n"), "");
  EXPECT_NE(with(5, "surprise=3\n"), "");
  EXPECT_NE(with(4, "file:///a\t1\t2\n"), "");
  EXPECT_NE(with(3, "no equals sign\n"), "");
}

TEST(Capture, RefusesEveryTruncation) {
  const std::vector<uint8_t> whole = container(example_sections());
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(decode_error({whole.begin(), whole.begin() + static_cast<int64_t>(size)}), "") << size;
  }
}

TEST(Capture, SurvivesMutations) {
  const std::vector<uint8_t> seed = container(example_sections());
  std::mt19937 random(4711);
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> bytes = seed;
    for (int n = 0; n < 3; ++n) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    decode_error(bytes);
  }
}

TEST(Capture, ReadsBackWhatIsEscaped) {
  const std::string value = "a\\b\nc\rd\te=\xc3\xa9";
  Sections sections = example_sections();
  sections[3].second = "odd=" + escape(value) + "\n";
  EXPECT_EQ(decode_capture(container(sections)).setting("odd"), value);
}

}  // namespace
}  // namespace accelerant::plan
