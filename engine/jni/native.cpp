// Entry points of io.accelerant.spark.Native; the contract is written there.

#include "aggregates/registry.h"
#include "api/engine.h"
#include "api/write_capture.h"
#include "base/error.h"
#include "base/notices.h"
#include "columns/arrow_c_data.h"
#include "io/arrow_messages.h"
#include "io/cached_batch_writer.h"
#include "jni/held_batch.h"
#include "jni/island_rows.h"
#include "jni/java_bytes.h"
#include "jni/java_call.h"
#include "jni/java_error.h"
#include "jni/java_function.h"
#include "jni/java_string.h"
#include "jni/java_table.h"
#include "operators/group_begins.h"
#include "runtime/clustered_stream.h"
#include "runtime/process.h"

#include <jni.h>

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::jni {

namespace {

using PreparedHandle = std::shared_ptr<runtime::PreparedQuery>;
using QueryHandle = std::shared_ptr<runtime::Query>;

/// Rows of equal keys on their way to Python.
struct SentGroups {
  SentGroups(std::vector<uint8_t> schema, const types::DataType& sent, std::vector<int> keys,
             const std::shared_ptr<memory::Budget>& budget)
      : most_rows(rows_of_a_call(sent)), begins(std::move(keys), budget), messages(std::move(schema), sent, budget) {}

  /// Returns how many rows may be a group each, so that their messages have some MB together.
  static int64_t rows_of_a_call(const types::DataType& sent) {
    constexpr int64_t kMostBytes = int64_t{4} << 20;
    constexpr int64_t kGroupBytes = 256;
    constexpr int64_t kColumnBytes = 128;
    constexpr int64_t kLeast = 64;
    return std::max(kLeast, kMostBytes / (kGroupBytes + kColumnBytes * std::ssize(sent.fields())));
  }

  int64_t most_rows;  ///< of a batch
  operators::GroupBegins begins;
  io::ArrowGroupWriter messages;
};

/// A stream of a query with batches that were too large for one Arrow array.
struct StreamHandle {
  QueryHandle query;
  std::shared_ptr<runtime::Stream> stream;
  std::deque<columns::Batch> pending;
  std::optional<io::ArrowMessageWriter> messages;
  std::optional<std::vector<int>> sent;               ///< the columns of messages; the batches stay in the engine then
  std::optional<SentGroups> groups;                   ///< where messages are of groups
  std::optional<io::CachedBatchWriter> cached;        ///< where they are batches for a cache of Spark's
  std::optional<runtime::ClusteredStream> clustered;  ///< of rows for files in several folders, or of buckets
};

runtime::PreparedQuery& prepared_of(jlong handle) { return **reinterpret_cast<PreparedHandle*>(handle); }

runtime::Query& query_of(jlong handle) { return **reinterpret_cast<QueryHandle*>(handle); }

/// Takes the next batch that fits one Arrow array, and of groups one call's messages, out of what is pending.
columns::Batch take_pending(StreamHandle& handle) {
  columns::Batch batch = std::move(handle.pending.front());
  handle.pending.pop_front();
  const int64_t most_rows = handle.groups ? handle.groups->most_rows : batch.num_rows;
  while ((batch.num_rows > most_rows || !columns::fits_export(batch)) && batch.num_rows > 1) {
    const int64_t half = batch.num_rows / 2;
    handle.pending.push_front(slice(batch, half, batch.num_rows - half));
    batch = slice(batch, 0, half);
  }
  return batch;
}

jlong next_batch(StreamHandle& handle, std::chrono::milliseconds timeout) {
  if (handle.pending.empty()) {
    columns::Batch batch;
    switch (handle.clustered ? handle.clustered->next(batch, timeout) : handle.stream->next(batch, timeout)) {
      case operators::OutputQueue::Pop::End:
        return 0;
      case operators::OutputQueue::Pop::TimedOut:
        runtime::scheduler().replace_absent();
        return -1;
      case operators::OutputQueue::Pop::Batch:
        handle.pending.push_back(std::move(batch));
    }
  }
  auto array = std::make_unique<ArrowArray>();
  if (handle.query->plan().write_format) {
    const std::vector<int> shown = handle.query->plan().files.unwritten();
    jni::hold_batch(take_pending(handle), shown, handle.query->budget(), array.get());
  } else if (handle.sent) {
    jni::hold_batch(take_pending(handle), {}, handle.query->budget(), array.get());
  } else {
    columns::export_batch(take_pending(handle), handle.query->budget(), array.get());
  }
  return reinterpret_cast<jlong>(array.release());
}

types::DataType row_type(const StreamHandle& handle) {
  std::vector<types::Field> columns;
  for (const auto& column : handle.query->plan().root->output) {
    columns.push_back({column.name, column.type, column.nullable});
  }
  return types::DataType::structure(std::move(columns));
}

void use_arrow_schema(StreamHandle& handle, const std::vector<uint8_t>& schema) {
  handle.messages.emplace(schema, row_type(handle), handle.query->budget());
}

types::DataType sent_type(const StreamHandle& handle, std::span<const int> sent) {
  const types::DataType rows = row_type(handle);
  std::vector<types::Field> columns;
  for (const int column : sent) columns.push_back(rows.fields()[static_cast<size_t>(column)]);
  return types::DataType::structure(std::move(columns));
}

void hold_batches(StreamHandle& handle, const std::vector<uint8_t>& schema, std::vector<int> sent) {
  handle.messages.emplace(schema, sent_type(handle, sent), handle.query->budget());
  handle.sent = std::move(sent);
}

void hold_groups(StreamHandle& handle, std::vector<uint8_t> schema, std::vector<int> sent, std::vector<int> keys) {
  handle.groups.emplace(std::move(schema), sent_type(handle, sent), std::move(keys), handle.query->budget());
  handle.sent = std::move(sent);
}

/// Arrays that nobody else has taken over.
class ExportedBatches {
 public:
  ExportedBatches(std::span<ArrowArray* const> held, std::span<const int> columns) : arrays_(held.size()) {
    for (size_t i = 0; i < held.size(); ++i) jni::export_held(*held[i], columns, &arrays_[i]);
  }
  ExportedBatches(const ExportedBatches&) = delete;
  ExportedBatches& operator=(const ExportedBatches&) = delete;
  ~ExportedBatches() {
    for (ArrowArray& array : arrays_) {
      if (array.release) array.release(&array);
    }
  }

  std::vector<ArrowArray*> addresses() {
    std::vector<ArrowArray*> addresses;
    for (ArrowArray& array : arrays_) addresses.push_back(&array);
    return addresses;
  }

 private:
  std::vector<ArrowArray> arrays_;
};

std::vector<io::ArrowMessage> write_groups(StreamHandle& handle, std::span<ArrowArray* const> batches,
                                           io::MessageLimits limits) {
  SentGroups& groups = *handle.groups;
  if (batches.empty()) return groups.messages.finish(limits);
  std::vector<io::ArrowMessage> messages;
  for (ArrowArray* const batch : batches) {
    const std::vector<int64_t> begins = groups.begins.find(jni::held_batch(*batch).columns, batch->length);
    ExportedBatches exported({&batch, 1}, *handle.sent);
    std::ranges::move(groups.messages.write(exported.addresses().front(), begins, limits),
                      std::back_inserter(messages));
  }
  return messages;
}

void hold_for_cache(StreamHandle& handle, bool is_compressed) {
  handle.cached.emplace(row_type(handle), is_compressed, handle.query->budget());
  handle.sent.emplace();
}

std::vector<io::ArrowMessage> write_cached(io::CachedBatchWriter& writer, std::span<ArrowArray* const> batches,
                                           io::MessageLimits limits) {
  std::vector<io::ArrowMessage> messages;
  const auto add = [&](std::vector<io::CachedBatchWriter::Bytes> cached) {
    for (auto& bytes : cached) messages.emplace_back().set_before(std::move(bytes));
  };
  for (const ArrowArray* const batch : batches) add(writer.write(jni::held_batch(*batch), limits));
  if (batches.empty()) add(writer.finish());
  return messages;
}

std::vector<io::ArrowMessage> write_messages(StreamHandle& handle, std::span<ArrowArray* const> batches,
                                             io::MessageLimits limits) {
  if (handle.groups) return write_groups(handle, batches, limits);
  if (handle.cached) return write_cached(*handle.cached, batches, limits);
  ACC_CHECK(handle.messages);
  if (!handle.sent) return handle.messages->write(batches, limits);
  return handle.messages->write(ExportedBatches(batches, *handle.sent).addresses(), limits);
}

std::vector<int> to_ints(JNIEnv* env, jintArray numbers) {
  std::vector<int> copied(static_cast<size_t>(env->GetArrayLength(numbers)));
  env->GetIntArrayRegion(numbers, 0, static_cast<jsize>(copied.size()), copied.data());
  return copied;
}

std::vector<ArrowArray*> to_batches(JNIEnv* env, jlongArray addresses) {
  std::vector<jlong> numbers(static_cast<size_t>(env->GetArrayLength(addresses)));
  env->GetLongArrayRegion(addresses, 0, static_cast<jsize>(numbers.size()), numbers.data());
  std::vector<ArrowArray*> batches;
  for (const jlong address : numbers) batches.push_back(reinterpret_cast<ArrowArray*>(address));
  return batches;
}

}  // namespace

}  // namespace accelerant::jni

