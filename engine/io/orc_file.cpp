#include "io/orc_file.h"

#include "base/error.h"
#include "io/file_errors.h"

#include <algorithm>
#include <utility>

namespace accelerant::io {

namespace {

/// Refuses timestamps that were stored in another time zone than Java's, which ORC converts by the rules of both.
void check_time_zones(const LocalFile& local, const OrcFile& file, const OrcReadOptions& options,
                      const std::shared_ptr<memory::Budget>& budget) {
  for (const OrcStripe& stripe : file.metadata.stripes) {
    const std::string writer = read_orc_stripe_footer(local, file.metadata, stripe, budget).time_zone;
    const bool is_same = writer.empty() || writer == options.time_zone || (is_utc(writer) && is_utc(options.time_zone));
    if (!is_same) throw_unsupported("timestamps of the time zone " + writer + " read in " + options.time_zone);
  }
}

int64_t bytes_of(const OrcMetadata& metadata) {
  constexpr size_t kNameBytes = 64;
  return static_cast<int64_t>(metadata.stripes.size() * sizeof(OrcStripe) +
                              metadata.types.size() * (sizeof(OrcType) + kNameBytes) +
                              metadata.statistics.size() * sizeof(OrcStatistics));
}

void fill(const LocalFile& local, OrcFile& file, const ScanSpec& spec, const std::shared_ptr<memory::Budget>& budget) {
  const auto& options = static_cast<const OrcReadOptions&>(*spec.options);
  file.metadata = read_orc_metadata(local, file.identity.size_bytes, budget);
  file.reservation = {budget, bytes_of(file.metadata)};
  file.columns = map_orc_columns(spec, file.metadata);
  file.times = {options.zone_epoch, file.metadata.has_old_calendar};
  const auto has_timestamps = [](const OrcField& field) { return contains(field, OrcKind::Timestamp); };
  if (std::ranges::any_of(file.columns, has_timestamps)) check_time_zones(local, file, options, budget);
  // Some old files without rows have no schema; Spark reads no rows of such.
  if (file.metadata.types.empty() || file.metadata.types[0].children.empty()) file.metadata.stripes.clear();
}

/// Returns a bound of either kind.
std::optional<double> as_number(std::optional<int64_t> integer, std::optional<double> floating) {
  return integer ? static_cast<double>(*integer) : floating;
}

/// Widens what is known of all files so far by what one says: bounds are known where all say them.
void widen(std::optional<double>& bound, std::optional<double> other, bool is_first, bool is_lower) {
  if (!other || (!bound && !is_first)) {
    bound.reset();
  } else {
    bound = is_first ? *other : is_lower ? std::min(*bound, *other) : std::max(*bound, *other);
  }
}

}  // namespace

std::shared_ptr<const OrcFile> read_orc_file(const std::string& uri, const ScanSpec& spec,
                                             const std::shared_ptr<memory::Budget>& budget) {
  auto file = std::make_shared<OrcFile>();
  const LocalFile local(uri);
  file->uri = uri;
  file->identity = local.identity();
  try {
    fill(local, *file, spec, budget);
  } catch (Error& error) {
    error.with_context(uri);
    leave_file_to_spark();
  }
  return file;
}

ColumnSummary summarize_orc(const std::vector<std::shared_ptr<const OrcFile>>& files, size_t column) {
  ColumnSummary summary;
  bool is_first = true;
  for (const auto& file : files) {
    const OrcField& field = file->columns[column];
    summary.num_chunks += static_cast<int64_t>(file->metadata.stripes.size());
    if (field.is_missing() || file->metadata.statistics.empty()) continue;
    const OrcStatistics& statistics = file->metadata.statistics[static_cast<size_t>(field.column)];
    summary.stored_bytes += statistics.stored_bytes;
    if (statistics.num_values == 0) continue;
    widen(summary.min, as_number(statistics.min, statistics.min_floating), is_first, true);
    widen(summary.max, as_number(statistics.max, statistics.max_floating), is_first, false);
    is_first = false;
  }
  return summary;
}

}  // namespace accelerant::io
