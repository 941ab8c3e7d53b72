#include "jni/java_table.h"

#include "base/error.h"
#include "jni/java_string.h"

#include <pthread.h>
#include <string>
#include <utility>

namespace accelerant::jni {

namespace {

JavaVM* vm = nullptr;
jclass revert_class = nullptr;
jmethodID to_string_method = nullptr;
jmethodID get_message_method = nullptr;
jmethodID plan_node_method = nullptr;
jmethodID num_partitions_method = nullptr;
jmethodID num_rows_method = nullptr;
jmethodID open_method = nullptr;
jmethodID next_method = nullptr;
jmethodID close_method = nullptr;

/// Makes a native thread known to the JVM until the thread ends.
class Attachment {
 public:
  Attachment() {
    if (vm->GetEnv(reinterpret_cast<void**>(&env_), JNI_VERSION_10) == JNI_OK) return;
    char name[16] = "accelerant";
    pthread_getname_np(pthread_self(), name, sizeof name);
    JavaVMAttachArgs arguments{JNI_VERSION_10, name, nullptr};
    is_ours_ = vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env_), &arguments) == JNI_OK;
    if (!is_ours_) env_ = nullptr;
  }
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;
  ~Attachment() {
    if (is_ours_) vm->DetachCurrentThread();
  }

  JNIEnv* env() const { return env_; }

 private:
  JNIEnv* env_ = nullptr;
  bool is_ours_ = false;
};

/// The calling thread's way into the JVM, for one call: frees the references made on the way.
class Frame {
 public:
  Frame() : env_(attached_env()) {
    if (!env_ || env_->PushLocalFrame(16) != JNI_OK) throw Error(ErrorKind::Resource, "the JVM takes no more threads");
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  ~Frame() { env_->PopLocalFrame(nullptr); }

  JNIEnv* operator->() const { return env_; }

  /// Turns a pending Java exception into ours.
  void check() const {
    const jthrowable thrown = env_->ExceptionOccurred();
    if (!thrown) return;
    env_->ExceptionClear();
    const bool reverts = env_->IsInstanceOf(thrown, revert_class);
    const auto text =
        static_cast<jstring>(env_->CallObjectMethod(thrown, reverts ? get_message_method : to_string_method));
    env_->ExceptionClear();
    throw Error(reverts ? ErrorKind::Unsupported : ErrorKind::Resource,
                text ? to_string(env_, text) : "a Java exception without a message");
  }

 private:
  static JNIEnv* attached_env() {
    thread_local Attachment attachment;
    return attachment.env();
  }

  JNIEnv* const env_;
};

/// A reference that any thread may use.
class GlobalReference {
 public:
  GlobalReference(const Frame& frame, jobject object) : object_(frame->NewGlobalRef(object)) {
    if (!object_) throw Error(ErrorKind::Resource, "the JVM has no memory left");
  }
  GlobalReference(const GlobalReference&) = delete;
  GlobalReference& operator=(const GlobalReference&) = delete;
  ~GlobalReference() {
    try {
      Frame()->DeleteGlobalRef(object_);
    } catch (const Error&) {  // the JVM ends
    }
  }

  jobject get() const { return object_; }

 private:
  const jobject object_;
};

class JavaReader final : public io::ExternalReader {
 public:
  JavaReader(const Frame& frame, jobject reader) : reader_(frame, reader) {}
  JavaReader(const JavaReader&) = delete;
  JavaReader& operator=(const JavaReader&) = delete;
  ~JavaReader() override {
    try {
      const Frame frame;
      frame->CallVoidMethod(reader_.get(), close_method);
      frame->ExceptionClear();
    } catch (const Error&) {  // the JVM ends
    }
  }

  memory::BufferPtr next(const std::shared_ptr<memory::Budget>& budget) override {
    const Frame frame;
    const auto bytes = static_cast<jbyteArray>(frame->CallObjectMethod(reader_.get(), next_method));
    frame.check();
    if (!bytes) return nullptr;
    const jsize length = frame->GetArrayLength(bytes);
    auto buffer = memory::Buffer::allocate(length, budget);
    frame->GetByteArrayRegion(bytes, 0, length, buffer->mutable_as<jbyte>());
    return buffer;
  }

 private:
  const GlobalReference reader_;
};

class JavaTable final : public io::ExternalTable {
 public:
  JavaTable(const Frame& frame, jobject table)
      : table_(frame, table),
        num_partitions_(frame->CallIntMethod(table, num_partitions_method)),
        num_rows_(frame->CallLongMethod(table, num_rows_method)) {}

  int num_partitions() const override { return num_partitions_; }
  int64_t num_rows() const override { return num_rows_; }

  std::unique_ptr<io::ExternalReader> open(int partition) const override {
    const Frame frame;
    const jobject reader = frame->CallObjectMethod(table_.get(), open_method, static_cast<jint>(partition));
    frame.check();
    return std::make_unique<JavaReader>(frame, reader);
  }

 private:
  const GlobalReference table_;
  const int num_partitions_;
  const int64_t num_rows_;
};

}  // namespace

bool load_table_classes(JNIEnv* env) {
  const jclass object = env->FindClass("java/lang/Object");
  const jclass throwable = env->FindClass("java/lang/Throwable");
  const jclass revert = env->FindClass("io/accelerant/spark/RevertException");
  const jclass table = env->FindClass("io/accelerant/spark/ExternalTable");
  const jclass reader = env->FindClass("io/accelerant/spark/ExternalTable$Reader");
  if (env->GetJavaVM(&vm) != JNI_OK || !object || !throwable || !revert || !table || !reader) return false;
  revert_class = static_cast<jclass>(env->NewGlobalRef(revert));
  to_string_method = env->GetMethodID(object, "toString", "()Ljava/lang/String;");
  get_message_method = env->GetMethodID(throwable, "getMessage", "()Ljava/lang/String;");
  plan_node_method = env->GetMethodID(table, "planNode", "()I");
  num_partitions_method = env->GetMethodID(table, "numPartitions", "()I");
  num_rows_method = env->GetMethodID(table, "numRows", "()J");
  open_method = env->GetMethodID(table, "open", "(I)Lio/accelerant/spark/ExternalTable$Reader;");
  next_method = env->GetMethodID(reader, "next", "()[B");
  close_method = env->GetMethodID(reader, "close", "()V");
  return revert_class && !env->ExceptionCheck();
}

io::ExternalTables to_tables(JNIEnv* env, jobjectArray tables) {
  io::ExternalTables result;
  for (jsize i = 0; i < env->GetArrayLength(tables); ++i) {
    const Frame frame;
    const jobject table = frame->GetObjectArrayElement(tables, i);
    const jint plan_node = frame->CallIntMethod(table, plan_node_method);
    result.emplace(plan_node, std::make_shared<JavaTable>(frame, table));
    frame.check();
  }
  return result;
}

}  // namespace accelerant::jni
