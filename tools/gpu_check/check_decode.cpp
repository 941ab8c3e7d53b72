#include "cells.h"
#include "encoded_rows.h"
#include "primitives.h"

namespace accelerant::gpu_check {

namespace {

Outcome compare(device::Device& device, int64_t num_rows) {
  const EncodedRows from = make_encoded_rows(num_rows, *device.pinned_memory());
  const auto stream = device.create_stream(memory::process_budget());
  const auto decoded = device::decode(*stream, from.encoded, memory::process_budget());
  if (!decoded) return {false, "a page is not sound"};
  const std::string found = difference(device::download(*stream, *decoded, memory::process_budget()), from.rows);
  return {found.empty(), found};
}

}  // namespace

void check_decode(device::Device& device, std::span<const int64_t> sizes, Report& report) {
  for (const int64_t n : sizes) report.check("decode, a row group", n, [&] { return compare(device, n); });
}

}  // namespace accelerant::gpu_check
