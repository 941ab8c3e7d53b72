#include "column_functions/java_text.h"

#include "column_functions/stored_rows.h"
#include "columns/string_heap.h"
#include "types/utf8.h"

#include <cstring>
#include <string>

namespace accelerant::column_functions {

using types::StringRef;

namespace {

/// Calls `visit` with each row that counts and its text.
template <class Visit>
void visit_texts(const ColumnCall& call, size_t argument, Visit visit) {
  const StoredRows rows(call.argument(argument));
  for (int64_t row = 0; row < call.num_rows(); ++row) {
    if (call.counts(row)) visit(row, rows.values().string_at(rows.place(row)));
  }
}

/// Writes a text as java.lang.String has it.
void decode(StringRef text, std::string& to) {
  to.clear();
  char bytes[4];
  for (int32_t position = 0; position < text.length;) {
    const char* end = types::encode_character(types::decode_character(text, position), bytes);
    to.append(bytes, static_cast<size_t>(end - bytes));
  }
}

StringRef ref_of(const std::string& text) { return {text.data(), static_cast<int32_t>(text.size())}; }

}  // namespace

bool is_utf8(StringRef text) {
  if (types::is_ascii(text)) return true;
  char bytes[4];
  for (int32_t position = 0; position < text.length;) {
    const int32_t begin = position;
    const int32_t character = types::decode_character(text, position);
    const bool is_same = types::encoded_bytes(character) == position - begin;
    types::encode_character(character, bytes);
    if (!is_same || std::memcmp(bytes, text.data + begin, static_cast<size_t>(position - begin)) != 0) return false;
  }
  return true;
}

columns::ColumnPtr as_java_text(const ColumnCall& call, size_t argument) {
  bool changes = false;
  int64_t heap_bytes = 0;
  std::string decoded;
  visit_texts(call, argument, [&](int64_t, StringRef text) {
    const bool is_kept = is_utf8(text);
    changes |= !is_kept;
    if (!is_kept) decode(text, decoded);
    const auto length = is_kept ? int64_t{text.length} : static_cast<int64_t>(decoded.size());
    if (length > types::StringView::kMaxInlineBytes) heap_bytes += length;
  });
  if (!changes) return call.arguments()[argument];
  columns::FlatBuilder builder(call.argument(argument).type(), types::PhysicalType::String, call.num_rows(),
                               call.budget());
  columns::StringHeap heap(heap_bytes, call.budget());
  std::memset(builder.values<uint8_t>(), 0, static_cast<size_t>(call.num_rows()) * sizeof(types::StringView));
  visit_texts(call, argument, [&](int64_t row, StringRef text) {
    decode(text, decoded);
    builder.values<types::StringView>()[row] = heap.add(ref_of(decoded));
  });
  builder.set_heap(heap.finish());
  return builder.finish();
}

}  // namespace accelerant::column_functions
