#include "io/file_fields.h"

#include "base/error.h"
#include "types/case_conversion.h"

namespace accelerant::io {

std::string lower_case(const std::string& name) {
  std::string lower;
  types::for_each_lower({name.data(), static_cast<int32_t>(name.size())}, [&](int32_t character) {
    char bytes[4];
    lower.append(bytes, types::encode_character(character, bytes));
  });
  return lower;
}

FileFields::FileFields(const parquet::schema::GroupNode& group, bool case_sensitive) : case_sensitive_(case_sensitive) {
  for (int i = 0; i < group.field_count(); ++i) {
    const parquet::schema::Node* field = group.field(i).get();
    const auto [place, is_new] = by_name_.emplace(key(field->name()), field);
    if (!is_new) place->second = nullptr;
  }
}

const parquet::schema::Node* FileFields::find(const std::string& name) const {
  const auto found = by_name_.find(key(name));
  if (found == by_name_.end()) return nullptr;
  if (!found->second) throw_unsupported("several columns of the file have the name " + name);
  return found->second;
}

std::string FileFields::key(const std::string& name) const { return case_sensitive_ ? name : lower_case(name); }

}  // namespace accelerant::io
