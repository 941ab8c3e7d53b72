#pragma once

#include "io/orc_bytes.h"
#include "io/orc_metadata.h"
#include "io/orc_schema.h"

#include <memory>
#include <vector>

namespace accelerant::io {

/// The streams of some columns of a stripe, as they are stored. One thread at a time.
class OrcStripeData {
 public:
  /// @param footer outlives it
  OrcStripeData(const OrcMetadata& metadata, const OrcStripeFooter& footer, std::shared_ptr<memory::Budget> budget);

  /// Reads the streams of fields from the file, near ones at once, and returns how many bytes these take.
  int64_t fetch(const LocalFile& file, const std::vector<const OrcField*>& fields);
  /// Returns a stream that was fetched; one without bytes where the stripe lacks it.
  OrcBytes bytes(const OrcField& field, OrcStreamKind kind) const;
  /// Says whether the stripe has a stream.
  bool has(const OrcField& field, OrcStreamKind kind) const { return find(field, kind) != nullptr; }
  const OrcEncoding& encoding(const OrcField& field) const {
    return footer_.encodings[static_cast<size_t>(field.column)];
  }
  const std::shared_ptr<memory::Budget>& budget() const { return budget_; }

 private:
  struct Fetched {
    const OrcStream* stream;
    memory::BufferPtr buffer;
    int64_t offset;  ///< in the buffer
  };

  void add_streams(const OrcField& field, std::vector<const OrcStream*>& streams) const;
  const Fetched* find(const OrcField& field, OrcStreamKind kind) const;

  const OrcStripeFooter& footer_;
  const std::shared_ptr<memory::Budget> budget_;
  const std::shared_ptr<OrcCodec> codec_;
  std::vector<Fetched> fetched_;
};

}  // namespace accelerant::io
