#include "jni/java_error.h"

#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "jni/java_string.h"
#include "memory/memory_wait.h"
#include "operators/expression_error.h"

#include <new>
#include <string>
#include <vector>

namespace accelerant::jni {

namespace {

jclass error_class = nullptr;
jclass string_class = nullptr;
jmethodID error_constructor = nullptr;

jclass find_global(JNIEnv* env, const char* name) {
  const jclass local = env->FindClass(name);
  return local ? static_cast<jclass>(env->NewGlobalRef(local)) : nullptr;
}

/// Exports an error's input row; columns that were not read are null. Returns 0 when there is no row.
jlong export_row(const operators::ExpressionError& error) {
  if (!error.input_row()) return 0;
  const auto budget = std::make_shared<memory::Budget>("error row", memory::Budget::kUnlimited);
  columns::Batch row;
  row.num_rows = 1;
  for (const auto& column : *error.input_row()) {
    row.columns.push_back(column ? column : columns::Column::nulls(types::DataType(types::TypeId::Int), 1, budget));
  }
  auto array = std::make_unique<ArrowArray>();
  columns::export_batch(row, budget, array.get());
  return reinterpret_cast<jlong>(array.release());
}

jintArray to_java_array(JNIEnv* env, const std::vector<int>& numbers) {
  const jintArray array = env->NewIntArray(static_cast<jsize>(numbers.size()));
  if (array) env->SetIntArrayRegion(array, 0, static_cast<jsize>(numbers.size()), numbers.data());
  return array;
}

void throw_error(JNIEnv* env, const Error& error, jlong row, const std::vector<int>& row_attributes = {},
                 int failure = 0) {
  const auto& parameters = error.parameters();
  const jobjectArray java_parameters =
      env->NewObjectArray(static_cast<jsize>(parameters.size() * 2), string_class, nullptr);
  if (!java_parameters) return;
  for (size_t i = 0; i < parameters.size(); ++i) {
    env->SetObjectArrayElement(java_parameters, static_cast<jsize>(2 * i), to_java(env, parameters[i].first));
    env->SetObjectArrayElement(java_parameters, static_cast<jsize>(2 * i + 1), to_java(env, parameters[i].second));
  }
  const auto exception = static_cast<jthrowable>(env->NewObject(
      error_class, error_constructor, to_java(env, to_string(error.kind())), to_java(env, error.error_class()),
      to_java(env, error.message()), java_parameters, static_cast<jint>(error.plan_node()),
      static_cast<jint>(error.expression()), row, to_java_array(env, row_attributes), static_cast<jint>(failure)));
  if (exception) env->Throw(exception);
}

}  // namespace

bool load_error_class(JNIEnv* env) {
  string_class = find_global(env, "java/lang/String");
  error_class = find_global(env, "io/accelerant/spark/NativeError");
  if (!string_class || !error_class) return false;
  error_constructor = env->GetMethodID(
      error_class, "<init>", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;IIJ[II)V");
  return error_constructor != nullptr;
}

namespace {

void throw_as_java(JNIEnv* env) {
  try {
    throw;
  } catch (const operators::ExpressionError& error) {
    throw_error(env, error, export_row(error), error.input_attributes(), error.failure());
  } catch (const Error& error) {
    throw_error(env, error, 0);
  } catch (const memory::MemoryWait&) {
    throw_error(env, memory::error_without_wait("a thread of the JVM"), 0);
  } catch (const std::bad_alloc&) {
    throw_error(env, Error(ErrorKind::Resource, "the system has no memory left"), 0);
  } catch (const std::exception& error) {
    throw_error(env, Error(ErrorKind::Internal, error.what()), 0);
  } catch (...) {
    throw_error(env, Error(ErrorKind::Internal, "an exception of unknown type"), 0);
  }
}

}  // namespace

void throw_current(JNIEnv* env) noexcept {
  if (env->ExceptionCheck()) return;
  try {
    throw_as_java(env);
  } catch (...) {
    const jclass out_of_memory = env->ExceptionCheck() ? nullptr : env->FindClass("java/lang/OutOfMemoryError");
    if (out_of_memory) env->ThrowNew(out_of_memory, "the engine has no memory left to say what failed");
  }
}

}  // namespace accelerant::jni
