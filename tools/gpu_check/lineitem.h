#pragma once

#include "columns/batch.h"
#include "device/device_batch.h"
#include "device/primitives/generate.h"
#include "types/data_type.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// A column of a table like TPC-H's lineitem, whose values are random in the ranges that TPC-H has.
struct GeneratedColumn {
  std::string name;
  types::DataType type;
  device::RandomColumn values;  ///< unscaled, days since 1970, or positions in `entries`
  std::vector<std::string> entries = {};
};

/// @throws Error Internal for a name that the table does not have
const GeneratedColumn& lineitem(const std::string& name);

inline constexpr int64_t kRowsOfScale1 = 6'000'000;

/// Returns the bytes that a row of columns takes on a device.
int64_t row_bytes(std::span<const std::string> columns);
/// Makes rows of some columns in memory of a device, by its kernels.
device::DeviceBatch make_on_device(device::DeviceStream& stream, std::span<const std::string> columns,
                                   int64_t num_rows);
/// Makes some of the same rows on the host.
columns::Batch make_on_host(std::span<const std::string> columns, int64_t first_row, int64_t num_rows);

}  // namespace accelerant::gpu_check
