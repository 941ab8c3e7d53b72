#pragma once

#include "operators/output_queue.h"
#include "runtime/shared_stages.h"
#include "runtime/stage_start.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

namespace accelerant::runtime {

/// The rows of one part of a query's result, in order, on their way to one consumer.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  /// @param shared the stages before the last one; nullptr if there are none
  Stream(std::shared_ptr<Query> query, std::shared_ptr<SharedStages> shared, int index, int count);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  void start();
  /// Waits for the next batch: no selection, no errors. Rethrows what the query failed with.
  operators::OutputQueue::Pop next(columns::Batch& out, std::chrono::milliseconds timeout);
  /// Makes a consumer that waits return early.
  void wake() { queue_->wake(); }
  /// Makes the consumer's next call throw Error{Cancelled} and stops this stream's work.
  void cancel();
  /// Stops this stream's work; nobody will ask for more.
  void close();

 private:
  void start_last_stage();
  /// Makes the pipeline of the last stage and starts it; what keeps it from that is what the consumer gets.
  /// @throws memory::MemoryWait having started nothing
  void make_last_stage();
  void stop(std::exception_ptr error);
  /// Says whether its consumer is at something else than waiting for rows, as long as there is one.
  void set_consuming(bool is_consuming);

  const std::shared_ptr<Query> query_;
  const int index_;
  const int count_;
  const std::shared_ptr<operators::OutputQueue> queue_;
  std::atomic<bool> is_consuming_{false};
  execution::Cancellation cancellation_;
  const std::shared_ptr<SharedStages> shared_;
  std::mutex mutex_;
  std::shared_ptr<SharedStages> joined_;  ///< what is still to be left when the stream stops
  std::shared_ptr<PipelineRun> run_;
  std::weak_ptr<StageStart> start_;
};

}  // namespace accelerant::runtime
