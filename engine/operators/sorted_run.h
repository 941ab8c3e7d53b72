#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "memory/buffer.h"
#include "operators/key_packing.h"
#include "operators/sort_keys.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace accelerant::operators {

/// The rows of one worker, as they came.
struct RunRows {
  /// Puts batches together.
  /// @param batches at least one, in the order of morsel and sequence, without selections
  /// @throws Error Cancelled; Resource where there are more than a run can have
  RunRows(const std::vector<columns::Batch>& batches, const execution::OperatorContext& ctx);
  /// Takes some rows of others.
  /// @param chosen ascending
  /// @throws Error Cancelled
  RunRows(const RunRows& rows, std::span<const int32_t> chosen, const execution::OperatorContext& ctx);

  /// Returns the rows as batches of one morsel each, which share their columns.
  std::vector<columns::Batch> as_batches() const;

  struct BatchPlace {
    int64_t first_row;
    int64_t morsel;
  };

  std::vector<columns::ColumnPtr> columns;  ///< flat
  std::vector<BatchPlace> batches;          ///< ascending
  int64_t num_rows = 0;
};

/// Says which morsel a row is of. Does not outlive the rows.
class MorselOfRow {
 public:
  explicit MorselOfRow(const RunRows& rows);

  int64_t operator()(int32_t row) const {
    const size_t stretch = static_cast<size_t>(row) / kStretch;
    const auto first = batches_->begin() + batches_before_[stretch];
    const auto end = batches_->begin() + batches_before_[stretch + 1] + 1;
    return std::prev(std::ranges::upper_bound(first, end, row, {}, &RunRows::BatchPlace::first_row))->morsel;
  }

 private:
  static constexpr size_t kStretch = 1024;

  const std::vector<RunRows::BatchPlace>* batches_;
  std::vector<uint32_t> batches_before_;  ///< the batch that the first row of each stretch is of, and the last batch
};

/// Rows of one worker in the order of their keys; rows of equal keys keep the order of their morsels. Immutable, but
/// for what it keeps of the keys beside the columns.
class SortedRun {
  /// The first words of keys by place; nullptr, or too few: the columns tell.
  using Words = std::vector<memory::BufferPtr>;

 public:
  /// Sorts.
  /// @throws Error Cancelled
  SortedRun(RunRows rows, std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx);

  /// Returns a run of some of its rows.
  /// @param places in the order, ascending
  /// @throws Error Cancelled
  std::unique_ptr<const SortedRun> choose(std::span<const int32_t> places, const execution::OperatorContext& ctx) const;

  int64_t num_rows() const { return rows_.num_rows; }
  const KeyOrder& key_order() const { return *key_order_; }
  /// The rows as they came.
  const RunRows& rows() const { return rows_; }
  /// The rows' columns, flat, as they came.
  const std::vector<columns::ColumnPtr>& columns() const { return rows_.columns; }
  /// The spans of its keys, or of more rows' keys.
  const KeySpans& key_spans() const { return key_spans_; }

  /// The rows in order. Does not outlive the run.
  class View {
   public:
    /// Returns which row is at a place in the order.
    int32_t row(int64_t place) const { return order_[place]; }
    int64_t morsel(int64_t place) const { return run_->morsel_of(order_[place]); }
    /// Compares the first keys at a place with those at a place of a run of the same sort: negative, 0, positive.
    int compare_keys(int64_t place, const View& other, int64_t other_place, size_t num_keys) const;
    /// Compares all of them.
    int compare_keys(int64_t place, const View& other, int64_t other_place) const {
      return compare_keys(place, other, other_place, run_->key_order().keys().size());
    }
    int64_t num_rows() const { return run_->num_rows(); }

   private:
    friend class SortedRun;
    explicit View(const SortedRun& run);

    const uint64_t* words_of(size_t key) const {
      return key < words_.size() && words_[key] ? words_[key]->as<uint64_t>() : nullptr;
    }

    const SortedRun* run_;
    const int32_t* order_;
    Words words_;
  };
  View view() const { return View(*this); }

  /// Gives back what makes comparing faster. Any thread.
  void drop_words() const;

 private:
  class Sorter;

  /// @param row_order the rows' numbers in the order of their keys
  SortedRun(RunRows rows, std::shared_ptr<const KeyOrder> order, const KeySpans& key_spans,
            memory::BufferPtr row_order);

  int64_t morsel_of(int32_t row) const;
  /// Keeps the order, and the first words of the first key.
  /// @param packing that the rows' words are of
  void keep(const memory::Buffer& sorted, const KeyPacking& packing, const execution::OperatorContext& ctx);
  /// Keeps the first words of another key.
  void keep_words(size_t key, const execution::OperatorContext& ctx);

  const std::shared_ptr<const KeyOrder> key_order_;
  const RunRows rows_;
  KeySpans key_spans_;
  memory::BufferPtr order_;  ///< the rows' numbers
  mutable std::mutex mutex_;
  mutable Words words_;
};

}  // namespace accelerant::operators
