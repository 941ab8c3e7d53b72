#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

inline constexpr std::string_view kCaptureMagic = "ACCC";
inline constexpr uint64_t kCaptureVersion = 1;

/// A data file as it was when the query was captured.
struct CapturedFile {
  std::string path;  ///< as in the splits message
  int64_t size_bytes = 0;
  int64_t modification_millis = 0;
  std::optional<uint64_t> tail_hash;  ///< none: it could not be read
};

/// Sums over a floating column, which do not depend on the order of rows but for rounding.
struct FloatSums {
  int64_t count = 0;  ///< values that are not null
  int64_t nans = 0;
  int64_t positive_infinities = 0;
  int64_t negative_infinities = 0;
  double sum = 0;        ///< of the finite values
  double magnitude = 0;  ///< sum of the magnitudes of the finite values
};

/// What Spark answered, without the rows, or how it failed.
struct CapturedAnswer {
  int64_t rows = 0;
  uint64_t hash = 0;
  std::map<int, FloatSums> floats;      ///< by column
  std::map<int, int64_t> other_counts;  ///< values that are not null, by column
  std::string error_class;              ///< Java class of the exception; empty: there was an answer
  std::string error_condition;
};

/// A captured query (docs/design/capture.md).
struct Capture {
  std::vector<uint8_t> plan;
  std::vector<uint8_t> splits;
  std::string options;
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<CapturedFile> files;
  CapturedAnswer answer;

  /// Returns a setting's value, empty when there is none.
  std::string_view setting(std::string_view name) const;
};

/// Returns a value of a line as it stands there: without line feeds, carriage returns and tabs.
std::string escape(std::string_view value);

/// Decodes bytes nobody vouches for. The plan and splits in it are not looked into.
/// @throws Error Unsupported for another format version, Internal naming the place for anything malformed
Capture decode_capture(std::span<const uint8_t> bytes);

}  // namespace accelerant::plan
