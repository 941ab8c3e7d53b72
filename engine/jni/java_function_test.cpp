#include "jni/java_function.h"

#include "base/bits.h"
#include "columns/arrow_abi.h"
#include "columns/test_columns.h"
#include "expressions/external_function.h"
#include "functions/error_codes.h"
#include "jni/test_java_objects.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accelerant::jni {
namespace {

using columns::test::make_longs;
using columns::test::show;
using expressions::ExternalFunction;
using expressions::ExternalResult;
using types::DataType;
using types::TypeId;

using Texts = std::vector<std::string>;

const DataType kLong(TypeId::Long);

/// What io.accelerant.spark.BridgedLoop says of a row.
constexpr uint8_t kValid = 0;
constexpr uint8_t kNull = 1;
constexpr uint8_t kFailed = 2;

/// Under which a worker of the tests keeps failures.
constexpr jint kFirstFailure = 9;

/// What a worker is asked for, and the places for its results.
struct Asked {
  explicit Asked(const std::vector<jlong>& numbers)
      : batch(*reinterpret_cast<const ArrowArray*>(numbers.at(0))),
        num_rows(static_cast<size_t>(numbers.at(1))),
        wanted(reinterpret_cast<const uint8_t*>(numbers.at(2))),
        values(reinterpret_cast<uint8_t*>(numbers.at(3))),
        statuses(reinterpret_cast<uint8_t*>(numbers.at(4))) {}

  /// Writes a result for each row.
  template <class T>
  void put(const std::vector<T>& results, const std::vector<uint8_t>& says) const {
    std::memcpy(values, results.data(), results.size() * sizeof(T));
    std::memcpy(statuses, says.data(), says.size());
  }

  const ArrowArray& batch;
  const size_t num_rows;
  const uint8_t* const wanted;
  uint8_t* const values;
  uint8_t* const statuses;
};

class JavaFunctionTest : public test::JavaObjectTest {
 protected:
  void SetUp() override {
    JavaObjectTest::SetUp();
    if (IsSkipped()) return;
    ASSERT_TRUE(load_function_classes(env()));
  }
  void TearDown() override {
    EXPECT_EQ(budget_->used_bytes(), 0);
    JavaObjectTest::TearDown();
  }

  /// Makes a worker by what its methods do.
  static jobject worker(jobject evaluate, jobject first_failure) {
    return object_of("io/accelerant/spark/BridgedFunction$Worker",
                     {{"evaluate", evaluate}, {"firstFailure", first_failure}});
  }
  static jobject worker_of(const test::Answer& answer) {
    return worker(first_of(answering(answer, 5)), constant(boxed(kFirstFailure)));
  }
  static jobject function(jint expression, jobject new_worker) {
    return object_of("io/accelerant/spark/BridgedFunction",
                     {{"expression", constant(boxed(expression))}, {"newWorker", new_worker}});
  }

  static std::shared_ptr<const execution::Parameters> wrapped(const std::vector<jobject>& functions) {
    return to_functions(env(), array_of("io/accelerant/spark/BridgedFunction", functions));
  }
  /// Wraps the function whose workers are one.
  static std::shared_ptr<const ExternalFunction> function_of(jobject worker) {
    return wrapped({function(0, constant(worker))})->functions.at(0);
  }

  ExternalResult evaluate(const ExternalFunction& called, ExternalFunction::State& state,
                          const std::vector<columns::ColumnPtr>& arguments, const DataType& result,
                          const uint8_t* wanted = nullptr) const {
    return called.evaluate(state, arguments, result, arguments.front()->length(), wanted, budget_);
  }
  /// Has a worker that answers so compute a result of as many rows as the argument has.
  ExternalResult evaluate(const test::Answer& answer, const columns::ColumnPtr& argument, const DataType& result,
                          const uint8_t* wanted = nullptr) const {
    const auto called = function_of(worker_of(answer));
    return evaluate(*called, *called->make_state(), {argument}, result, wanted);
  }

  /// Returns what a worker gives back: the bytes of its results.
  static jobjectArray bytes(const std::string& text) { return array_of("[B", {byte_array(text)}); }
  /// Returns what it gives back where results have a fixed width.
  static jobjectArray no_bytes() { return array_of("[B", {nullptr}); }

