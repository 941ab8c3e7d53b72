#include "io/orc_read_options.h"

#include "base/error.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace accelerant::io {

namespace {

/// What concerns writers, or how fast files are read. Names that end in '.' stand for all that begin so.
constexpr std::string_view kHarmless[] = {
    "orc.base.delta.ratio",
    "orc.block.",
    "orc.bloom.filter.",
    "orc.buffer.size.enforce",
    "orc.column.encoding.direct",
    "orc.compress",
    "orc.compress.size",
    "orc.compression.",
    "orc.create.index",
    "orc.dictionary.",
    "orc.encoding.",
    "orc.max.disk.range.chunk.limit",
    "orc.memory.pool",
    "orc.min.disk.seek.",
    "orc.overwrite.output.file",
    "orc.row.index.stride",
    "orc.rows.between.memory.checks",
    "orc.stripe.",
    "orc.write.",
};

bool is_harmless(std::string_view name) {
  return std::ranges::any_of(kHarmless, [name](std::string_view known) {
    return known.ends_with('.') ? name.starts_with(known) : name == known;
  });
}

}  // namespace

bool is_utc(std::string_view time_zone) {
  constexpr std::string_view kNames[] = {"UTC",           "Etc/UTC",   "GMT",          "Etc/GMT", "Z",
                                         "Zulu",          "Etc/Zulu",  "UCT",          "Etc/UCT", "Universal",
                                         "Etc/Universal", "Greenwich", "Etc/Greenwich"};
  return std::ranges::find(kNames, time_zone) != std::end(kNames);
}

void take_orc_options(ReadOptions& options, ScanSpec& spec) {
  auto orc = std::make_shared<OrcReadOptions>();
  if (auto zone = options.take("java.timezone")) orc->time_zone = *std::move(zone);
  if (const auto epoch = options.take("java.timezone.2015")) {
    std::from_chars(epoch->data(), epoch->data() + epoch->size(), orc->zone_epoch);
  }
  orc->reads_batches = options.take_flag("orc.vectorized", true);
  orc->reads_instants = options.setting(kSparkVersion, "").starts_with("4.3.");
  orc->data_schema = options.data_schema();
  for (const std::string_view prefix : {"orc.", "hive.exec.orc."}) {
    for (const std::string& name : options.take_those(prefix)) {
      if (!is_harmless(name)) throw_unsupported("setting " + name + ": leave it unset to run natively");
    }
  }
  options.ignore("datetimerebasemode");
  options.ignore("int96rebasemode");
  spec.options = std::move(orc);
}

}  // namespace accelerant::io
