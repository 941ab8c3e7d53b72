#include "plan/write_message.h"

#include "plan/byte_reader.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

namespace {

/// Reads a list of texts as pairs.
std::vector<std::pair<std::string_view, std::string_view>> read_pairs(ByteReader& reader) {
  const size_t num_texts = reader.count();
  if (num_texts % 2 != 0) reader.fail("an odd number of texts");
  std::vector<std::pair<std::string_view, std::string_view>> pairs(num_texts / 2);
  for (auto& [name, value] : pairs) {
    name = reader.text();
    value = reader.text();
  }
  return pairs;
}

}  // namespace

io::WriteSpec decode_write(std::span<const uint8_t> bytes) {
  io::WriteSpec spec;
  ByteReader reader(bytes, "write message");
  for (const auto& [name, nullable] : read_pairs(reader)) {
    if (nullable != "true" && nullable != "false") reader.fail("a column is neither nullable nor not");
    spec.columns.push_back({std::string(name), {}, nullable == "true"});
  }
  for (const auto& [name, value] : read_pairs(reader)) spec.settings.emplace(name, value);
  reader.expect_end();
  return spec;
}

}  // namespace accelerant::plan
