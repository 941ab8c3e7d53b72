#include "api/replay_options.h"

#include "base/error.h"

#include <gtest/gtest.h>

namespace accelerant::api {
namespace {

ReplayOptions parse(std::vector<const char*> arguments) { return ReplayOptions::parse(arguments); }

std::string parse_error(std::vector<const char*> arguments) {
  try {
    parse(std::move(arguments));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::User);
    return error.message();
  }
  return "";
}

TEST(ReplayOptions, HaveOneKindOfFailure) {
  EXPECT_EQ(parse({"q.accq", "--fail-reservations", "7"}).failed_reservations, 7);
  EXPECT_TRUE(parse({"q.accq", "--fail-disk"}).fails_disk);
  EXPECT_EQ(parse_error({"q.accq", "--fail-reservations", "7", "--fail-disk"}),
            "--fail-reservations and --fail-disk: one at a time");
  for (const char* other : {"--json", "--repeat"}) {
    EXPECT_EQ(parse_error({"q.accq", "--fail-disk", other, "2"}),
              "--fail-reservations and --fail-disk have neither --repeat nor --json");
  }
}

TEST(ReplayOptions, Parses) {
  const ReplayOptions options =
      parse({"--threads", "2", "q.accq", "--map", "/old=/new=x", "--map", "hdfs://a=/b", "--json", "out.json",
             "--batch-rows", "3", "--memory-limit", "2G", "--repeat", "5"});
  EXPECT_EQ(options.capture, "q.accq");
  EXPECT_EQ(options.threads, 2);
  EXPECT_EQ(options.batch_rows, 3);
  EXPECT_EQ(options.memory_limit_bytes, int64_t{2} << 30);
  EXPECT_EQ(options.repeat, 5);
  EXPECT_EQ(options.json, "out.json");
  ASSERT_EQ(options.path_maps.size(), 2u);
  EXPECT_EQ(options.path_maps[0].second, "/new=x");
}

TEST(ReplayOptions, LeavesToTheCaptureWhatIsNotGiven) {
  const ReplayOptions options = parse({"q.accq"});
  EXPECT_FALSE(options.threads || options.batch_rows || options.memory_limit_bytes);
  EXPECT_EQ(options.repeat, 1);
}

TEST(ReplayOptions, RefusesWhatItDoesNotHonour) {
  EXPECT_EQ(parse_error({}), "which captured query?");
  EXPECT_EQ(parse_error({"a", "b"}), "one captured query at a time: b");
  EXPECT_EQ(parse_error({"a", "--fast"}), "unknown option --fast");
  EXPECT_EQ(parse_error({"a", "--threads"}), "--threads needs a value");
  EXPECT_EQ(parse_error({"a", "--threads", "0"}), "--threads 0: not a number of at least 1");
  EXPECT_EQ(parse_error({"a", "--map", "/old"}), "--map /old: OLD=NEW is due");
  EXPECT_NE(parse_error({"a", "--memory-limit", "12q"}), "");
  EXPECT_NE(parse_error({"a", "--memory-limit", "99999999t"}), "");
}

TEST(ReplayOptions, RefusesNumbersOutOfRange) {
  EXPECT_EQ(parse({"a", "--repeat", "16777216"}).repeat, 16777216);
  EXPECT_EQ(parse({"a", "--repeat", "2147483647"}).repeat, 2147483647);
  EXPECT_EQ(parse_error({"a", "--repeat", "2147483648"}), "--repeat 2147483648: more than 2147483647");
  EXPECT_EQ(parse_error({"a", "--repeat", "-9999999999"}), "--repeat -9999999999: not a number of at least 1");
  EXPECT_EQ(parse_error({"a", "--threads", "99999999999999999999"}),
            "--threads 99999999999999999999: more than 9223372036854775807");
  EXPECT_EQ(parse_error({"a", "--batch-rows", "3x"}), "--batch-rows 3x: not a number of at least 1");
}

TEST(ReplayOptions, AsksForHelpWithoutACapture) {
  EXPECT_TRUE(parse({"--help"}).help);
  EXPECT_TRUE(parse({"--version"}).version);
}

}  // namespace
}  // namespace accelerant::api
