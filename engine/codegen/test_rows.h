#pragma once

#include "codegen/fused_rows.h"
#include "codegen/test_pipelines.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Compares what a device makes of every row with what the host makes of it.
namespace accelerant::codegen::test {

/// A test of steps over rows some of which are in error.
class RowsTest : public PipelineTest {
 protected:
  /// Expects of a device, in every order, the host's values of all rows that are sound, and that each row in error is
  /// one there too.
  void expect_equal_rows() {
    FusedRows rows(steps_, compiler());
    ASSERT_TRUE(rows.ready());
    std::vector<int32_t> sound;
    std::vector<int32_t> failing;
    for (int32_t row = 0; row < static_cast<int32_t>(batch_.num_rows); ++row) {
      (on_host(only({row})).errors.empty() ? sound : failing).push_back(row);
    }
    num_sound_ += sound.size();
    num_failing_ += failing.size();
    expect_equal(rows, only(sound));
    expect_errors(rows, failing);
  }

  size_t num_sound_ = 0;    ///< rows of which values were compared
  size_t num_failing_ = 0;  ///< rows that were in error

 private:
  columns::Batch only(std::vector<int32_t> rows) const {
    columns::Batch batch = batch_;
    batch.selection = std::make_shared<const std::vector<int32_t>>(std::move(rows));
    return columns::compact(std::move(batch), budget());
  }

  void expect_equal(FusedRows& rows, const columns::Batch& batch) const {
    const columns::Batch expected = on_host(batch);
    ASSERT_TRUE(expected.errors.empty());
    for (const device::emulator::Schedule& order : device::emulator::test_orders()) {
      device::emulator::TestDevice device(order);
      const std::optional<device::DeviceBatch> made = rows.run(device.stream(), copied(device.stream(), batch));
      ASSERT_TRUE(made.has_value()) << describe(batch, 0);
      expect_equal(shown(device::download(device.stream(), *made, budget())), shown(expected), batch);
    }
  }

  /// Names the first value of each column that differs. A batch of which rows are dropped is shown without its inputs.
  void expect_equal(const std::vector<Texts>& made, const std::vector<Texts>& expected,
                    const columns::Batch& batch) const {
    ASSERT_EQ(made.size(), expected.size());
    for (size_t i = 0; i < made.size(); ++i) {
      ASSERT_EQ(made[i].size(), expected[i].size()) << describe(batch, 0);
      const auto at = std::ranges::mismatch(made[i], expected[i]).in1 - made[i].begin();
      if (at == std::ssize(made[i])) continue;
      const bool is_filtered = std::ssize(made[i]) != batch.num_rows;
      ADD_FAILURE() << "column " << i << " is " << made[i][static_cast<size_t>(at)] << " instead of "
                    << expected[i][static_cast<size_t>(at)] << (is_filtered ? "" : " of " + describe(batch, at));
    }
  }

  void expect_errors(FusedRows& rows, const std::vector<int32_t>& failing) const {
    device::emulator::TestDevice device(device::emulator::test_orders().back());
    for (const int32_t row : failing) {
      const columns::Batch batch = only({row});
      EXPECT_FALSE(rows.run(device.stream(), copied(device.stream(), batch)).has_value()) << describe(batch, 0);
    }
    if (failing.empty()) return;
    EXPECT_FALSE(rows.run(device.stream(), on_device(device.stream())).has_value());
  }

  /// Shows the values of a row that are not null, and what is made of them.
  std::string describe(const columns::Batch& batch, int64_t row) const {
    std::string text;
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      const std::string value = expressions::format_row(*batch.columns[i], row);
      if (value != "null")
        text += "#" + std::to_string(i) + " " + value + " " + batch.columns[i]->type().to_string() + ", ";
    }
    for (const RowStep& step : steps_.steps) text += "\n" + step.program->to_string();
    return text;
  }
};

}  // namespace accelerant::codegen::test
