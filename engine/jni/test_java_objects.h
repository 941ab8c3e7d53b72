#pragma once

#include "jni/test_jvm.h"

#include <jni.h>

#include <functional>
#include <utility>
#include <vector>

/// Java objects whose methods tests choose, out of classes of the JDK: only tests include this.
namespace accelerant::jni::test {

/// What C++ does for a method of Java's that takes numbers and returns arrays of bytes. A Java exception that it leaves
/// pending is what the method throws.
using Answer = std::function<jobjectArray(const std::vector<jlong>& numbers)>;

/// Stands for a native method of the plugin's, whose first number it takes for the address of an Answer.
inline jobjectArray JNICALL give_answer(JNIEnv* env, jclass, jlong address, jlongArray array, jlong, jlong) {
  std::vector<jlong> numbers(static_cast<size_t>(env->GetArrayLength(array)));
  env->GetLongArrayRegion(array, 0, static_cast<jsize>(numbers.size()), numbers.data());
  return (*reinterpret_cast<const Answer*>(address))(numbers);
}

/// Tests of what calls interfaces of Java's. Methods are java.lang.invoke.MethodHandles.
class JavaObjectTest : public JvmTest {
 protected:
  /// A method of an interface, by name, and what it does.
  using Method = std::pair<const char*, jobject>;

