#include "jni/java_function.h"

#include "base/error.h"
#include "columns/arrow_c_data.h"
#include "columns/gather.h"
#include "columns/string_heap.h"
#include "execution/outside_call.h"
#include "expressions/external_function.h"
#include "functions/error_codes.h"
#include "io/spark_decimal.h"
#include "io/unsafe_values.h"
#include "jni/java_call.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace accelerant::jni {

namespace {

using columns::ColumnPtr;
using expressions::ExternalFunction;
using expressions::ExternalResult;
using types::PhysicalType;

jmethodID expression_method = nullptr;
jmethodID new_worker_method = nullptr;
jmethodID evaluate_method = nullptr;
jmethodID first_failure_method = nullptr;

/// What the JVM says of a row; io.accelerant.spark.BridgedLoop writes them.
enum RowStatus : uint8_t { kValid = 0, kNull = 1, kFailed = 2 };

struct Worker final : ExternalFunction::State {
  Worker(const Frame& frame, jobject object) : reference(frame, object) {}
  const GlobalReference reference;
};

/// An ArrowArray that goes with its scope.
struct ExportedRows {
  ExportedRows(const columns::Batch& batch, const std::shared_ptr<memory::Budget>& budget) {
    columns::export_batch(batch, budget, &array);
  }
  ExportedRows(const ExportedRows&) = delete;
  ExportedRows& operator=(const ExportedRows&) = delete;
  ~ExportedRows() { array.release(&array); }

  ArrowArray array;
};

/// One batch's way through a worker's code, in pieces that fit Arrow's layout.
class Evaluation {
 public:
  Evaluation(Worker& worker, const types::DataType& type, int64_t num_rows, const uint8_t* wanted,
             const std::shared_ptr<memory::Budget>& budget)
      : worker_(worker),
        wanted_(wanted),
        budget_(budget),
        num_rows_(num_rows),
        type_(type),
        builder_(type, io::spark_physical(type), num_rows, budget),
        is_string_(io::spark_physical(type) == PhysicalType::String),
        width_bytes_(types::width_of(io::spark_physical(type))),
        statuses_(memory::Buffer::allocate(std::max<int64_t>(num_rows, 1), budget)) {
    // Loops over booleans count on bytes of 0 and 1, and the JVM writes none for a null.
    if (io::spark_physical(type) == PhysicalType::Bool) {
      std::memset(builder_.values<uint8_t>(), 0, static_cast<size_t>(num_rows));
    }
  }

  /// Computes rows [first, first + batch.num_rows) from their arguments.
  void compute(const columns::Batch& batch, int64_t first) {
    if (!columns::fits_export(batch) && batch.num_rows > 1) {
      const int64_t half = batch.num_rows / 2;
      compute(slice(batch, 0, half), first);
      return compute(slice(batch, half, batch.num_rows - half), first + half);
    }
    const ExportedRows rows(batch, budget_);
    if (type_.is_nested()) {
      compute_nested(rows, batch.num_rows, first);
    } else if (is_string_) {
      compute_strings(rows, batch.num_rows, first);
    } else {
      compute_values(rows, batch.num_rows, first);
    }
  }

  ExternalResult finish() {
    const uint8_t* statuses = statuses_->data();
    ExternalResult result;
    if (std::any_of(statuses, statuses + num_rows_, [](uint8_t status) { return status != kValid; })) {
      uint8_t* validity = builder_.validity();  // of nested values their own bytes tell
      result.error_codes.assign(static_cast<size_t>(num_rows_), 0);
      for (int64_t row = 0; row < num_rows_; ++row) {
        if (statuses[row] != kValid) bits::clear(validity, row);
        if (statuses[row] == kFailed) result.error_codes[static_cast<size_t>(row)] = functions::kExternalError;
      }
    }
    result.first_failure = first_failure_;
    if (is_string_) builder_.set_heap(std::move(heap_));
    result.column = type_.is_nested() ? nested_column() : builder_.finish();
    return result;
  }

 private:
  ColumnPtr nested_column() const {
    return nested_.empty() ? columns::Column::nulls(type_, 0, budget_) : columns::concatenate(nested_, budget_);
  }

  jbyteArray call(const Frame& frame, const ExportedRows& rows, int64_t num_rows, int64_t first, void* values) {
    const execution::OutsideCall outside;
    const memory::BufferPtr wanted = shifted_wanted(num_rows, first);
    const auto bytes = static_cast<jbyteArray>(frame->CallObjectMethod(
        worker_.reference.get(), evaluate_method, reinterpret_cast<jlong>(&rows.array), static_cast<jint>(num_rows),
        reinterpret_cast<jlong>(wanted ? wanted->data() : nullptr), reinterpret_cast<jlong>(values),
        reinterpret_cast<jlong>(statuses_->mutable_data() + first)));
    frame.check();
    if (first_failure_ == 0) first_failure_ = frame->CallIntMethod(worker_.reference.get(), first_failure_method);
    frame.check();
    return bytes;
  }

  /// Returns the bitmap of the rows that count among those from `first` on; nullptr: all.
  memory::BufferPtr shifted_wanted(int64_t num_rows, int64_t first) const {
    if (!wanted_) return nullptr;
    auto shifted = memory::Buffer::allocate(bits::bytes_for(num_rows), budget_);
    bits::fill(shifted->mutable_data(), num_rows, false);
    for (int64_t row = 0; row < num_rows; ++row) {
      if (bits::get(wanted_, first + row)) bits::set(shifted->mutable_data(), row);
    }
    return shifted;
  }

