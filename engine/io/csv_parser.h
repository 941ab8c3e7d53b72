#pragma once

#include "io/csv_options.h"
#include "io/csv_tokens.h"
#include "io/line_parser.h"
#include "io/spark_lines.h"

#include <cstdint>
#include <vector>

namespace accelerant::io {

/// Makes rows of lines of CSV. What is plain it reads itself; a line of which it is not sure is Spark's to parse.
class CsvParser final : public LineParser {
 public:
  /// @param spec it and `ctx` outlive this
  CsvParser(const ScanSpec& spec, const execution::OperatorContext& ctx);

  columns::Batch parse(const LineBlock& block) override;

 private:
  /// What is known of the lines of a block that are rows.
  struct Rows {
    std::vector<types::StringRef> lines;
    std::vector<uint8_t> is_odd;     ///< a byte a row: Spark parses it
    std::vector<uint8_t> is_unsure;  ///< a byte a row: where its values begin and end is not sure
  };

  Rows rows_of(const LineBlock& block, bool has_header) const;
  memory::BufferPtr split(Rows& rows) const;
  void start_part(const LineBlock& block);
  void add_followers(Rows& rows);
  void add_no_values(columns::Batch& batch) const;
  columns::Batch read(Rows& rows, const LineBlock& block) const;
  columns::Batch parse_by_spark(columns::Batch batch, const Rows& rows);

  const ScanSpec& spec_;
  const CsvOptions& options_;
  const execution::OperatorContext& ctx_;
  const CsvTokens tokens_;
  std::vector<size_t> wanted_;     ///< positions in the scan's columns, in the order of the files' columns
  bool is_all_spark_ = false;      ///< some column is none that the engine reads
  bool has_header_ahead_ = false;  ///< of the part that is read, the header was not met yet
  SparkLines spark_;
  bool carries_over_ = false;  ///< Spark's parser may have kept something of a line of the part that is read
  bool is_used_ = false;       ///< it was given lines of the part
  bool has_passed_ = false;    ///< lines of the split came before the block
};

}  // namespace accelerant::io
