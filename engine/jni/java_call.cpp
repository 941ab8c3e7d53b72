#include "jni/java_call.h"

#include "jni/java_string.h"

#include <pthread.h>

namespace accelerant::jni {

namespace {

JavaVM* vm = nullptr;
jclass revert_class = nullptr;
jmethodID to_string_method = nullptr;
jmethodID get_message_method = nullptr;

/// Makes a native thread known to the JVM until the thread ends.
class Attachment {
 public:
  Attachment() {
    if (vm->GetEnv(reinterpret_cast<void**>(&env_), JNI_VERSION_10) == JNI_OK) return;
    char name[16] = "accelerant";
    pthread_getname_np(pthread_self(), name, sizeof name);
    JavaVMAttachArgs arguments{JNI_VERSION_10, name, nullptr};
    is_ours_ = vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env_), &arguments) == JNI_OK;
    if (!is_ours_) env_ = nullptr;
  }
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;
  ~Attachment() {
    if (is_ours_) vm->DetachCurrentThread();
  }

  JNIEnv* env() const { return env_; }

 private:
  JNIEnv* env_ = nullptr;
  bool is_ours_ = false;
};

JNIEnv* attached_env() {
  thread_local Attachment attachment;
  return attachment.env();
}

}  // namespace

bool load_call_classes(JNIEnv* env) {
  const jclass object = env->FindClass("java/lang/Object");
  const jclass throwable = env->FindClass("java/lang/Throwable");
  const jclass revert = env->FindClass("io/accelerant/spark/RevertException");
  if (env->GetJavaVM(&vm) != JNI_OK || !object || !throwable || !revert) return false;
  revert_class = static_cast<jclass>(env->NewGlobalRef(revert));
  to_string_method = env->GetMethodID(object, "toString", "()Ljava/lang/String;");
  get_message_method = env->GetMethodID(throwable, "getMessage", "()Ljava/lang/String;");
  return revert_class && !env->ExceptionCheck();
}

Frame::Frame() : env_(attached_env()) {
  if (!env_) throw Error(ErrorKind::Resource, "the JVM takes no more threads");
  if (env_->PushLocalFrame(16) == JNI_OK) return;
  env_->ExceptionClear();
  throw Error(ErrorKind::Resource, "the JVM has no memory left");
}

void Frame::check() const {
  const jthrowable thrown = env_->ExceptionOccurred();
  if (!thrown) return;
  env_->ExceptionClear();
  const bool reverts = env_->IsInstanceOf(thrown, revert_class);
  const auto text =
      static_cast<jstring>(env_->CallObjectMethod(thrown, reverts ? get_message_method : to_string_method));
  env_->ExceptionClear();
  throw Error(reverts ? ErrorKind::Unsupported : ErrorKind::Resource,
              text ? to_string(env_, text) : "a Java exception without a message");
}

GlobalReference::GlobalReference(const Frame& frame, jobject object) : object_(frame->NewGlobalRef(object)) {
  if (!object_) throw Error(ErrorKind::Resource, "the JVM has no memory left");
}

GlobalReference::~GlobalReference() {
  try {
    Frame()->DeleteGlobalRef(object_);
  } catch (const Error&) {  // the JVM ends
  }
}

}  // namespace accelerant::jni
