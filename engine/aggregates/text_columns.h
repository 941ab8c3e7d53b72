#pragma once

#include "columns/column.h"
#include "columns/string_heap.h"

#include <cstdint>
#include <memory>

namespace accelerant::aggregates {

/// Fills a builder of strings with `text_at(i)` for i in [0, length), which are asked twice.
template <class TextAt>
void put_texts(columns::FlatBuilder& builder, int64_t length, const std::shared_ptr<memory::Budget>& budget,
               TextAt text_at) {
  int64_t long_bytes = 0;
  for (int64_t i = 0; i < length; ++i) {
    const types::StringRef text = text_at(i);
    if (text.length > types::StringView::kMaxInlineBytes) long_bytes += text.length;
  }
  columns::StringHeap heap(long_bytes, budget);
  auto* views = builder.values<types::StringView>();
  for (int64_t i = 0; i < length; ++i) views[i] = heap.add(text_at(i));
  builder.set_heap(heap.finish());
}

}  // namespace accelerant::aggregates
