#pragma once

#include "device/stream.h"
#include "report.h"

#include <cstdint>
#include <span>

namespace accelerant::gpu_check {

/// A primitive that is compared with its reference on the host.
struct PrimitiveCheck {
  const char* name;
  bool (*is_equal)(device::Device& device, int64_t num_rows);
};

/// Those over columns, over groups, over strings, and over encoded pages.
std::span<const PrimitiveCheck> column_checks();
std::span<const PrimitiveCheck> group_checks();
std::span<const PrimitiveCheck> string_checks();
std::span<const PrimitiveCheck> page_checks();
std::span<const PrimitiveCheck> placing_checks();

/// Compares all primitives over random data of these sizes.
void check_primitives(device::Device& device, std::span<const int64_t> sizes, Report& report);

/// Compares row groups of these sizes that a device decodes with the rows that were encoded.
void check_decode(device::Device& device, std::span<const int64_t> sizes, Report& report);

/// Measures copies, launches, sorting and grouping.
/// @param num_rows of what is measured
void measure_primitives(device::Device& device, int64_t num_rows, Report& report);

/// Measures how pages of several encodings are decoded that are in device memory, and a row group that is not.
/// @param num_values of 8 bytes, for each encoding
void measure_decoding(device::Device& device, int64_t num_values, Report& report);

/// What `measure_primitives` calls the rate of device memory, in GB/s: bytes read and bytes written.
inline constexpr const char* kMemoryRate = "copy on device, both ways";

}  // namespace accelerant::gpu_check
