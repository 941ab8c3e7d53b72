#include "jni/java_error.h"

#include "base/error.h"
#include "columns/arrow_abi.h"
#include "columns/test_columns.h"
#include "jni/java_string.h"
#include "jni/test_jvm.h"
#include "memory/memory_wait.h"
#include "operators/expression_error.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace accelerant::jni {
namespace {

class JavaErrorTest : public test::JvmTest {
 protected:
  /// Runs something that throws and takes what Java gets; nullptr: nothing.
  template <class Body>
  static jthrowable thrown_by(Body body) {
    guarded(env(), body);
    return take_exception();
  }
  static jfieldID field(jobject object, const char* name, const char* type) {
    return env()->GetFieldID(env()->GetObjectClass(object), name, type);
  }
  static jobject object_in(jobject error, const char* name, const char* type) {
    return env()->GetObjectField(error, field(error, name, type));
  }
  static std::string text_in(jobject error, const char* name) {
    return to_string(env(), static_cast<jstring>(object_in(error, name, "Ljava/lang/String;")));
  }
  static int int_in(jobject error, const char* name) { return env()->GetIntField(error, field(error, name, "I")); }
  static int64_t row_in(jobject error) { return env()->GetLongField(error, field(error, "row", "J")); }
  static std::string message_of(jobject error) {
    return to_string(env(), static_cast<jstring>(call(error, "getMessage", "()Ljava/lang/String;")));
  }
};

TEST_F(JavaErrorTest, SaysWhatOurErrorSays) {
  const jthrowable error = thrown_by([] {
    throw Error(ErrorKind::User, "divided by zero \U0001f600")
        .with_class("DIVIDE_BY_ZERO", {{"config", "\"ansi\""}, {"more", ""}})
        .at_plan_node(3)
        .at_expression(7);
  });
  ASSERT_TRUE(env()->IsInstanceOf(error, env()->FindClass("io/accelerant/spark/NativeError")));
  EXPECT_EQ(text_in(error, "kind"), "USER");
  EXPECT_EQ(text_in(error, "errorClass"), "DIVIDE_BY_ZERO");
  EXPECT_EQ(message_of(error), "divided by zero \U0001f600");
  EXPECT_EQ(int_in(error, "planNode"), 3);
  EXPECT_EQ(int_in(error, "expression"), 7);
  EXPECT_EQ(row_in(error), 0);
  EXPECT_EQ(int_in(error, "failure"), 0);
  const auto parameters = static_cast<jobjectArray>(object_in(error, "parameters", "[Ljava/lang/String;"));
  std::vector<std::string> texts;
  for (jsize i = 0; i < env()->GetArrayLength(parameters); ++i) {
    texts.push_back(to_string(env(), static_cast<jstring>(env()->GetObjectArrayElement(parameters, i))));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"config", "\"ansi\"", "more", ""}));
}

TEST_F(JavaErrorTest, HasTheRowThatFailed) {
  columns::RowError row_error{};
  row_error.code = 1;
  row_error.plan_node = 2;
  row_error.expression = 5;
  row_error.input = std::make_shared<const std::vector<columns::ColumnPtr>>(
      std::vector<columns::ColumnPtr>{columns::test::make_longs({42}), nullptr});
  row_error.input_attributes = {9, -1};
  const jthrowable error = thrown_by([&] { throw operators::ExpressionError(row_error); });
  auto* row = reinterpret_cast<ArrowArray*>(row_in(error));
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->length, 1);
  ASSERT_EQ(row->n_children, 2);
  EXPECT_EQ(static_cast<const int64_t*>(row->children[0]->buffers[1])[0], 42);
  EXPECT_EQ(row->children[1]->null_count, 1);
  const auto attributes = static_cast<jintArray>(object_in(error, "rowAttributes", "[I"));
  jint numbers[2];
  ASSERT_EQ(env()->GetArrayLength(attributes), 2);
  env()->GetIntArrayRegion(attributes, 0, 2, numbers);
  EXPECT_EQ(numbers[0], 9);
  EXPECT_EQ(numbers[1], -1);
  row->release(row);
  delete row;
}

TEST_F(JavaErrorTest, NamesTheKindOfAnyException) {
  const jthrowable no_memory = thrown_by([] { throw std::bad_alloc(); });
  EXPECT_EQ(text_in(no_memory, "kind"), "RESOURCE");
  const jthrowable waits = thrown_by([] { throw memory::MemoryWait(); });
  EXPECT_EQ(text_in(waits, "kind"), "RESOURCE");
  const jthrowable standard = thrown_by([] { throw std::runtime_error("no thread"); });
  EXPECT_EQ(text_in(standard, "kind"), "INTERNAL");
  EXPECT_EQ(message_of(standard), "no thread");
  const jthrowable other = thrown_by([] { throw 7; });
  EXPECT_EQ(text_in(other, "kind"), "INTERNAL");
}

TEST_F(JavaErrorTest, LeavesAJavaExceptionAsItIs) {
  const jthrowable error = thrown_by([] {
    throw_new("java/lang/IllegalStateException", "Java's own");
    throw Error(ErrorKind::Internal, "ours");
  });
  EXPECT_TRUE(env()->IsInstanceOf(error, env()->FindClass("java/lang/IllegalStateException")));
}

TEST_F(JavaErrorTest, GuardsResults) {
  EXPECT_EQ(guarded(env(), [] { return 5; }), 5);
  EXPECT_FALSE(env()->ExceptionCheck());
  EXPECT_EQ(guarded(env(), []() -> jlong { throw Error(ErrorKind::Cancelled, "stopped"); }), 0);
  EXPECT_EQ(text_in(take_exception(), "kind"), "CANCELLED");
}

}  // namespace
}  // namespace accelerant::jni
