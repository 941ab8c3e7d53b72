#pragma once

#include "execution/context.h"
#include "memory/budget.h"
#include "spill/io_threads.h"
#include "spill/spill_folders.h"
#include "spill/spill_target.h"
#include "spill/test_file_system.h"

#include <gtest/gtest.h>

#include <memory>

namespace accelerant::operators::test {

/// Operators whose rows go to folders in memory: only tests include this.
class SpillingTest : public testing::Test {
 protected:
  spill::test::FakeFileSystem system_;
  spill::IoThreads threads_{2};
  spill::SpillFolders folders_{{.folders = {"/a", "/b"}}, system_};
  std::shared_ptr<memory::Budget> budget_;
  std::shared_ptr<spill::SpillTarget> target_;
  execution::Metrics metrics_;
};

}  // namespace accelerant::operators::test
