#pragma once

#include "fuzz_input.h"
#include "io/parquet_column.h"

#include <array>

namespace accelerant::fuzz {

/// A stored type with a type of the scan that it is read as.
struct ColumnKind {
  io::ValueKind kind;
  types::TypeId type;
  int precision = 0;     ///< of a decimal
  int stored_bytes = 0;  ///< of a FIXED_LEN_BYTE_ARRAY
};

/// Every kind of column that has a decoder.
inline constexpr std::array kColumnKinds = {
    ColumnKind{io::ValueKind::Boolean, types::TypeId::Boolean},
    ColumnKind{io::ValueKind::Int32ToInt8, types::TypeId::Byte},
    ColumnKind{io::ValueKind::Int32ToInt16, types::TypeId::Short},
    ColumnKind{io::ValueKind::Int32ToInt32, types::TypeId::Int},
    ColumnKind{io::ValueKind::Int32ToInt64, types::TypeId::Long},
    ColumnKind{io::ValueKind::Int32ToInt128, types::TypeId::Decimal, 30},
    ColumnKind{io::ValueKind::Int32ToDouble, types::TypeId::Double},
    ColumnKind{io::ValueKind::UInt32ToInt64, types::TypeId::Long},
    ColumnKind{io::ValueKind::Int64ToInt64, types::TypeId::Long},
    ColumnKind{io::ValueKind::Int64ToInt128, types::TypeId::Decimal, 38},
    ColumnKind{io::ValueKind::Int64MillisToMicros, types::TypeId::Timestamp},
    ColumnKind{io::ValueKind::UInt64ToInt128, types::TypeId::Decimal, 20},
    ColumnKind{io::ValueKind::Int96ToMicros, types::TypeId::Timestamp, 0, 12},
    ColumnKind{io::ValueKind::Float, types::TypeId::Float},
    ColumnKind{io::ValueKind::FloatToDouble, types::TypeId::Double},
    ColumnKind{io::ValueKind::Double, types::TypeId::Double},
    ColumnKind{io::ValueKind::Bytes, types::TypeId::String},
    ColumnKind{io::ValueKind::BytesToInt128, types::TypeId::Decimal, 38},
    ColumnKind{io::ValueKind::FixedBytes, types::TypeId::Binary, 0, 5},
    ColumnKind{io::ValueKind::FixedBytesToInt64, types::TypeId::Decimal, 15, 7},
    ColumnKind{io::ValueKind::FixedBytesToInt128, types::TypeId::Decimal, 38, 16},
};

/// Takes a column of any kind.
inline io::FileColumn take_column(FuzzInput& input) {
  const ColumnKind& chosen = kColumnKinds[input.choose(kColumnKinds.size())];
  io::FileColumn column;
  column.name = "c";
  column.type = chosen.type == types::TypeId::Decimal ? types::DataType::decimal(chosen.precision, 0)
                                                      : types::DataType(chosen.type);
  column.leaf = 0;
  column.kind = chosen.kind;
  column.stored_bytes = chosen.stored_bytes;
  return column;
}

}  // namespace accelerant::fuzz
