#include "io/arrow_schema.h"

#include "base/error.h"
#include "columns/arrow_c_data.h"

#include <arrow/c/bridge.h>
#include <arrow/type.h>

namespace accelerant::io {

std::shared_ptr<arrow::Schema> arrow_schema(const types::DataType& type) {
  ArrowSchema schema;
  columns::export_schema(type, "", false, &schema);
  auto imported = arrow::ImportSchema(&schema);
  if (!imported.ok()) throw Error(ErrorKind::Internal, "Arrow can't import a schema: " + imported.status().ToString());
  return std::move(imported).ValueUnsafe();
}

}  // namespace accelerant::io
