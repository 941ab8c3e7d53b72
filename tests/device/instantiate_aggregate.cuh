#pragma once

#include "functions/aggregate/definition.h"
#include "functions/aggregate/plain_words.h"
#include "functions/aggregate/shared_state.h"
#include "instantiate.cuh"

/// Calls all that an aggregate function has for every signature, so that a device compiler instantiates it.
namespace accelerant::device_test {

using functions::AggregateContext;
using functions::HeldText;
using functions::List;
using functions::RowPosition;

/// Keeps texts where they are.
struct TouchedStore {
  __device__ void assign(HeldText& held, types::StringRef text) {
    held = {const_cast<char*>(text.data), text.length, 0};
  }
  __device__ void reserve(HeldText& held, int64 bytes) { held.length = static_cast<int32>(bytes); }
};

template <class F, class... T>
struct StateOf {
  using Type = typename F::State;
};
template <class F, class A>
struct StateOf<F, A> {
  using Type = typename F::template State<A>;
};
template <class F, class A, class B>
struct StateOf<F, A, B> {
  using Type = typename F::template State<A, B>;
};

template <class S>
concept Chooses = S::kChooses;
template <class F>
concept Collects = F::kCollects;
/// Says whether a function has no bodies: its values are kept by place.
template <class F>
concept Places = F::kPlaces;
/// Says whether a state has no bodies: the host keeps rows instead.
template <class S>
concept IsNested = S::kIsNested;

template <class F, class R, class... Parts>
__device__ void touch_finish(const Memory& memory, const Parts&... parts) {
  const auto context = memory.load<AggregateContext>();
  uint8 error = 0;
  if constexpr (requires { F::template finish<R>(parts..., context, error); }) {
    memory.store(F::template finish<R>(parts..., context, error));
  } else if constexpr (requires { F::finish(parts..., context, error); }) {
    memory.store(F::finish(parts..., context, error));
  } else if constexpr (requires { F::finish(parts..., context); }) {
    memory.store(F::finish(parts..., context));
  }
  memory.store(error);
}

template <class S, class... A>
__device__ void touch_state(const Memory& memory) {
  auto state = memory.load<S>();
  const auto other = memory.load<S>();
  const auto context = memory.load<AggregateContext>();
  TouchedStore store;
  if constexpr (requires { state.merge(other, context, store); }) {
    state.update(memory.load<A>()..., context, store);
    state.merge(other, context, store);
  } else if constexpr (requires { state.merge(other, store); }) {
    state.update(memory.load<A>()..., store);
    state.merge(other, store);
  } else {
    state.update(memory.load<A>()...);
    state.merge(other);
  }
  if constexpr (requires { state.retract(memory.load<A>()...); }) state.retract(memory.load<A>()...);
  if constexpr (functions::Shareable<S>) {
    using Shared = functions::SharedState<S>;
    const functions::PlainWords<> words{reinterpret_cast<uint64*>(memory.out)};
    Shared::update(words, true, memory.load<A>()...);
    Shared::merge([&](int32) { return words; }, 1, words);
    memory.store(Shared::read(words));
  }
  memory.store(state);
}

/// The state of a function over values that are chosen from.
template <class F, class R, class First, class... A>
__device__ void touch_choice(const Memory& memory) {
  touch_state<typename StateOf<F, First, A...>::Type, A..., RowPosition>(memory);
}

template <class F, class R, class First, class... A>
__device__ void touch_list(const Memory& memory) {
  const auto list = memory.load<List<First>>();
  if constexpr (requires { F::size(list, memory.load<Nullable<A>>()...); }) {
    memory.store(F::size(list, memory.load<Nullable<A>>()...));
    F::write(list, memory.load<Nullable<A>>()..., memory.out);
  } else {
    touch_finish<F, R>(memory, list, memory.load<Nullable<A>>()...);
  }
}

template <class F, class R, class... A>
__device__ void touch_aggregate(const Memory& memory) {
  if constexpr (Collects<F>) {
    touch_list<F, R, A...>(memory);
  } else if constexpr (!Places<F>) {
    using S = typename StateOf<F, A...>::Type;
    if constexpr (IsNested<S>) {
      return;
    } else if constexpr (Chooses<S>) {
      touch_choice<F, R, A...>(memory);
    } else {
      touch_state<S, A...>(memory);
      touch_finish<F, R>(memory, memory.load<S>());
    }
  }
}

/// What a body sees of a constant that is null.
template <class Tag>
struct SeenAs {
  using Type = typename Tag::Physical;
};
template <>
struct SeenAs<types::NullType> {
  using Type = types::StringRef;
};

template <class F, class Result, class... Tags>
__device__ void touch_aggregate_signature(const Memory& memory, functions::Signature<Result, Tags...>) {
  touch_aggregate<F, typename Result::Physical, typename SeenAs<Tags>::Type...>(memory);
}

template <class F, class... Signatures>
__device__ void touch_all_of_aggregate(const Memory& memory, functions::SignatureList<Signatures...>) {
  (touch_aggregate_signature<F>(memory, Signatures{}), ...);
}

}  // namespace accelerant::device_test
