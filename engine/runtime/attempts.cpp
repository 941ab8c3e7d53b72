#include "runtime/attempts.h"

namespace accelerant::runtime {

namespace {

/// So many reservations of a step all wait.
constexpr int64_t kAll = 16;

}  // namespace

execution::EventPtr Attempts::fired_event() {
  auto event = std::make_shared<execution::Event>();
  event->fire();
  return event;
}

void Attempts::go_on() {
  const auto most = static_cast<uint64_t>(reservation_ < kAll ? 1 : reservation_);
  reservation_ += 1 + static_cast<int64_t>(random_() % most);
}

}  // namespace accelerant::runtime
