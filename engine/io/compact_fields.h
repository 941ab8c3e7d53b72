#pragma once

#include "types/varint.h"

namespace accelerant::io {

/// Reads the fields of structs in Thrift's compact protocol, in which Parquet writes what is not values. Every read is
/// checked against the end of the data; what is corrupt makes methods return false.
class CompactFields {
 public:
  enum Type : int32 { kStop = 0, kTrue = 1, kFalse = 2, kByte = 3, kInt64 = 6, kDouble = 7, kBytes = 8 };
  enum ContainerType : int32 { kList = 9, kSet = 10, kMap = 11, kStruct = 12 };

  ACC_HD CompactFields(const uint8* data, const uint8* end) : data_(data), end_(end) {}

  /// Says where reading has come to.
  ACC_HD const uint8* position() const { return data_; }

  /// Reads the head of the next field of a struct: its id of 16 bits, counted on from the one before, and its type;
  /// kStop ends the struct.
  ACC_HD bool next(int32& id, int32& type) {
    if (data_ >= end_) return false;
    const uint8 head = *data_++;
    type = head & 0xf;
    const int32 step = head >> 4;
    int64 number = id + step;
    if (step == 0 && type != kStop && !read_number(number)) return false;
    id = static_cast<int16>(number);
    return id == number;
  }

  /// Reads an integer of at most 32 bits.
  ACC_HD bool read(int32 type, int32& value) {
    int64 number;
    if (type <= kByte || type > kInt64 || !read_number(number)) return false;
    value = static_cast<int32>(number);
    return value == number;
  }

  /// Reads the head of a list: the type of its elements, which follow, and their number.
  ACC_HD bool read_list_head(int32& type, uint64& count) {
    if (data_ >= end_) return false;
    const uint8 head = *data_++;
    type = head & 0xf;
    count = head >> 4;
    return count < 15 || types::read_varint(data_, end_, count);
  }

  /// Passes over a field's value; structs within structs to some depth.
  ACC_HD bool skip(int32 type, int depth = 0) {
    switch (type) {
      case kTrue:
      case kFalse:
        return true;
      case kByte:
        return advance(1);
      case kDouble:
        return advance(sizeof(double));
      case kBytes: {
        uint64 num_bytes;
        return types::read_varint(data_, end_, num_bytes) && advance(num_bytes);
      }
      case kStruct:
        return skip_struct(depth);
      case kList:
      case kSet:
        return skip_list(depth);
      case kMap:
        return false;  // no header has one
      default: {
        int64 number;
        return type < kDouble && read_number(number);
      }
    }
  }

 private:
  static constexpr int kMaxDepth = 8;

  ACC_HD bool read_number(int64& number) {
    uint64 stored;
    if (!types::read_varint(data_, end_, stored)) return false;
    number = types::unzigzag(stored);
    return true;
  }

  ACC_HD bool advance(uint64 num_bytes) {
    if (num_bytes > static_cast<uint64>(end_ - data_)) return false;
    data_ += num_bytes;
    return true;
  }

  ACC_HD bool skip_struct(int depth) {
    if (depth >= kMaxDepth) return false;
    for (int32 id = 0, type = kStop;;) {
      if (!next(id, type)) return false;
      if (type == kStop) return true;
      if (!skip(type, depth + 1)) return false;
    }
  }

  ACC_HD bool skip_list(int depth) {
    int32 type;
    uint64 count;
    if (depth >= kMaxDepth || !read_list_head(type, count)) return false;
    for (; count > 0; --count) {
      // In a list a boolean is a byte.
      if (type <= kFalse ? !advance(1) : !skip(type, depth + 1)) return false;
    }
    return true;
  }

  const uint8* data_;
  const uint8* end_;
};

}  // namespace accelerant::io
