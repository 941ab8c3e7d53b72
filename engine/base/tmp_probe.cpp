#include "base/version.h"
namespace accelerant { const char* probe() { return kVersion; } }
