#include <arrow/api.h>
#include <parquet/file_reader.h>
#include <stdexcept>
namespace accelerant { void make_table() {
 if (arrow::schema({arrow::field("a", arrow::int64())})->ToString() != "a: int64") throw std::runtime_error("x");
 try { parquet::ParquetFileReader::OpenFile("/nonexistent"); } catch (const std::exception&) { return; } throw std::runtime_error("opened"); } }
