#pragma once

#include "columns/batch.h"
#include "plan/capture.h"

#include <memory>
#include <string>
#include <vector>

namespace accelerant::api {

/// Sums up an answer batch by batch as docs/design/capture.md says, so that it can be compared with the one that Spark
/// gave. One thread.
class AnswerSummary {
 public:
  /// @param types of the answer's columns
  explicit AnswerSummary(std::vector<types::DataType> types);

  /// Adds a batch without selection.
  void add(const columns::Batch& batch);
  const plan::CapturedAnswer& answer() const { return answer_; }
  /// Returns in what the answer differs from `expected`, in words for people; empty when they are equal.
  std::vector<std::string> differences_from(const plan::CapturedAnswer& expected) const;

 private:
  std::vector<types::DataType> types_;
  std::shared_ptr<memory::Budget> budget_;
  plan::CapturedAnswer answer_;
  std::vector<uint64_t> row_hashes_;  ///< of the batch at work
};

}  // namespace accelerant::api
