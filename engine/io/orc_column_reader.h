#pragma once

#include "columns/column.h"
#include "io/orc_stripe_data.h"

#include <cstdint>
#include <memory>

namespace accelerant::io {

/// How the timestamps and dates of a file count.
struct OrcTimes {
  int64_t zone_epoch = 0;        ///< the second from which timestamps count
  bool has_old_calendar = true;  ///< dates before 1582-10-15 are Julian
};

/// Reads the rows of one column of a stripe in order. One thread at a time.
class OrcColumnReader {
 public:
  virtual ~OrcColumnReader() = default;
  /// Returns the next `n` rows.
  /// @throws Error Resource on corrupt data
  virtual columns::ColumnPtr read(int64_t n) = 0;
  /// Passes over the next `n` rows.
  void skip(int64_t n);
};

/// Makes the reader of a field whose streams were fetched.
std::unique_ptr<OrcColumnReader> make_orc_reader(const OrcField& field, const OrcStripeData& data,
                                                 const OrcTimes& times);

/// Likewise, of one that is not nested.
std::unique_ptr<OrcColumnReader> make_orc_value_reader(const OrcField& field, const OrcStripeData& data,
                                                       const OrcTimes& times);
/// Likewise, of texts or bytes.
std::unique_ptr<OrcColumnReader> make_orc_text_reader(const OrcField& field, const OrcStripeData& data);

}  // namespace accelerant::io
