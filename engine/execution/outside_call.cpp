#include "execution/outside_call.h"

namespace accelerant::execution {

namespace {

thread_local StandIn* stand_in_of_thread = nullptr;

}  // namespace

void set_stand_in(StandIn* stand_in) { stand_in_of_thread = stand_in; }

OutsideCall::OutsideCall() : stand_in_(stand_in_of_thread) {
  if (stand_in_) stand_in_->begin(*this);
}

OutsideCall::~OutsideCall() {
  if (stand_in_) stand_in_->end(*this);
}

}  // namespace accelerant::execution
