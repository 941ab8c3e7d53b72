#include "codegen/cuda_text.h"

#include "base/error.h"
#include "codegen/group_kernel.h"
#include "codegen/test_pipelines.h"
#include "columns/test_columns.h"

#include <chrono>
#include <cstdlib>

namespace accelerant::codegen {
namespace {

using test::Slot;

/// Pipelines for the NVRTC that the test runner names.
class CudaTextTest : public test::PipelineTest {
 protected:
  void SetUp() override {
    const char* library = std::getenv("ACCELERANT_NVRTC");
    if (library == nullptr) GTEST_SKIP() << "ACCELERANT_NVRTC names no NVRTC";
    compiler_ = std::get<device::cuda::RuntimeCompiler>(device::cuda::open_runtime_compiler(library));
  }

  void expect_compiles(const KernelText& kernel) {
    constexpr int32_t kArchitecture = 90;
    const auto start = std::chrono::steady_clock::now();
    const auto code = device::cuda::compile(compiler_, cuda_program(kernel), kArchitecture);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    EXPECT_GT(code.bytes.size(), 1000);
    RecordProperty(kernel.name + "_milliseconds", std::to_string(static_cast<int>(taken.count())));
  }

  device::cuda::RuntimeCompiler compiler_{};
};

TEST_F(CudaTextTest, RowsCompile) {
  column("int", {"1"});
  column("string", {"a"});
  column("decimal(15,2)", {"1.00"});
  filter({call("Like", {input(1), literal("a% string"), literal("\\ string")}, "boolean"),
          call("LessThan", {input(0), literal("24 int")}, "boolean")});
  project(
      {call("Multiply", {input(2), input(2)}, "decimal(31,4)"), call("Add", {input(0), input(0)}, "int"), input(1)});
  expect_compiles(make_filter_kernel(steps_).text);
  expect_compiles(make_output_kernel(steps_, {0, 1}).text);
}

TEST_F(CudaTextTest, GroupsCompile) {
  add(columns::test::make_dictionary(columns::test::make_strings({"A", "N"}), {0}));
  column("decimal(15,2)", {"1.00"});
  column("decimal(15,2)", {"1.00"});
  column("date", {"1998-09-02"});
  filter({call("LessThanOrEqual", {input(3), literal("1998-09-02 date")}, "boolean")});
  const Slot rest = call("Subtract", {literal("1.00 decimal(15,2)"), input(2)}, "decimal(16,2)");
  column("double", {"1.5"});
  column("int", {"3"});
  project({input(0), call("Multiply", {input(1), rest}, "decimal(32,4)"), input(1), input(3), input(4), input(5)});
  const GroupShape shape =
      make_group_shape(steps_, 1,
                       {test::aggregate("sum", 1, "decimal(32,4)", "decimal(38,4)"),
                        test::aggregate("sum", 2, "decimal(15,2)", "decimal(25,2)"),
                        test::aggregate("count", -1, "", "bigint"), test::aggregate("max", 3, "date", "date"),
                        test::aggregate("sum", 4, "double", "double"), test::aggregate("bit_xor", 5, "int", "int")});
  expect_compiles(make_few_groups_kernel(steps_, shape).text);
  expect_compiles(make_group_inputs_kernel(steps_, shape).text);
  expect_compiles(make_group_updates_kernel(shape));
}

}  // namespace
}  // namespace accelerant::codegen
