// What tasks of Spark's call to compute rows for a query; the contract is in io.accelerant.spark.Native.

#include "jni/island_rows.h"

#include "base/error.h"
#include "columns/batch.h"
#include "jni/held_batch.h"
#include "jni/java_error.h"
#include "memory/buffer.h"
#include "memory/memory_wait.h"

#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::jni {

namespace {

using operators::IslandRows;

/// A claim and the query whose budget its rows are charged to.
struct ClaimHandle {
  std::shared_ptr<runtime::Query> query;
  runtime::IslandClaim claim;
};

ClaimHandle& claim_of(jlong handle) { return *reinterpret_cast<ClaimHandle*>(handle); }

jint to_java(IslandRows::Room room) {
  switch (room) {
    case IslandRows::Room::Free:
      return 0;
    case IslandRows::Room::Full:
      return 1;
    case IslandRows::Room::Unwanted:
      return 2;
  }
  return 2;
}

/// Hands rows over that `make` makes; what they can't be kept for is what the query fails with.
template <class Make>
void put(const runtime::IslandClaim& claim, const Make& make) {
  try {
    claim.rows->put(make());
  } catch (const Error&) {
    claim.rows->fail(std::current_exception());
  } catch (const memory::MemoryWait&) {
    claim.rows->fail(std::make_exception_ptr(memory::error_without_wait("a task that computes rows")));
  }
}

/// Copies the first bytes of an array.
memory::BufferPtr copy_of(JNIEnv* env, const ClaimHandle& handle, jbyteArray rows, jint length) {
  auto bytes = memory::Buffer::allocate(length, handle.query->budget());
  env->GetByteArrayRegion(rows, 0, length, bytes->mutable_as<jbyte>());
  return bytes;
}

void put_rows(JNIEnv* env, const ClaimHandle& handle, jbyteArray rows, jint length, jint num_rows) {
  put(handle.claim, [&] { return operators::IslandChunk{copy_of(env, handle, rows, length), num_rows}; });
}

/// Hands over rows of which the engine has the first columns.
void put_columns(JNIEnv* env, const ClaimHandle& handle, columns::Batch first_columns, jbyteArray others,
                 int64_t first) {
  put(handle.claim, [&] {
    auto bytes = copy_of(env, handle, others, env->GetArrayLength(others));
    const int64_t num_rows = first_columns.num_rows;
    return operators::IslandChunk{std::move(bytes), num_rows, std::move(first_columns), first};
  });
}

/// Returns some rows of the first columns that the engine holds.
columns::Batch held_columns(const ArrowArray& held, int64_t first, int64_t num_rows, jint num_columns) {
  columns::Batch rows = columns::slice(held_batch(held), first, num_rows);
  rows.columns.resize(static_cast<size_t>(num_columns));
  return rows;
}

/// Ends a claim whose rows were not all computed.
void give_up(const runtime::IslandClaim& claim) {
  if (!claim.rows->has_begun()) return claim.table->give_back(claim.rows);
  claim.rows->fail(std::make_exception_ptr(
      Error(ErrorKind::Cancelled, "the task that computed rows for the query has ended before it was through")));
}

}  // namespace

planner::Islands to_islands(JNIEnv* env, jlongArray islands) {
  planner::Islands result;
  std::vector<jlong> numbers(static_cast<size_t>(env->GetArrayLength(islands)));
  if (numbers.empty()) return result;
  env->GetLongArrayRegion(islands, 0, static_cast<jsize>(numbers.size()), numbers.data());
  result.bell = std::make_shared<operators::IslandBell>();
  for (size_t i = 0; i + 2 < numbers.size(); i += 3) {
    result.tables.emplace(
        static_cast<int>(numbers[i]),
        std::make_shared<operators::IslandTable>(static_cast<int>(numbers[i + 1]), numbers[i + 2], result.bell));
  }
  return result;
}

}  // namespace accelerant::jni

using namespace accelerant;
using accelerant::jni::guarded;

extern "C" {

JNIEXPORT jlongArray JNICALL Java_io_accelerant_spark_Native_claim(JNIEnv* env, jclass, jlong query, jint index,
                                                                   jint count) {
  return guarded(env, [&]() -> jlongArray {
    auto& owner = *reinterpret_cast<std::shared_ptr<runtime::Query>*>(query);
    const jlongArray answer = env->NewLongArray(3);
    if (!answer) return nullptr;  // with a Java exception: nothing is claimed that nobody would feed
    auto claim = owner->claim(index, count);
    if (!claim) return nullptr;
    const jlong plan_node = claim->plan_node;
    const jlong partition = claim->rows->partition();
    std::unique_ptr<jni::ClaimHandle> handle(new jni::ClaimHandle{owner, std::move(*claim)});
    const std::array<jlong, 3> numbers{reinterpret_cast<jlong>(handle.release()), plan_node, partition};
    env->SetLongArrayRegion(answer, 0, 3, numbers.data());
    return answer;
  });
}

JNIEXPORT jint JNICALL Java_io_accelerant_spark_Native_putRows(JNIEnv* env, jclass, jlong claim, jbyteArray rows,
                                                               jint length, jint num_rows) {
  return guarded(env, [&] {
    jni::put_rows(env, jni::claim_of(claim), rows, length, num_rows);
    return jni::to_java(jni::claim_of(claim).claim.rows->room());
  });
}

// Seven as Java declares them, and the JVM's own two. NOLINTNEXTLINE(readability-function-size)
JNIEXPORT jint JNICALL Java_io_accelerant_spark_Native_putColumns(JNIEnv* env, jclass, jlong claim, jlong batch,
                                                                  jint num_columns, jint offset, jint num_rows,
                                                                  jbyteArray others, jint first) {
  return guarded(env, [&] {
    const auto& held = *reinterpret_cast<const ArrowArray*>(batch);
    jni::put_columns(env, jni::claim_of(claim), jni::held_columns(held, offset, num_rows, num_columns), others, first);
    return jni::to_java(jni::claim_of(claim).claim.rows->room());
  });
}

JNIEXPORT jint JNICALL Java_io_accelerant_spark_Native_room(JNIEnv* env, jclass, jlong claim) {
  return guarded(env, [&] { return jni::to_java(jni::claim_of(claim).claim.rows->room()); });
}

JNIEXPORT void JNICALL Java_io_accelerant_spark_Native_endClaim(JNIEnv* env, jclass, jlong claim, jboolean complete) {
  guarded(env, [&] {
    const std::unique_ptr<jni::ClaimHandle> handle(&jni::claim_of(claim));
    complete ? handle->claim.rows->finish() : jni::give_up(handle->claim);
  });
}

JNIEXPORT jlong JNICALL Java_io_accelerant_spark_Native_awaitBell(JNIEnv* env, jclass, jlong query, jlong seen,
                                                                  jlong timeout_millis) {
  return guarded(env, [&] {
    const auto& bell = (*reinterpret_cast<std::shared_ptr<runtime::Query>*>(query))->island_bell();
    ACC_CHECK(bell);
    return static_cast<jlong>(bell->wait(static_cast<uint64_t>(seen), std::chrono::milliseconds(timeout_millis)));
  });
}

}  // extern "C"
