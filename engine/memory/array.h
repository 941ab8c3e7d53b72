#pragma once

#include "memory/budget.h"
#include "memory/buffer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace accelerant::memory {

/// Values that grow in number, like std::vector, in memory that is reserved before it is allocated. Where a call
/// throws, the array is as it was. One thread at a time.
template <class T>
requires std::is_trivially_copyable_v<T>
class Array {
 public:
  explicit Array(std::shared_ptr<Budget> budget) : budget_(std::move(budget)) {}
  Array(Array&& other) noexcept
      : budget_(other.budget_),
        buffer_(std::move(other.buffer_)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(buffer_, other.buffer_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t capacity() const { return capacity_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](int64_t index) { return data_[index]; }
  const T& operator[](int64_t index) const { return data_[index]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::span<const T> span() const { return {data_, static_cast<size_t>(size_)}; }
  std::span<T> span() { return {data_, static_cast<size_t>(size_)}; }

  /// Makes room for so many values in all, and for no more.
  /// @throws Error Resource or MemoryWait, as Budget::reserve
  void reserve(int64_t capacity) {
    if (capacity > capacity_) move_to(capacity);
  }
  /// Grows, by `value`, or shrinks. Throws as `reserve`.
  void resize(int64_t size, const T& value = T()) {
    if (size > size_) {
      append(size - size_, value);
    } else {
      size_ = size;
    }
  }
  void pop_back() { --size_; }
  void push_back(const T& value) {
    const T copy = value;
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = copy;
  }
  /// Appends `count` times a value. Throws as `reserve`.
  void append(int64_t count, const T& value) {
    const T copy = value;
    grow(size_ + count);
    std::fill_n(data_ + size_, count, copy);
    size_ += count;
  }
  /// Appends values, none of which are its own. Throws as `reserve`.
  void append(std::span<const T> values) {
    const auto count = static_cast<int64_t>(values.size());
    grow(size_ + count);
    std::copy(values.begin(), values.end(), data_ + size_);
    size_ += count;
  }
  /// Removes all values; the room stays.
  void clear() { size_ = 0; }

 private:
  static constexpr int64_t kLeastBytes = 64;

  /// Makes room for so many values, and for further ones.
  void grow(int64_t least) {
    if (least <= capacity_) return;
    const int64_t of_least_bytes =
        (kLeastBytes + static_cast<int64_t>(sizeof(T)) - 1) / static_cast<int64_t>(sizeof(T));
    move_to(std::max({least, 2 * capacity_, of_least_bytes}));
  }

  void move_to(int64_t capacity) {
    auto buffer = Buffer::allocate(capacity * static_cast<int64_t>(sizeof(T)), budget_);
    T* data = buffer->template mutable_as<T>();
    std::copy_n(data_, size_, data);
    buffer_ = std::move(buffer);
    data_ = data;
    capacity_ = capacity;
  }

  std::shared_ptr<Budget> budget_;
  std::shared_ptr<Buffer> buffer_;
  T* data_ = nullptr;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
};

}  // namespace accelerant::memory
