#include "operators/rank_limit.h"

#include "memory/array.h"

namespace accelerant::operators {

namespace {

constexpr int64_t kRowsBetweenLooks = 16 * 1024;

/// Ranks the rows of a run one after the other, within their window partitions.
class RunRanks {
 public:
  RunRanks(const SortedRun& run, plan::WindowKind rank, size_t num_partition_keys)
      : view_(run.view()), rank_(rank), num_partition_keys_(num_partition_keys) {}

  /// Returns the rank of the row at the next place.
  int64_t next() {
    const int64_t place = place_++;
    if (place == 0 || view_.compare_keys(place - 1, view_, place, num_partition_keys_) != 0) {
      number_ = peer_ = num_peers_ = 1;
    } else {
      ++number_;
      if (rank_ != plan::WindowKind::RowNumber && view_.compare_keys(place - 1, view_, place) != 0) {
        peer_ = number_;
        ++num_peers_;
      }
    }
    if (rank_ == plan::WindowKind::RowNumber) return number_;
    return rank_ == plan::WindowKind::Rank ? peer_ : num_peers_;
  }

 private:
  const SortedRun::View view_;
  const plan::WindowKind rank_;
  const size_t num_partition_keys_;
  int64_t place_ = 0;
  int64_t number_ = 0;
  int64_t peer_ = 0;       ///< the number of the first row of equal order
  int64_t num_peers_ = 0;  ///< how many different orders there are so far
};

}  // namespace

std::unique_ptr<const SortedRun> limited(const SortedRun& run, const plan::RankLimit& limit, size_t num_partition_keys,
                                         const execution::OperatorContext& ctx) {
  RunRanks ranks(run, limit.rank, num_partition_keys);
  memory::Array<int32_t> wanted(ctx.budget);
  for (int64_t place = 0; place < run.num_rows(); ++place) {
    if (place % kRowsBetweenLooks == 0) ctx.cancellation->check();
    if (ranks.next() <= limit.rows) wanted.push_back(static_cast<int32_t>(place));
  }
  if (wanted.size() > run.num_rows() / 2) return nullptr;
  return run.choose(wanted.span(), ctx);
}

}  // namespace accelerant::operators
