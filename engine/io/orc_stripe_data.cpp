#include "io/orc_stripe_data.h"

#include "io/read_sizes.h"

#include <algorithm>
#include <utility>

namespace accelerant::io {

using memory::Buffer;

namespace {

int64_t end_of(const OrcStream& stream) { return stream.offset + stream.num_bytes; }

}  // namespace

OrcStripeData::OrcStripeData(const OrcMetadata& metadata, const OrcStripeFooter& footer,
                             std::shared_ptr<memory::Budget> budget)
    : footer_(footer),
      budget_(std::move(budget)),
      codec_(std::make_shared<OrcCodec>(metadata.compression, metadata.block_bytes)) {}

void OrcStripeData::add_streams(const OrcField& field, std::vector<const OrcStream*>& streams) const {
  if (field.is_missing()) return;
  for (const OrcStream& stream : footer_.streams) {
    if (stream.column == static_cast<uint64_t>(field.column)) streams.push_back(&stream);
  }
  for (const OrcField& child : field.children) add_streams(child, streams);
}

int64_t OrcStripeData::fetch(const LocalFile& file, const std::vector<const OrcField*>& fields) {
  std::vector<const OrcStream*> streams;
  for (const OrcField* field : fields) add_streams(*field, streams);
  std::ranges::sort(streams, {}, &OrcStream::offset);
  int64_t num_bytes = 0;
  for (size_t first = 0, last; first < streams.size(); first = last) {
    int64_t end = end_of(*streams[first]);
    for (last = first + 1; last < streams.size() && streams[last]->offset <= end + kMaxGapBytes; ++last) {
      end = std::max(end, end_of(*streams[last]));
    }
    const int64_t start = streams[first]->offset;
    const auto buffer = Buffer::allocate(end - start, budget_);
    file.read(start, end - start, buffer->mutable_data());
    for (size_t i = first; i < last; ++i) {
      fetched_.push_back({streams[i], buffer, streams[i]->offset - start});
      num_bytes += streams[i]->num_bytes;
    }
  }
  return num_bytes;
}

const OrcStripeData::Fetched* OrcStripeData::find(const OrcField& field, OrcStreamKind kind) const {
  const auto found = std::ranges::find_if(fetched_, [&](const Fetched& fetched) {
    return fetched.stream->column == static_cast<uint64_t>(field.column) && fetched.stream->kind == kind;
  });
  return found == fetched_.end() ? nullptr : &*found;
}

OrcBytes OrcStripeData::bytes(const OrcField& field, OrcStreamKind kind) const {
  const Fetched* fetched = find(field, kind);
  if (!fetched) return {};
  const uint8_t* data = fetched->buffer->data() + fetched->offset;
  return {codec_, fetched->buffer, {data, static_cast<size_t>(fetched->stream->num_bytes)}, budget_};
}

}  // namespace accelerant::io