  /// Makes an object that has an interface.
  static jobject object_of(const char* interface_name, const std::vector<Method>& methods) {
    const jobject by_name = make("java/util/HashMap", "()V");
    for (const auto& [name, handle] : methods) {
      call(by_name, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", text(name), over_array(handle));
    }
    const jclass type = env()->FindClass(interface_name);
    const jobject loader = call(type, "getClassLoader", "()Ljava/lang/ClassLoader;");
    return call_static("java/lang/reflect/Proxy", "newProxyInstance",
                       "(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)"
                       "Ljava/lang/Object;",
                       loader, array_of("java/lang/Class", {type}), calling(by_name));
  }

  /// Returns a method that gives an object, whatever it is asked.
  static jobject constant(jobject object) {
    return handles("constant", "(Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
                   env()->FindClass("java/lang/Object"), object);
  }

  /// Returns a method that throws, whatever it is asked.
  static jobject throwing(const char* type, const char* message) {
    const jobject thrown = make(type, "(Ljava/lang/String;)V", text(message));
    const jobject handle =
        handles("throwException", "(Ljava/lang/Class;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
                env()->FindClass("java/lang/Object"), env()->GetObjectClass(thrown));
    return call(handle, "bindTo", "(Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;", thrown);
  }

  /// Returns the method that an object has.
  static jobject bound(jobject receiver, const char* name, const char* signature) {
    return call(lookup(), "bind",
                "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
                receiver, text(name), method_type(signature));
  }

  /// Returns a method of so many numbers that C++ answers.
  /// @param answer outlives it
  static jobject answering(const Answer& answer, jint num_numbers) {
    const jclass natives = env()->FindClass("io/accelerant/spark/Native");
    char name[] = "arrowMessages";
    char signature[] = "(J[JJJ)[[B";
    const JNINativeMethod method{name, signature, reinterpret_cast<void*>(&give_answer)};
    EXPECT_EQ(env()->RegisterNatives(natives, &method, 1), JNI_OK);
    const jobject native =
        call(lookup(), "findStatic",
             "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
             natives, text(name), method_type(signature));
    const jobject of_numbers =
        insert(insert(native, 2, {boxed(jlong{0}), boxed(jlong{0})}), 0, {boxed(reinterpret_cast<jlong>(&answer))});
    return call(of_numbers, "asCollector", "(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
                env()->FindClass("[J"), num_numbers);
  }

  /// Returns a method that gives the first of the arrays of bytes that another one gives.
  static jobject first_of(jobject handle) {
    const jobject getter =
        handles("arrayElementGetter", "(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;", env()->FindClass("[[B"));
    return handles("filterReturnValue",
                   "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
                   handle, insert(getter, 1, {boxed(jint{0})}));
  }

  static jobject boxed(jint number) {
    return call_static("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", number);
  }
  static jobject boxed(jlong number) { return call_static("java/lang/Long", "valueOf", "(J)Ljava/lang/Long;", number); }

  static jobjectArray array_of(const char* type, const std::vector<jobject>& items) {
    const auto size = static_cast<jsize>(items.size());
    const jobjectArray array = env()->NewObjectArray(size, env()->FindClass(type), nullptr);
    for (jsize i = 0; i < size; ++i) env()->SetObjectArrayElement(array, i, items[static_cast<size_t>(i)]);
    return array;
  }

  /// Makes a java.util.ArrayList or ArrayDeque of objects.
  static jobject collection_of(const char* type, const std::vector<jobject>& items) {
    const jobject collection = make(type, "()V");
    const jmethodID add = env()->GetMethodID(env()->GetObjectClass(collection), "add", "(Ljava/lang/Object;)Z");
    for (const jobject item : items) env()->CallBooleanMethod(collection, add, item);
    return collection;
  }
  static jint size_of(jobject collection) {
    return env()->CallIntMethod(collection, env()->GetMethodID(env()->GetObjectClass(collection), "size", "()I"));
  }

 private:
  static jstring text(const char* bytes) { return env()->NewStringUTF(bytes); }

  template <class... Arguments>
  static jobject make(const char* type, const char* signature, Arguments... arguments) {
    const jclass found = env()->FindClass(type);
    return env()->NewObject(found, env()->GetMethodID(found, "<init>", signature), arguments...);
  }
  template <class... Arguments>
  static jobject call_static(const char* type, const char* method, const char* signature, Arguments... arguments) {
    const jclass found = env()->FindClass(type);
    return env()->CallStaticObjectMethod(found, env()->GetStaticMethodID(found, method, signature), arguments...);
  }
  template <class... Arguments>
  static jobject handles(const char* method, const char* signature, Arguments... arguments) {
    return call_static("java/lang/invoke/MethodHandles", method, signature, arguments...);
  }

  /// Returns what finds any method: callers that Java does not know may look for none.
  static jobject lookup() {
    const jclass type = env()->FindClass("java/lang/invoke/MethodHandles$Lookup");
    const char* signature = "Ljava/lang/invoke/MethodHandles$Lookup;";
    return env()->GetStaticObjectField(type, env()->GetStaticFieldID(type, "IMPL_LOOKUP", signature));
  }
  static jobject method_type(const char* signature) {
    return call_static("java/lang/invoke/MethodType", "fromMethodDescriptorString",
                       "(Ljava/lang/String;Ljava/lang/ClassLoader;)Ljava/lang/invoke/MethodType;", text(signature),
                       nullptr);
  }
  static jobject as_type(jobject handle, const char* signature) {
    return call(handle, "asType", "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
                method_type(signature));
  }
  static jobject insert(jobject handle, jint place, const std::vector<jobject>& arguments) {
    return handles("insertArguments",
                   "(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;", handle,
                   place, array_of("java/lang/Object", arguments));
  }
  /// Has a method take one argument more before its first, which it does not look at.
  static jobject drop_first(jobject handle, const char* type) {
    return handles("dropArguments",
                   "(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;", handle,
                   jint{0}, array_of("java/lang/Class", {env()->FindClass(type)}));
  }
  /// Has a method's first argument made by another method of what is given.
  static jobject filter_first(jobject handle, jobject filter) {
    return handles("filterArguments",
                   "(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
                   handle, jint{0}, array_of("java/lang/invoke/MethodHandle", {filter}));
  }

  /// Has a method take its arguments, if it looks at any, as an array.
  static jobject over_array(jobject handle) {
    const jobject type = call(handle, "type", "()Ljava/lang/invoke/MethodType;");
    const jmethodID count = env()->GetMethodID(env()->GetObjectClass(type), "parameterCount", "()I");
    const jint num_arguments = env()->CallIntMethod(type, count);
    const jobject spread = num_arguments == 0
                               ? drop_first(handle, "[Ljava/lang/Object;")
                               : call(handle, "asSpreader", "(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
                                      env()->FindClass("[Ljava/lang/Object;"), num_arguments);
    return as_type(spread, "([Ljava/lang/Object;)Ljava/lang/Object;");
  }

  /// Makes the java.lang.reflect.InvocationHandler that calls the handle, by its name in a map, of each method.
  static jobject calling(jobject by_name) {
    const jobject get = as_type(bound(by_name, "get", "(Ljava/lang/Object;)Ljava/lang/Object;"),
                                "(Ljava/lang/String;)Ljava/lang/invoke/MethodHandle;");
    const jobject name_of =
        call(lookup(), "findVirtual",
             "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
             env()->FindClass("java/lang/reflect/Method"), text("getName"), method_type("()Ljava/lang/String;"));
    const jobject invoker = handles("exactInvoker", "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
                                    method_type("([Ljava/lang/Object;)Ljava/lang/Object;"));
    const jobject of_method = filter_first(invoker, filter_first(get, name_of));
    return call_static("java/lang/invoke/MethodHandleProxies", "asInterfaceInstance",
                       "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;",
                       env()->FindClass("java/lang/reflect/InvocationHandler"),
                       drop_first(of_method, "java/lang/Object"));
  }
};

}  // namespace accelerant::jni::test
