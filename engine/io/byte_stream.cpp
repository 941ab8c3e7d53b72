#include "io/byte_stream.h"

#include "io/file_errors.h"
#include "io/local_file.h"
#include "memory/buffer.h"

#include <arrow/util/compression.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::io {

namespace {

class FileBytes final : public ByteStream {
 public:
  FileBytes(const std::string& uri, int64_t start) : file_(uri), position_(start), size_(file_.identity().size_bytes) {}

  int64_t read(int64_t num_bytes, uint8_t* to) override {
    const int64_t count = std::min(num_bytes, size_ - position_);
    if (count <= 0) return 0;
    file_.read(position_, count, to);
    position_ += count;
    return count;
  }

  int64_t most_bytes() const override { return std::max<int64_t>(size_ - position_, 0); }

 private:
  const LocalFile file_;
  int64_t position_;
  const int64_t size_;
};

/// Decompresses a gzip file, which may be several, one behind the other.
class GzipBytes final : public ByteStream {
 public:
  GzipBytes(const std::string& uri, const std::shared_ptr<memory::Budget>& budget)
      : uri_(uri), file_(uri, 0), input_(memory::Buffer::allocate(kInputBytes, budget)) {
    codec_ = value_of(arrow::util::Codec::Create(arrow::Compression::GZIP));
    decompressor_ = value_of(codec_->MakeDecompressor());
  }

  int64_t read(int64_t num_bytes, uint8_t* to) override {
    while (fill()) {
      if (decompressor_->IsFinished()) check(decompressor_->Reset());
      const auto done = value_of(decompressor_->Decompress(end_ - begin_, input_->data() + begin_, num_bytes, to));
      begin_ += done.bytes_read;
      is_within_ = !decompressor_->IsFinished();
      if (done.bytes_written > 0) return done.bytes_written;
      if (done.bytes_read == 0 && done.need_more_output) fail("its blocks are too large");
      if (done.bytes_read == 0 && is_within_ && !fill_behind()) break;
    }
    if (is_within_) fail("it is cut off");
    has_ended_ = true;
    return 0;
  }

  int64_t most_bytes() const override { return has_ended_ ? 0 : std::numeric_limits<int64_t>::max(); }

 private:
  static constexpr int64_t kInputBytes = 128 * 1024;

  /// Says whether compressed bytes are at hand, or may be all the decompressor lacks.
  bool fill() {
    if (begin_ < end_) return true;
    begin_ = 0;
    end_ = file_.read(kInputBytes, input_->mutable_data());
    return end_ > 0;
  }

  /// Puts more behind what the decompressor can make nothing of by itself.
  bool fill_behind() {
    std::copy(input_->data() + begin_, input_->data() + end_, input_->mutable_data());
    end_ -= std::exchange(begin_, 0);
    const int64_t count = file_.read(kInputBytes - end_, input_->mutable_data() + end_);
    end_ += count;
    return count > 0;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw unread_file(uri_, "can't decompress " + uri_ + ": " + why);
  }
  void check(const arrow::Status& status) const {
    if (!status.ok()) fail(status.message());
  }
  template <class T>
  T value_of(arrow::Result<T> result) const {
    check(result.status());
    return std::move(result).ValueUnsafe();
  }

  const std::string uri_;
  FileBytes file_;
  const std::shared_ptr<memory::Buffer> input_;
  std::unique_ptr<arrow::util::Codec> codec_;
  std::shared_ptr<arrow::util::Decompressor> decompressor_;
  int64_t begin_ = 0;       ///< of what is not decompressed yet, in `input_`
  int64_t end_ = 0;         ///< likewise
  bool is_within_ = false;  ///< a stream that has not ended
  bool has_ended_ = false;
};

}  // namespace

bool is_gzip(const std::string& path) { return path.ends_with(".gz"); }

std::unique_ptr<ByteStream> open_bytes(const std::string& uri, int64_t start,
                                       const std::shared_ptr<memory::Budget>& budget) {
  if (is_gzip(local_path(uri))) return std::make_unique<GzipBytes>(uri, budget);
  return std::make_unique<FileBytes>(uri, start);
}

}  // namespace accelerant::io
