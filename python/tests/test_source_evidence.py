"""What `make acceptance GROUP=Stairwell` counts in the engine's text."""

import pytest

import acceptance
import extension_figures
import source_evidence
from acceptance_lines import STAIRWELL
from function_sizes import Function, functions

SOURCE = """#pragma once
#define ACC_BODY(x) \\
  int x() { return 1; }
namespace a {
template <class T = std::vector<int>, int N = 3>
class alignas(16) Box final : public Base<T> {
 public:
  explicit Box(int x) : x_{x}, y_(2) {
    z_ = 1;
  }
  int x() const { return x_; }  // {
  bool operator==(const Box& other) const = default;
  bool operator<(const Box& other) const {
    return [&] {
      return x_ < other.x_;
    }();
  }

 private:
  int x_ = int{3};
  const char* text_ = "{ (";
};
constexpr int kValues[] = {1, 2};
enum class E { A, B };
const auto kLambda = [](int i) {
  return i;
};
template <class T = int>
T with_default(T value, std::vector<T> more = {})
  requires(sizeof(T) > 1)
{
  if (value) {
    return 1;
  }
  return '{' + R"({{{)";
}
ACC_LIST(ACC_DECLARE)
namespace {
const char* const kTexts[] = {
    "one",
};
int other() { return 1; }
}  // namespace
}  // namespace a
"""


def test_functions_are_bodies_of_namespaces_and_classes() -> None:
    found = list(functions("x.h", SOURCE))
    assert found == [Function(lines, "x.h", line) for lines, line in ((3, 8), (1, 11), (5, 13), (6, 31), (1, 42))]


@pytest.mark.parametrize(
    "text",
    [
        "dynamic_cast<const operators::SortSink*>(x)",
        "static_cast<SortSink&>(x)",
        "std::dynamic_pointer_cast<operators::SortSink>(x)",
        "node.is<operators::Project>()",
        "x->as<SortSink>()",
        "as_sort_sink(x)",
        "std::any value",
        "class PlanVisitor",
    ],
)
def test_questions_for_classes_are_found(text: str) -> None:
    assert source_evidence.class_questions(["SortSink", "Project"]).search(text)


@pytest.mark.parametrize(
    "text", ["node->is<plan::Project>()", "static_cast<size_t>(i)", "as_they_are(3)", "std::any_of("]
)
def test_other_words_are_not(text: str) -> None:
    assert not source_evidence.class_questions(["SortSink", "Project"]).search(text)


def test_the_lists_of_formats_and_types_get_a_line_more() -> None:
    for extension in (extension_figures.FORMAT, extension_figures.TYPE):
        before = (extension_figures.ENGINE / extension.header).read_text().splitlines()
        after = extension_figures.lengthened(extension).splitlines()
        (line,) = set(after) - set(before)
        assert "Scratch" in line
        assert len(after) == len(before) + 1
        assert "{code}" not in line


def test_what_knows_members_of_the_lists_is_found() -> None:
    names = [path.name for path in extension_figures.knowing(extension_figures.FORMAT)]
    assert names == ["format_options.cpp", "open_files.cpp", "read_settings.cpp"]
    assert "data_type.cpp" in [path.name for path in extension_figures.knowing(extension_figures.TYPE)]


def test_the_group_is_chosen_by_its_name() -> None:
    assert acceptance.chosen_lines("stairwell") == STAIRWELL
