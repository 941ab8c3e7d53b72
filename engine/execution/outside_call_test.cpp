#include "execution/outside_call.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace accelerant::execution {
namespace {

enum class Told { Begin, End };
using Notes = std::vector<std::pair<Told, const OutsideCall*>>;

/// A stand-in that writes down what it is told.
class NotingStandIn final : public StandIn {
 public:
  void begin(const OutsideCall& call) override { notes_.emplace_back(Told::Begin, &call); }
  void end(const OutsideCall& call) override { notes_.emplace_back(Told::End, &call); }

  const Notes& notes() const { return notes_; }

 private:
  Notes notes_;
};

/// Calls of a thread that has a stand-in.
class OutsideCallTest : public testing::Test {
 protected:
  OutsideCallTest() { set_stand_in(&stand_in_); }
  ~OutsideCallTest() override { set_stand_in(nullptr); }

  NotingStandIn stand_in_;
};

TEST_F(OutsideCallTest, TellsOfItsBeginAndItsEnd) {
  const OutsideCall* known = nullptr;
  {
    const OutsideCall call;
    known = &call;
    EXPECT_EQ(stand_in_.notes(), (Notes{{Told::Begin, known}}));
  }
  EXPECT_EQ(stand_in_.notes(), (Notes{{Told::Begin, known}, {Told::End, known}}));
}

TEST_F(OutsideCallTest, TellsOfACallWithinAnother) {
  const OutsideCall* first = nullptr;
  const OutsideCall* second = nullptr;
  {
    const OutsideCall outer;
    first = &outer;
    const OutsideCall inner;
    second = &inner;
  }
  EXPECT_NE(first, second);
  EXPECT_EQ(stand_in_.notes(),
            (Notes{{Told::Begin, first}, {Told::Begin, second}, {Told::End, second}, {Told::End, first}}));
}

TEST_F(OutsideCallTest, EndsWhereCodeOutsideFails) {
  const auto fail = [] {
    const OutsideCall call;
    throw std::runtime_error("code outside");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  ASSERT_EQ(stand_in_.notes().size(), 2U);
  EXPECT_EQ(stand_in_.notes().back().first, Told::End);
}

TEST_F(OutsideCallTest, TellsWhomItToldOfItsBegin) {
  NotingStandIn later;
  {
    const OutsideCall call;
    set_stand_in(&later);
  }
  EXPECT_EQ(stand_in_.notes().size(), 2U);
  EXPECT_TRUE(later.notes().empty());
}

TEST_F(OutsideCallTest, TellsNobodyOnAThreadWithoutStandIn) {
  std::jthread([] { const OutsideCall call; }).join();
  EXPECT_TRUE(stand_in_.notes().empty());
  set_stand_in(nullptr);
  { const OutsideCall call; }
  EXPECT_TRUE(stand_in_.notes().empty());
}

TEST_F(OutsideCallTest, TellsTheStandInOfItsOwnThread) {
  NotingStandIn other;
  std::jthread([&other] {
    set_stand_in(&other);
    const OutsideCall call;
  }).join();
  EXPECT_EQ(other.notes().size(), 2U);
  EXPECT_TRUE(stand_in_.notes().empty());
}

}  // namespace
}  // namespace accelerant::execution