  void compute_values(const ExportedRows& rows, int64_t num_rows, int64_t first) {
    const Frame frame;
    call(frame, rows, num_rows, first, builder_.values<uint8_t>() + first * width_bytes_);
  }

  /// Results that have bytes: row i's are those from `ends[i]` to `ends[i + 1]`.
  struct ResultBytes {
    memory::BufferPtr heap;
    memory::BufferPtr offsets;

    const int32_t* ends() const { return offsets->as<int32_t>(); }
    types::StringRef of(int64_t row) const { return {heap->as<char>() + ends()[row], ends()[row + 1] - ends()[row]}; }
  };

  ResultBytes compute_bytes(const ExportedRows& rows, int64_t num_rows, int64_t first) {
    const Frame frame;
    auto offsets = memory::Buffer::allocate((num_rows + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
    const jbyteArray bytes = call(frame, rows, num_rows, first, offsets->mutable_data());
    const jsize length = offsets->as<int32_t>()[num_rows];
    auto heap = memory::Buffer::allocate(std::max<int64_t>(length, 1), budget_);
    if (length > 0) frame->GetByteArrayRegion(bytes, 0, length, heap->mutable_as<jbyte>());
    return {std::move(heap), std::move(offsets)};
  }

  void compute_strings(const ExportedRows& rows, int64_t num_rows, int64_t first) {
    ResultBytes bytes = compute_bytes(rows, num_rows, first);
    auto* views = builder_.values<types::StringView>() + first;
    for (int64_t row = 0; row < num_rows; ++row) {
      const types::StringRef text = bytes.of(row);
      views[row] = text.length <= types::StringView::kMaxInlineBytes
                       ? types::inline_view(text)
                       : types::heap_view(text, static_cast<int32_t>(heap_.size()), bytes.ends()[row]);
    }
    heap_.push_back(std::move(bytes.heap));
  }

  void compute_nested(const ExportedRows& rows, int64_t num_rows, int64_t first) {
    const ResultBytes bytes = compute_bytes(rows, num_rows, first);
    io::UnsafeBodies bodies(num_rows, budget_);
    for (int64_t row = 0; row < num_rows; ++row) {
      bodies[row] = statuses_->data()[first + row] == kValid ? bytes.of(row) : types::StringRef{nullptr, 0};
    }
    nested_.push_back(io::read_unsafe_values(bodies, type_, bytes.heap, budget_));
  }

  Worker& worker_;
  const uint8_t* const wanted_;
  const std::shared_ptr<memory::Budget> budget_;
  const int64_t num_rows_;
  const types::DataType& type_;
  columns::FlatBuilder builder_;  ///< of results that are not nested
  const bool is_string_;
  const int64_t width_bytes_;
  const std::shared_ptr<memory::Buffer> statuses_;
  std::vector<memory::BufferPtr> heap_;
  std::vector<ColumnPtr> nested_;  ///< pieces of the results
  int32_t first_failure_ = 0;
};

/// What the JVM has for an expression.
class JavaFunction final : public ExternalFunction {
 public:
  JavaFunction(const Frame& frame, jobject function) : reference_(frame, function) {}

  std::string_view name() const override { return "a call of Spark's own code"; }

  std::unique_ptr<State> make_state() const override {
    const Frame frame;
    const jobject worker = frame->CallObjectMethod(reference_.get(), new_worker_method);
    frame.check();
    return std::make_unique<Worker>(frame, worker);
  }

  ExternalResult evaluate(State& state, std::span<const ColumnPtr> arguments, const types::DataType& result,
                          int64_t num_rows, const uint8_t* wanted,
                          const std::shared_ptr<memory::Budget>& budget) const override {
    columns::Batch batch;
    batch.columns.assign(arguments.begin(), arguments.end());
    batch.num_rows = num_rows;
    Evaluation evaluation(static_cast<Worker&>(state), result, num_rows, wanted, budget);
    if (num_rows > 0) evaluation.compute(batch, 0);
    return evaluation.finish();
  }

 private:
  const GlobalReference reference_;
};

}  // namespace

bool load_function_classes(JNIEnv* env) {
  const jclass function = env->FindClass("io/accelerant/spark/BridgedFunction");
  const jclass worker = env->FindClass("io/accelerant/spark/BridgedFunction$Worker");
  if (!function || !worker) return false;
  expression_method = env->GetMethodID(function, "expression", "()I");
  new_worker_method = env->GetMethodID(function, "newWorker", "()Lio/accelerant/spark/BridgedFunction$Worker;");
  evaluate_method = env->GetMethodID(worker, "evaluate", "(JIJJJ)[B");
  first_failure_method = env->GetMethodID(worker, "firstFailure", "()I");
  return !env->ExceptionCheck();
}

std::shared_ptr<const execution::Parameters> to_functions(JNIEnv* env, jobjectArray functions) {
  const jsize count = env->GetArrayLength(functions);
  if (count == 0) return nullptr;
  auto made = std::make_shared<execution::Parameters>();
  for (jsize i = 0; i < count; ++i) {
    const Frame frame;
    const jobject function = frame->GetObjectArrayElement(functions, i);
    const jint expression = frame->CallIntMethod(function, expression_method);
    frame.check();
    made->functions.emplace(expression, std::make_shared<const JavaFunction>(frame, function));
  }
  return made;
}

}  // namespace accelerant::jni
