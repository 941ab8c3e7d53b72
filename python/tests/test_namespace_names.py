"""Which names scripts/namespace_names.py finds."""

from namespace_names import names

SOURCE = """
#include "io/a.h"

namespace accelerant::io {

namespace {

using columns::Column;
using Rows = std::span<const int32_t>;

/// Says { nothing.
constexpr int64_t kBytes = int64_t{1} << 20;  // }
constexpr std::array<std::string_view, 2> kTexts{"{", "\\"}"};
constexpr char kQuote = '"';
const std::function<void(int)> kCall{nullptr};

struct Head {
  int bytes;
  int all() const { return bytes; }
};

enum class [[nodiscard]] Kind : uint8_t { Flat };

template <class T, class = std::enable_if_t<(sizeof(T) > 1)>>
class Reader final : public Base<T> {};

template <>
struct std::hash<Head> {};

[[noreturn]] void fail(const char* what) { throw Error(what); }

template <class T>
  requires(sizeof(T) > 1)
std::vector<T> read(const Head& head) {
  int local = 0;
  return {local};
}

Reader::Reader(int size) : size_{size}, rest_(size) {}

bool operator==(const Head& lhs, const Head& rhs) { return lhs.bytes == rhs.bytes; }

}  // namespace

void take(int n) {}

namespace {

int later();

}  // namespace

}  // namespace accelerant::io
"""

HEADER = """
namespace accelerant::memory {
class Budget;
}

namespace accelerant::io {

class Scan;
inline constexpr int kMost = 1;
std::unique_ptr<Scan> open(const std::string& path, int most = 3);

}  // namespace accelerant::io
"""


def test_names_of_anonymous_namespaces() -> None:
    """Types, functions and constants are found; members, what functions hold, and names of others are not."""
    expected = {"Rows", "kBytes", "kTexts", "kQuote", "kCall", "Head", "Kind", "Reader", "fail", "read", "later"}
    assert names(SOURCE, "") == expected


def test_names_of_a_named_namespace() -> None:
    """Only those of the one that is asked for; what an anonymous one inside it holds is not its own."""
    assert names(HEADER, "accelerant::io") == {"Scan", "kMost", "open"}
    assert names(HEADER, "accelerant::memory") == {"Budget"}
    assert names(SOURCE, "accelerant::io") == {"take"}
    assert names(HEADER, "") == set()