  const std::shared_ptr<memory::Budget> budget_ =
      std::make_shared<memory::Budget>("budget of the test", memory::Budget::kUnlimited);
};

TEST_F(JavaFunctionTest, IsFoundByItsExpression) {
  const auto functions = wrapped({function(3, constant(nullptr)), function(8, constant(nullptr))});
  ASSERT_EQ(functions->functions.size(), 2U);
  EXPECT_TRUE(functions->functions.contains(3));
  EXPECT_TRUE(functions->functions.contains(8));
  EXPECT_TRUE(functions->values.empty());
  EXPECT_EQ(wrapped({}), nullptr);
}

TEST_F(JavaFunctionTest, ComputesRowsFromItsArguments) {
  const test::Answer add = [](const std::vector<jlong>& numbers) {
    const Asked asked(numbers);
    EXPECT_EQ(asked.batch.length, 3);
    EXPECT_EQ(asked.batch.n_children, 2);
    std::vector<int64_t> sums(asked.num_rows);
    for (size_t row = 0; row < sums.size(); ++row) {
      for (int64_t i = 0; i < 2; ++i) {
        sums[row] += static_cast<const int64_t*>(asked.batch.children[i]->buffers[1])[row];
      }
    }
    asked.put(sums, {kValid, kValid, kValid});
    return no_bytes();
  };
  const auto called = function_of(worker_of(add));
  const ExternalResult result =
      evaluate(*called, *called->make_state(), {make_longs({1, 2, 3}), make_longs({10, 20, 30})}, kLong);
  EXPECT_EQ(show(*result.column), (Texts{"11", "22", "33"}));
  EXPECT_TRUE(result.error_codes.empty());
  EXPECT_GT(budget_->used_bytes(), 0);
}

TEST_F(JavaFunctionTest, HasNullsAndRowsThatFail) {
  const test::Answer answer = [](const std::vector<jlong>& numbers) {
    Asked(numbers).put<int64_t>({7, 0, 0}, {kValid, kNull, kFailed});
    return no_bytes();
  };
  const ExternalResult result = evaluate(answer, make_longs({1, 2, 3}), kLong);
  EXPECT_EQ(show(*result.column), (Texts{"7", "null", "null"}));
  EXPECT_EQ(result.error_codes, (std::vector<uint8_t>{0, 0, functions::kExternalError}));
  EXPECT_EQ(result.first_failure, kFirstFailure);
}

TEST_F(JavaFunctionTest, IsToldWhichRowsCount) {
  std::vector<uint8_t> told;
  const test::Answer answer = [&](const std::vector<jlong>& numbers) {
    const Asked asked(numbers);
    EXPECT_EQ(asked.num_rows, 10U);
    for (int64_t row = 0; row < 10; ++row) told.push_back(!asked.wanted || bits::get(asked.wanted, row) ? 1 : 0);
    asked.put(std::vector<int64_t>(10), std::vector<uint8_t>(10, kNull));
    return no_bytes();
  };
  const auto argument = make_longs(std::vector<std::optional<int64_t>>(10));
  const uint8_t wanted[] = {0b10000101, 0b10};
  evaluate(answer, argument, kLong, wanted);
  EXPECT_EQ(told, (std::vector<uint8_t>{1, 0, 1, 0, 0, 0, 0, 1, 0, 1}));
  told.clear();
  evaluate(answer, argument, kLong);
  EXPECT_EQ(told, std::vector<uint8_t>(10, 1));
}

TEST_F(JavaFunctionTest, GivesStringsShortAndLong) {
  const std::string text = "short" + std::string(100, 'x');
  const test::Answer answer = [&](const std::vector<jlong>& numbers) {
    Asked(numbers).put<int32_t>({0, 5, 5, 5, 105}, {kValid, kNull, kValid, kValid});
    return bytes(text + " and what follows them");
  };
  const ExternalResult result = evaluate(answer, make_longs({1, 2, 3, 4}), DataType(TypeId::String));
  EXPECT_EQ(show(*result.column), (Texts{"short", "null", "", std::string(100, 'x')}));
}

TEST_F(JavaFunctionTest, GivesDecimalsOfBothWidths) {
  const test::Answer narrow = [](const std::vector<jlong>& numbers) {
    Asked(numbers).put<int64_t>({12345, -1}, {kValid, kValid});
    return no_bytes();
  };
  const test::Answer wide = [](const std::vector<jlong>& numbers) {
    Asked(numbers).put<int128>({12345, -1}, {kValid, kValid});
    return no_bytes();
  };
  const auto argument = make_longs({1, 2});
  const Texts unscaled = {"12345", "-1"};
  EXPECT_EQ(show(*evaluate(narrow, argument, DataType::decimal(18, 2)).column), unscaled);
  EXPECT_EQ(show(*evaluate(wide, argument, DataType::decimal(19, 2)).column), unscaled);
}

TEST_F(JavaFunctionTest, GivesNestedValuesOfSparksOwnFormat) {
  const std::vector<int64_t> arrays = {2, 0, 5, 6, /* the next one */ 1, 1, 0};
  const test::Answer answer = [&](const std::vector<jlong>& numbers) {
    Asked(numbers).put<int32_t>({0, 32, 32, 56}, {kValid, kNull, kValid});
    return bytes({reinterpret_cast<const char*>(arrays.data()), arrays.size() * sizeof(int64_t)});
  };
  const ExternalResult result = evaluate(answer, make_longs({1, 2, 3}), DataType::array(kLong, true));
  EXPECT_EQ(show(*result.column), (Texts{"[5,6]", "null", "[null]"}));
}

TEST_F(JavaFunctionTest, IsNotCalledForNoRows) {
  const jobject thrown = throwing("java/lang/IllegalStateException", "called for nothing");
  const auto called = function_of(worker(thrown, thrown));
  const auto state = called->make_state();
  for (const DataType& type : {kLong, DataType(TypeId::String), DataType::array(kLong, true)}) {
    const ExternalResult result = evaluate(*called, *state, {make_longs({})}, type);
    EXPECT_EQ(result.column->length(), 0);
    EXPECT_EQ(result.column->type(), type);
    EXPECT_TRUE(result.error_codes.empty());
  }
}

TEST_F(JavaFunctionTest, HasAWorkerForEachState) {
  const auto giving = [](int64_t value) -> test::Answer {
    return [value](const std::vector<jlong>& numbers) {
      Asked(numbers).put<int64_t>({value}, {kValid});
      return no_bytes();
    };
  };
  const test::Answer one = giving(1);
  const test::Answer two = giving(2);
  const jobject workers = collection_of("java/util/ArrayDeque", {worker_of(one), worker_of(two)});
  const auto called = wrapped({function(0, bound(workers, "pop", "()Ljava/lang/Object;"))})->functions.at(0);
  const auto first = called->make_state();
  const auto second = called->make_state();
  const auto argument = make_longs({0});
  EXPECT_EQ(show(*evaluate(*called, *second, {argument}, kLong).column), Texts{"2"});
  EXPECT_EQ(show(*evaluate(*called, *first, {argument}, kLong).column), Texts{"1"});
}

TEST_F(JavaFunctionTest, TurnsExceptionsIntoErrors) {
  const jobject thrown = throwing("java/lang/IllegalStateException", "nobody reads");
  const std::string failure = "RESOURCE java.lang.IllegalStateException: nobody reads";
  const jobject reverting = throwing("io/accelerant/spark/RevertException", "no code");
  EXPECT_EQ(failure_of([&] { wrapped({function(0, reverting)})->functions.at(0)->make_state(); }),
            "UNSUPPORTED no code");
  for (const auto& called :
       {function_of(worker(thrown, constant(boxed(jint{0})))), function_of(worker(constant(nullptr), thrown))}) {
    const auto state = called->make_state();
    for (const DataType& type : {kLong, DataType(TypeId::String), DataType::array(kLong, true)}) {
      EXPECT_EQ(failure_of([&] { evaluate(*called, *state, {make_longs({1})}, type); }), failure);
      EXPECT_EQ(budget_->used_bytes(), 0);
    }
  }
}

}  // namespace
}  // namespace accelerant::jni
