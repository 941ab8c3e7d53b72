#pragma once

#include "columns/column.h"
#include "io/page_reader.h"
#include "io/parquet_column.h"
#include "io/run_decoder.h"
#include "io/value_decoder.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::io {

/// Decodes the values of a column chunk's pages, whether they are stored themselves or by their places in a dictionary.
/// All methods throw Error: Resource on corrupt data, Unsupported for what Spark does not read either.
class PageValues {
 public:
  PageValues(const FileColumn& column, const std::shared_ptr<memory::Budget>& budget);

  /// Reads the dictionary, which is the current page of `pages`.
  void read_dictionary(const PageHeader& header, PageReader& pages);
  /// Starts a data page. Its values must stay in place until the next page.
  /// @param values what the page has behind its levels
  void start_page(const PageHeader& header, const uint8_t* values, int64_t num_bytes);

  /// Returns the dictionary, a flat column; nullptr where no page of one was read.
  const columns::ColumnPtr& dictionary() const { return dictionary_; }
  /// Says whether the page has places in the dictionary.
  bool is_coded() const { return is_coded_; }

  /// Decodes the next `n` values.
  void read(int64_t n, ValueTarget target);
  /// Decodes those of the next `n` values that lie at `positions`, ascending, and passes over the others.
  void read_at(std::span<const int32_t> positions, int64_t n, ValueTarget target);
  /// Reads the places of the next `n` values in the dictionary.
  void read_codes(int64_t n, uint32_t* to);
  /// Reads the places of those that `read_at` would decode.
  void read_codes_at(std::span<const int32_t> positions, int64_t n, uint32_t* to);
  /// Passes over the next `n` values.
  void skip(int64_t n);
  /// Writes the dictionary's values at `codes`, which lie in it.
  void look_up(const uint32_t* codes, int64_t n, uint8_t* to) const;

 private:
  template <class Take>
  void for_each_chosen(std::span<const int32_t> positions, int64_t n, Take take);
  void check_codes(const uint32_t* codes, int64_t n) const;
  void add_dictionary_heap(int64_t n, uint8_t* to, std::vector<memory::BufferPtr>& heap) const;

  const FileColumn& column_;
  const std::shared_ptr<memory::Budget> budget_;
  const std::unique_ptr<ValueDecoder> decoder_;
  const int width_;  ///< of a value, in bytes
  RunDecoder codes_;
  columns::ColumnPtr dictionary_;
  bool is_coded_ = false;
};

}  // namespace accelerant::io