using namespace accelerant;
using accelerant::jni::guarded;

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  JNIEnv* env = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  const bool loaded = jni::load_error_class(env) && jni::load_call_classes(env) && jni::load_table_classes(env) &&
                      jni::load_function_classes(env);
  return loaded ? JNI_VERSION_10 : JNI_ERR;
}

JNIEXPORT jstring JNICALL Java_io_accelerant_spark_Native_version(JNIEnv* env, jclass) {
  return guarded(env, [&] { return jni::to_java(env, api::version()); });
}

JNIEXPORT jstring JNICALL Java_io_accelerant_spark_Native_aggregates(JNIEnv* env, jclass) {
  return guarded(env, [&] {
    std::string classes;
    for (const auto* function : aggregates::all_functions()) {
      classes.append(function->description->spark_class).append("\n");
    }
    return jni::to_java(env, classes);
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_configure(JNIEnv* env, jclass, jstring settings) {
  guarded(env, [&] { api::configure(jni::to_string(env, settings)); });
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_prepareQuery(JNIEnv* env, jclass, jbyteArray plan) {
  return guarded(
      env, [&] { return reinterpret_cast<jlong>(new jni::PreparedHandle(api::prepare(jni::to_bytes(env, plan)))); });
}

JNIEXPORT jstring JNICALL Java_io_accelerant_spark_Native_verdict(JNIEnv* env, jclass, jlong prepared, jstring options,
                                                                  jobject splits) {
  return guarded(env, [&] {
    return jni::to_java(env, api::verdict_of(jni::prepared_of(prepared), jni::to_string(env, options),
                                             [&] { return jni::supplied_bytes(env, splits); }));
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_closePrepared(JNIEnv*, jclass, jlong prepared) {
  delete reinterpret_cast<jni::PreparedHandle*>(prepared);
}

JNIEXPORT jlongArray JNICALL Java_io_accelerant_spark_Native_preparations(JNIEnv* env, jclass) {
  return guarded(env, [&] {
    const runtime::PreparationCounts counts = runtime::preparation_counts();
    const std::array<jlong, 4> values = {counts.bound, counts.opened, counts.nanos, counts.bytes};
    const jlongArray array = env->NewLongArray(static_cast<jsize>(values.size()));
    if (array) env->SetLongArrayRegion(array, 0, static_cast<jsize>(values.size()), values.data());
    return array;
  });
}

// Six as Java declares them, and the JVM's own two. NOLINTNEXTLINE(readability-function-size)
JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_openQuery(JNIEnv* env, jclass, jlong prepared,
                                                                  jbyteArray splits, jobjectArray tables,
                                                                  jobjectArray functions, jlongArray islands,
                                                                  jstring options) {
  return guarded(env, [&] {
    const std::vector<uint8_t> files = jni::to_bytes(env, splits);
    auto query = api::open_query(
        jni::prepared_of(prepared),
        {files, jni::to_tables(env, tables), jni::to_functions(env, functions), jni::to_islands(env, islands)},
        jni::to_string(env, options));
    return reinterpret_cast<jlong>(new jni::QueryHandle(std::move(query)));
  });
}

JNIEXPORT jint JNICALL Java_io_accelerant_spark_Native_partitions(JNIEnv* env, jclass, jlong query, jint wanted) {
  return guarded(env, [&] { return static_cast<jint>(jni::query_of(query).partitions(wanted)); });
}

JNIEXPORT jboolean JNICALL Java_io_accelerant_spark_Native_prepare(JNIEnv* env, jclass, jlong query, jint count,
                                                                   jlong timeout_millis) {
  return guarded(env, [&] {
    return static_cast<jboolean>(jni::query_of(query).prepare(count, std::chrono::milliseconds(timeout_millis)));
  });
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_openStream(JNIEnv* env, jclass, jlong query, jint index,
                                                                   jint count) {
  return guarded(env, [&] {
    auto handle = std::make_unique<jni::StreamHandle>();
    handle->query = *reinterpret_cast<jni::QueryHandle*>(query);
    handle->stream = handle->query->open_stream(index, count);
    if (handle->query->plan().files.is_clustered()) {
      handle->clustered.emplace(*handle->query, handle->stream, count);
    }
    return reinterpret_cast<jlong>(handle.release());
  });
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_nextBatch(JNIEnv* env, jclass, jlong stream,
                                                                  jlong timeout_millis) {
  return guarded(env, [&] {
    return jni::next_batch(*reinterpret_cast<jni::StreamHandle*>(stream), std::chrono::milliseconds(timeout_millis));
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_useArrowSchema(JNIEnv* env, jclass, jlong stream,
                                                                      jbyteArray schema) {
  guarded(env,
          [&] { jni::use_arrow_schema(*reinterpret_cast<jni::StreamHandle*>(stream), jni::to_bytes(env, schema)); });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_holdBatches(JNIEnv* env, jclass, jlong stream, jbyteArray schema,
                                                                   jintArray columns) {
  guarded(env, [&] {
    auto& handle = *reinterpret_cast<jni::StreamHandle*>(stream);
    jni::hold_batches(handle, jni::to_bytes(env, schema), jni::to_ints(env, columns));
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_holdGroups(JNIEnv* env, jclass, jlong stream, jbyteArray schema,
                                                                  jintArray columns, jintArray keys) {
  guarded(env, [&] {
    auto& handle = *reinterpret_cast<jni::StreamHandle*>(stream);
    jni::hold_groups(handle, jni::to_bytes(env, schema), jni::to_ints(env, columns), jni::to_ints(env, keys));
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_holdForCache(JNIEnv* env, jclass, jlong stream,
                                                                    jboolean compressed) {
  guarded(env, [&] { jni::hold_for_cache(*reinterpret_cast<jni::StreamHandle*>(stream), compressed == JNI_TRUE); });
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_heldBytes(JNIEnv*, jclass, jlong batch) {
  jlong bytes = 0;
  for (const auto& column : jni::held_batch(*reinterpret_cast<const ArrowArray*>(batch)).columns) {
    bytes += column->memory_bytes();
  }
  return bytes;
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_showBatch(JNIEnv* env, jclass, jlong batch, jint num_columns) {
  return guarded(env, [&] {
    std::vector<int> columns(static_cast<size_t>(num_columns));
    std::iota(columns.begin(), columns.end(), 0);
    auto array = std::make_unique<ArrowArray>();
    jni::export_held(*reinterpret_cast<const ArrowArray*>(batch), columns, array.get());
    return reinterpret_cast<jlong>(array.release());
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_accelerant_spark_Native_arrowMessages(JNIEnv* env, jclass, jlong stream,
                                                                             jlongArray batches, jlong max_rows,
                                                                             jlong max_bytes) {
  return guarded(env, [&] {
    auto& handle = *reinterpret_cast<jni::StreamHandle*>(stream);
    return jni::to_java(env, jni::write_messages(handle, jni::to_batches(env, batches), {max_rows, max_bytes}));
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_releaseBatch(JNIEnv*, jclass, jlong batch) {
  const std::unique_ptr<ArrowArray> array(reinterpret_cast<ArrowArray*>(batch));
  if (array && array->release) array->release(array.get());
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_closeStream(JNIEnv* env, jclass, jlong stream) {
  guarded(env, [&] {
    const std::unique_ptr<jni::StreamHandle> handle(reinterpret_cast<jni::StreamHandle*>(stream));
    handle->stream->close();
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_writeCapture(JNIEnv* env, jclass, jstring folder,
                                                                    jstring execution, jbyteArray plan,
                                                                    jbyteArray splits, jobjectArray texts) {
  guarded(env, [&] {
    const auto text = [&](jsize i) {
      return jni::to_string(env, static_cast<jstring>(env->GetObjectArrayElement(texts, i)));
    };
    const std::vector<uint8_t> plan_bytes = jni::to_bytes(env, plan);
    const std::vector<uint8_t> splits_bytes = jni::to_bytes(env, splits);
    api::write_capture(jni::to_string(env, folder), jni::to_string(env, execution),
                       {plan_bytes, splits_bytes, text(0), text(1), text(2)});
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_checkWrite(JNIEnv* env, jclass, jlong prepared, jbyteArray write,
                                                                  jstring folder) {
  guarded(env, [&] {
    api::check_write(jni::prepared_of(prepared), jni::to_bytes(env, write), jni::to_string(env, folder));
  });
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_openWriter(JNIEnv* env, jclass, jlong query, jbyteArray write,
                                                                   jstring uri) {
  return guarded(env, [&] {
    auto writer = api::open_writer(jni::query_of(query), jni::to_bytes(env, write), jni::to_string(env, uri));
    return reinterpret_cast<jlong>(writer.release());
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_writeRows(JNIEnv* env, jclass, jlong writer, jlong batch,
                                                                 jint offset, jint count) {
  guarded(env, [&] {
    const columns::Batch& rows = jni::held_batch(*reinterpret_cast<const ArrowArray*>(batch));
    reinterpret_cast<io::FileWriter*>(writer)->write(rows, offset, count);
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_closeWriter(JNIEnv* env, jclass, jlong writer) {
  guarded(env, [&] {
    const std::unique_ptr<io::FileWriter> file(reinterpret_cast<io::FileWriter*>(writer));
    file->close();
  });
}

JNIEXPORT jlongArray JNICALL Java_io_accelerant_spark_Native_metrics(JNIEnv* env, jclass, jlong query) {
  return guarded(env, [&] {
    const auto counters = jni::query_of(query).nodes().read();
    const jlongArray array = env->NewLongArray(static_cast<jsize>(counters.size()));
    if (array) env->SetLongArrayRegion(array, 0, static_cast<jsize>(counters.size()), counters.data());
    return array;
  });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_cancel(JNIEnv* env, jclass, jlong query) {
  guarded(env, [&] { jni::query_of(query).cancel(); });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_closeQuery(JNIEnv* env, jclass, jlong query) {
  guarded(env, [&] {
    const std::unique_ptr<jni::QueryHandle> handle(reinterpret_cast<jni::QueryHandle*>(query));
    (*handle)->cancel();
  });
}

JNIEXPORT jobjectArray JNICALL Java_io_accelerant_spark_Native_takeNotices(JNIEnv* env, jclass) {
  return guarded(env, [&] { return jni::to_java(env, take_notices()); });
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_usedBytes(JNIEnv*, jclass) { return api::used_bytes(); }

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_shutdown(JNIEnv* env, jclass) {
  guarded(env, [&] { api::shut_down(); });
}

}  // extern "C"
