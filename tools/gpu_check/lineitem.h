#pragma once

#include "columns/batch.h"
#include "device/device_batch.h"
#include "device/primitives/generate.h"
#include "types/data_type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// Columns of a table like TPC-H's lineitem, whose values are random in the ranges that TPC-H has.
enum LineitemColumn { kQuantity, kExtendedPrice, kDiscount, kTax, kReturnFlag, kLineStatus, kShipDate };

/// How a column is made.
struct GeneratedColumn {
  types::DataType type;
  device::RandomColumn values;  ///< unscaled, days since 1970, or positions in `entries`
  std::vector<std::string> entries = {};
};

const std::vector<GeneratedColumn>& lineitem();

inline constexpr int64_t kRowsOfScale1 = 6'000'000;

/// Makes rows in memory of a device, by its kernels.
device::DeviceBatch make_on_device(device::Stream& stream, int64_t num_rows);
/// Makes some of the same rows on the host.
columns::Batch make_on_host(int64_t first_row, int64_t num_rows);

}  // namespace accelerant::gpu_check
