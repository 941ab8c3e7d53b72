#pragma once

#include "base/error.h"

#include <jni.h>

namespace accelerant::jni {

/// Remembers what calls into the JVM need. Called once, while the library is loaded.
/// @return false with a Java exception pending when a class can't be found
bool load_call_classes(JNIEnv* env);

/// The calling thread's way into the JVM, for one call: frees the local references made on the way. A native thread
/// stays known to the JVM until it ends.
class Frame {
 public:
  /// @throws Error Resource when the JVM ends or takes no more threads
  Frame();
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  ~Frame() { env_->PopLocalFrame(nullptr); }

  JNIEnv* operator->() const { return env_; }

  /// Turns a pending Java exception into ours.
  /// @throws Error Unsupported for a RevertException, Resource for any other
  void check() const;

 private:
  JNIEnv* const env_;
};

/// A reference that any thread may use.
class GlobalReference {
 public:
  GlobalReference(const Frame& frame, jobject object);
  GlobalReference(const GlobalReference&) = delete;
  GlobalReference& operator=(const GlobalReference&) = delete;
  ~GlobalReference();

  jobject get() const { return object_; }

 private:
  const jobject object_;
};

}  // namespace accelerant::jni
