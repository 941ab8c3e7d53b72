#include "operators/top_k_threshold.h"

#include "columns/gather.h"
#include "operators/sort_keys.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;

namespace {

using Rows = std::vector<int32_t>;

/// Texts that have so many words in common are not told apart: reading on would cost more than keeping them.
constexpr size_t kMostTextWords = 64;

/// Rows parted by their key: those before the bound and those that share its word.
struct Parted {
  explicit Parted(size_t num_rows) : before(num_rows), tied(num_rows) {}

  Rows before;
  Rows tied;
};

Parted part(const Rows& rows, const std::vector<uint64_t>& words, uint64_t bound) {
  Parted parted(rows.size());
  size_t num_before = 0;
  size_t num_tied = 0;
  // Without branches, as which rows are kept can't be foretold.
  for (size_t i = 0; i < rows.size(); ++i) {
    parted.before[num_before] = rows[i];
    parted.tied[num_tied] = rows[i];
    num_before += words[i] < bound;
    num_tied += words[i] == bound;
  }
  parted.before.resize(num_before);
  parted.tied.resize(num_tied);
  return parted;
}

}  // namespace

std::vector<int32_t> all_rows(int64_t num_rows) {
  std::vector<int32_t> rows(static_cast<size_t>(num_rows));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

/// Which word of which key a word of a bound is.
class TopKThreshold::Place {
 public:
  explicit Place(const std::vector<plan::SortKey>& keys) : keys_(keys) {}

  /// Returns the words of some rows at this place.
  std::vector<uint64_t> words(const std::vector<ColumnPtr>& columns, const Rows& rows,
                              const std::shared_ptr<memory::Budget>& budget) const {
    const ColumnPtr& column = column_of(columns);
    const bool are_all = static_cast<int64_t>(rows.size()) == column->length();
    const ColumnPtr wanted = are_all ? column : columns::gather(*column, rows, budget);
    return key_words(*columns::flatten(wanted, budget), keys_[key_], depth_);
  }

  /// Goes to the place behind a word; false where there is none.
  bool advance(const std::vector<ColumnPtr>& columns, uint64_t word) {
    switch (same_word(column_of(columns)->type(), keys_[key_], word)) {
      case SameWord::Equal:
        depth_ = 0;
        return ++key_ < keys_.size();
      case SameWord::GoOn:
        return ++depth_ < kMostTextWords;
      case SameWord::Unknown:
        break;
    }
    return false;
  }

 private:
  const ColumnPtr& column_of(const std::vector<ColumnPtr>& columns) const {
    return columns[static_cast<size_t>(keys_[key_].column)];
  }

  const std::vector<plan::SortKey>& keys_;
  size_t key_ = 0;
  size_t depth_ = 0;
};

TopKThreshold::TopKThreshold(std::vector<plan::SortKey> keys)
    : keys_(std::move(keys)),
      first_key_bound_(std::make_shared<expressions::KeyBound>(keys_.front().ascending, keys_.front().nulls_first)) {}

std::shared_ptr<const TopKThreshold::Bound> TopKThreshold::bound() const {
  std::lock_guard lock(mutex_);
  return bound_;
}

void TopKThreshold::note(const std::vector<ColumnPtr>& columns, const std::shared_ptr<memory::Budget>& budget) {
  auto last = std::make_shared<const Bound>(last_of(columns, budget));
  // The word of a number is the number with its sign flipped, inverted where the order descends.
  constexpr uint64_t kSign = uint64_t{1} << 63;
  first_key_bound_->move_to(static_cast<int64_t>(last->front() ^ kSign));
  std::lock_guard lock(mutex_);
  // Of bounds that begin alike none is longer: what ends one is the value it ends with.
  if (!bound_ || *last < *bound_) bound_ = std::move(last);
}

TopKThreshold::Bound TopKThreshold::last_of(const std::vector<ColumnPtr>& columns,
                                            const std::shared_ptr<memory::Budget>& budget) const {
  Bound last;
  Rows rows = all_rows(columns.front()->length());
  Place place(keys_);
  do {
    const std::vector<uint64_t> words = place.words(columns, rows, budget);
    last.push_back(*std::max_element(words.begin(), words.end()));
    rows = part(rows, words, last.back()).tied;
  } while (place.advance(columns, last.back()));
  return last;
}

void TopKThreshold::drop_later_rows(columns::Batch& batch, const std::shared_ptr<memory::Budget>& budget) const {
  const auto bound = this->bound();
  if (!bound || batch.num_selected() == 0) return;
  Rows rows = batch.selection ? *batch.selection : all_rows(batch.num_rows);
  auto kept = std::make_shared<Rows>();
  Place place(keys_);
  for (const uint64_t word : *bound) {
    auto [before, tied] = part(rows, place.words(batch.columns, rows, budget), word);
    kept->insert(kept->end(), before.begin(), before.end());
    rows = std::move(tied);
    if (rows.empty()) break;
    place.advance(batch.columns, word);
  }
  kept->insert(kept->end(), rows.begin(), rows.end());
  std::sort(kept->begin(), kept->end());
  batch.selection = std::move(kept);
}

}  // namespace accelerant::operators
