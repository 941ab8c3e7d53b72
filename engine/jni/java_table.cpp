#include "jni/java_table.h"

#include "base/error.h"
#include "jni/java_call.h"
#include "memory/memory_wait.h"

#include <optional>
#include <utility>

namespace accelerant::jni {

namespace {

jmethodID plan_node_method = nullptr;
jmethodID num_partitions_method = nullptr;
jmethodID num_rows_method = nullptr;
jmethodID open_method = nullptr;
jmethodID next_method = nullptr;
jmethodID close_method = nullptr;

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
    const jobjectArray parts = next_parts(frame);
    if (!parts) return nullptr;
    const auto part = [&](jsize i) { return static_cast<jbyteArray>(frame->GetObjectArrayElement(parts, i)); };
    const jsize num_parts = frame->GetArrayLength(parts);
    int64_t size = 0;
    for (jsize i = 0; i < num_parts; ++i) {
      const jbyteArray bytes = part(i);
      size += frame->GetArrayLength(bytes);
      frame->DeleteLocalRef(bytes);
    }
    const auto buffer = allocate(size, budget, frame, parts);
    auto* to = buffer->mutable_as<jbyte>();
    for (jsize i = 0; i < num_parts; ++i) {
      const jbyteArray bytes = part(i);
      const jsize length = frame->GetArrayLength(bytes);
      frame->GetByteArrayRegion(bytes, 0, length, to);
      to += length;
      frame->DeleteLocalRef(bytes);
    }
    waiting_.reset();
    return buffer;
  }

 private:
  /// Returns what waits for memory, or else asks for more.
  jobjectArray next_parts(const Frame& frame) const {
    if (waiting_) return static_cast<jobjectArray>(waiting_->get());
    const jobject parts = frame->CallObjectMethod(reader_.get(), next_method);
    frame.check();
    return static_cast<jobjectArray>(parts);
  }

  /// Makes room for parts, which are kept for the next call where it has to wait.
  std::shared_ptr<memory::Buffer> allocate(int64_t size, const std::shared_ptr<memory::Budget>& budget,
                                           const Frame& frame, jobjectArray parts) {
    try {
      return memory::Buffer::allocate(size, budget);
    } catch (const memory::MemoryWait&) {
      if (!waiting_) waiting_.emplace(frame, parts);
      throw;
    }
  }

  const GlobalReference reader_;
  std::optional<GlobalReference> waiting_;
};

class JavaTable final : public io::ExternalTable {
 public:
  JavaTable(const Frame& frame, jobject table, jint num_partitions, jlong num_rows)
      : table_(frame, table), num_partitions_(num_partitions), num_rows_(num_rows) {}

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
  const jclass table = env->FindClass("io/accelerant/spark/ExternalTable");
  const jclass reader = env->FindClass("io/accelerant/spark/ExternalTable$Reader");
  if (!table || !reader) return false;
  plan_node_method = env->GetMethodID(table, "planNode", "()I");
  num_partitions_method = env->GetMethodID(table, "numPartitions", "()I");
  num_rows_method = env->GetMethodID(table, "numRows", "()J");
  open_method = env->GetMethodID(table, "open", "(I)Lio/accelerant/spark/ExternalTable$Reader;");
  next_method = env->GetMethodID(reader, "next", "()[[B");
  close_method = env->GetMethodID(reader, "close", "()V");
  return !env->ExceptionCheck();
}

io::ExternalTables to_tables(JNIEnv* env, jobjectArray tables) {
  io::ExternalTables result;
  for (jsize i = 0; i < env->GetArrayLength(tables); ++i) {
    const Frame frame;
    const jobject table = frame->GetObjectArrayElement(tables, i);
    const jint plan_node = frame->CallIntMethod(table, plan_node_method);
    frame.check();
    const jint num_partitions = frame->CallIntMethod(table, num_partitions_method);
    frame.check();
    const jlong num_rows = frame->CallLongMethod(table, num_rows_method);
    frame.check();
    result.emplace(plan_node, std::make_shared<JavaTable>(frame, table, num_partitions, num_rows));
  }
  return result;
}

}  // namespace accelerant::jni
