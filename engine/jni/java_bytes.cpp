#include "jni/java_bytes.h"

#include "base/error.h"

#include <climits>

namespace accelerant::jni {

namespace {

/// The bytes of an array that the collector leaves where they are meanwhile. No call into the JVM until it is gone.
class PinnedBytes {
 public:
  PinnedBytes(JNIEnv* env, jbyteArray array)
      : env_(env), array_(array), bytes_(env->GetPrimitiveArrayCritical(array, nullptr)) {}
  PinnedBytes(const PinnedBytes&) = delete;
  PinnedBytes& operator=(const PinnedBytes&) = delete;
  ~PinnedBytes() {
    if (bytes_) env_->ReleasePrimitiveArrayCritical(array_, bytes_, 0);
  }

  /// Returns nullptr when the JVM has no memory, with an exception pending.
  uint8_t* get() const { return static_cast<uint8_t*>(bytes_); }

 private:
  JNIEnv* const env_;
  const jbyteArray array_;
  void* const bytes_;
};

jbyteArray to_java(JNIEnv* env, const io::ArrowMessage& message) {
  const int64_t size = message.size_bytes();
  if (size > INT32_MAX) {
    throw Error(ErrorKind::Resource,
                "rows take " + std::to_string(size) +
                    " bytes in one Arrow batch, more than 2 GiB: lower spark.sql.execution.arrow.maxRecordsPerBatch");
  }
  const jbyteArray array = env->NewByteArray(static_cast<jsize>(size));
  if (!array) return nullptr;
  const PinnedBytes bytes(env, array);
  if (!bytes.get()) return nullptr;
  message.write(bytes.get());
  return array;
}

}  // namespace

std::vector<uint8_t> to_bytes(JNIEnv* env, jbyteArray array) {
  std::vector<uint8_t> bytes(static_cast<size_t>(env->GetArrayLength(array)));
  env->GetByteArrayRegion(array, 0, static_cast<jsize>(bytes.size()), reinterpret_cast<jbyte*>(bytes.data()));
  return bytes;
}

std::optional<std::vector<uint8_t>> supplied_bytes(JNIEnv* env, jobject supplier) {
  const jclass type = env->GetObjectClass(supplier);
  const jmethodID get = env->GetMethodID(type, "get", "()Ljava/lang/Object;");
  const auto bytes = get ? static_cast<jbyteArray>(env->CallObjectMethod(supplier, get)) : nullptr;
  if (env->ExceptionCheck()) {
    env->ExceptionClear();
    return std::nullopt;
  }
  return to_bytes(env, bytes);
}

jobjectArray to_java(JNIEnv* env, const std::vector<io::ArrowMessage>& messages) {
  const auto count = static_cast<jsize>(messages.size());
  const jobjectArray arrays = env->NewObjectArray(count, env->FindClass("[B"), nullptr);
  for (jsize i = 0; arrays && i < count; ++i) {
    const jbyteArray array = to_java(env, messages[static_cast<size_t>(i)]);
    if (!array) return nullptr;
    env->SetObjectArrayElement(arrays, i, array);
    env->DeleteLocalRef(array);
  }
  return arrays;
}

}  // namespace accelerant::jni
