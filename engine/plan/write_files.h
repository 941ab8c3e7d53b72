#pragma once

#include "plan/binding.h"
#include "plan/node_fields.h"

namespace accelerant::plan {

/// Binds WriteFilesExec, the root of a plan whose rows the engine writes as files: its rows are those to be written.
Relation bind_write_files(Binding& binding, NodeFields& fields);

}  // namespace accelerant::plan
