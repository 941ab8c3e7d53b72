#pragma once

#include "functions/error_codes.h"
#include "types/decimal.h"
#include "types/integers.h"
#include "types/logical.h"

/// What the header of a function is made of: see docs/design/functions.md. A function is a struct with
/// - `static constexpr Description kDescription`, `static constexpr Example kExamples[]`,
/// - `using Signatures = SignatureList<...>`: the logical types it takes and gives,
/// - bodies, templates over physical types, freestanding, for host and device:
///   - `call(args..., [E& error])`: null in, null out; gives a value or a Nullable;
///   - `call_nullable(Nullable<T> args...)`: sees nulls, gives a value or a Nullable;
///   - `call_zoned(args..., const TimeZone&, [E& error])`: depends on the time zone;
///   - `call_narrow`, `call_wide(args..., const DecimalContext&, [E& error])`: decimals as int64, int128;
///   - `size(args..., [E& error])` and `write(args..., char* out)`: strings that are built;
/// - `prepare(args after the first...)`, if at all: what `call` takes in place of constant ones;
/// - `range(DecimalRange args..., const DecimalContext&)`: bounds of a decimal result; narrow runs where they prove it;
/// - `supports(result type id, const DecimalContext&, bool ansi)`, if at all: false where the binder shall refuse;
/// - `bind(Call& call)`, if at all, a template, which no device ever uses: makes a value of the fields of Spark's class
///   (expressions::FunctionCall) where its arguments are not simply its expressions: other fields, any number of
///   arguments, calls of other functions. A function that is made of others alone has no signatures and no body.
/// A body whose result type cannot be deduced from its arguments takes it as its first template argument.
namespace accelerant::functions {

/// A setting of Spark's, and its one value under which a function does as Spark does.
struct Setting {
  const char* name = nullptr;
  const char* value = nullptr;
};

/// What people and the binder call a function.
struct Description {
  const char* spark_class;   ///< full Java class name
  const char* sql;           ///< how SQL spells it
  const char* text;          ///< one line for the reference page
  bool right_first = false;  ///< Spark evaluates the right argument first: null there, or zero outside ANSI mode, hides
                             ///< the left's error
  /// Outside ANSI mode no row fails, but for decimals': the body sets no code of kFailsAlways for other types.
  bool fails_only_in_ansi = false;
  /// Decimals fail only where the result has too many digits: never where its type has room for any result.
  bool decimals_only_overflow = false;
  bool needs_spark = false;  ///< sets kNeedsSpark for some values
  bool takes_java = false;   ///< the last argument is the version of the Java that runs Spark, which SQL does not spell
  Setting setting = {};      ///< that its results depend on; no name: they depend on none
};

/// A line of the reference page and a test. Values are written "text type", e.g. "1.50 decimal(3,2)", "null int".
struct Example {
  const char* arguments[3];
  const char* result;            ///< in legacy mode
  uint8 error = 0;               ///< ErrorCode: ANSI fails with it, TRY gives null
  const char* zone = "Example";  ///< time zone of `call_zoned`: UTC, or Example, which is Berlin's in short
};

template <class ResultType, class... ArgumentTypes>
struct Signature {
  using Result = ResultType;
  static constexpr int kArity = sizeof...(ArgumentTypes);
};

template <class... Entries>
struct SignatureList {};

/// Joins lists.
template <class... Lists>
struct Concatenate;
template <class... A>
struct Concatenate<SignatureList<A...>> {
  using Type = SignatureList<A...>;
};
template <class... A, class... B, class... Rest>
struct Concatenate<SignatureList<A...>, SignatureList<B...>, Rest...> {
  using Type = typename Concatenate<SignatureList<A..., B...>, Rest...>::Type;
};

/// One argument and the result of the same type.
template <class... Types>
using UnarySame = SignatureList<Signature<Types, Types>...>;
/// Two arguments and the result of the same type.
template <class... Types>
using BinarySame = SignatureList<Signature<Types, Types, Types>...>;
/// A boolean about two values of one type.
template <class... Types>
using BinaryPredicate = SignatureList<Signature<types::BooleanType, Types, Types>...>;
/// Two arguments of one type and a result of another.
template <class Result, class Type>
using BinaryResult = SignatureList<Signature<Result, Type, Type>>;
/// Argument types that give one result type.
template <class Result, class... Types>
using From = SignatureList<Signature<Result, Types>...>;

}  // namespace accelerant::functions
