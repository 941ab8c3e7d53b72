#include "device/emulator/fault_report.h"

#include "base/error.h"
#include "device/emulator/emulator.h"

#include <csignal>
#include <string>
#include <unistd.h>

namespace accelerant::device::emulator {

namespace {

const Emulator* reported = nullptr;
struct sigaction usual;

void report(int, siginfo_t* fault, void*) {
  const std::string text = "fault: " + reported->describe(fault->si_addr) + "\n";
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  // The access is made again when this returns, and now takes its usual course.
  sigaction(SIGSEGV, &usual, nullptr);
}

}  // namespace

FaultReport::FaultReport(const Emulator& device) {
  ACC_CHECK(reported == nullptr);
  reported = &device;
  struct sigaction action {};
  action.sa_sigaction = &report;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &usual);
}

FaultReport::~FaultReport() {
  sigaction(SIGSEGV, &usual, nullptr);
  reported = nullptr;
}

}  // namespace accelerant::device::emulator
