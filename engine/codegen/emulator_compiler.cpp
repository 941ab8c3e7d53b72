#include "codegen/emulator_compiler.h"

#include "base/error.h"
#include "codegen/embedded_headers.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

namespace accelerant::codegen {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCompiler = "c++";
constexpr const char* kEntryFunction = "accelerant_kernel_entry";

/// Runs a program and waits for it; what it says goes to a file. Returns its exit status, -1 where it did not start.
int run(const std::vector<std::string>& command, const fs::path& output) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::Resource, "cannot write " + path.string());
}

/// A kernel in an open library.
class LibraryKernel final : public CompiledKernel {
 public:
  explicit LibraryKernel(const fs::path& path) : library_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw Error(ErrorKind::Internal, std::string("a kernel cannot be loaded: ") + dlerror());
    const auto get_entry = reinterpret_cast<void (*)(device::KernelEntry*)>(dlsym(library_, kEntryFunction));
    ACC_CHECK(get_entry != nullptr);
    get_entry(&entry_);
  }
  ~LibraryKernel() override { dlclose(library_); }
  LibraryKernel(const LibraryKernel&) = delete;
  LibraryKernel& operator=(const LibraryKernel&) = delete;

  const device::KernelEntry& entry() const override { return entry_; }

 private:
  void* const library_;
  device::KernelEntry entry_{};
};

/// Folders are named by the process that they belong to.
constexpr std::string_view kFolderPrefix = "accelerant-kernels-";

/// Removes the folders of processes that are gone.
void remove_left_folders(const fs::path& parent) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kFolderPrefix)) continue;
    const long process = std::strtol(name.c_str() + kFolderPrefix.size(), nullptr, 10);
    if (process > 0 && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) fs::remove_all(entry, ignored);
  }
}

/// Folders that are removed when the process ends.
class OwnFolders {
 public:
  ~OwnFolders() {
    std::error_code ignored;
    for (const fs::path& folder : folders_) fs::remove_all(folder, ignored);
  }
  void add(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    folders_.push_back(folder);
  }

 private:
  std::mutex mutex_;
  std::vector<fs::path> folders_;
};

fs::path make_folder() {
  static OwnFolders own;
  const fs::path parent = fs::temp_directory_path();
  remove_left_folders(parent);
  std::string name = parent / (std::string(kFolderPrefix) + std::to_string(getpid()) + "-XXXXXX");
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorKind::Resource, "cannot make a folder " + name + ": " + std::strerror(errno));
  }
  own.add(name);
  return name;
}

/// Adds what hands a kernel over.
std::string with_entry(const KernelText& text) {
  return text.text + "#include \"device/emulator/block.h\"\nextern \"C\" void " + kEntryFunction +
         "(accelerant::device::KernelEntry* entry) {\n  *entry = accelerant::device::emulator::entry_of<"
         "accelerant::generated::" +
         text.name + ">();\n}\n";
}

}  // namespace

EmulatorCompiler::EmulatorCompiler() : folder_(make_folder()) {
  if (run({kCompiler, "--version"}, folder_ / "version") != 0) {
    throw Error(ErrorKind::Resource, std::string("the emulator needs a C++ compiler: ") + kCompiler + " does not run");
  }
  for (const auto& [header, text] : embedded_headers()) write_file(folder_ / "include" / header, text);
}

std::shared_ptr<const CompiledKernel> EmulatorCompiler::find(const KernelText& text) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const CompiledKernel>& kernel = kernels_[text.text];
  if (!kernel) kernel = compile(text);
  return kernel;
}

execution::EventPtr EmulatorCompiler::next_compiled() {
  auto event = std::make_shared<execution::Event>();
  event->fire();
  return event;
}

std::shared_ptr<const CompiledKernel> EmulatorCompiler::compile(const KernelText& text) const {
  if (const char* kept = std::getenv("ACCELERANT_KERNELS")) write_file(fs::path(kept) / (text.name + ".h"), text.text);
  const fs::path source = folder_ / (text.name + ".cpp");
  const fs::path library = folder_ / (text.name + ".so");
  const fs::path output = folder_ / (text.name + ".txt");
  write_file(source, with_entry(text));
  // As the host computes: no contraction to fused multiply-adds.
  std::vector<std::string> command = {kCompiler, "-std=c++20", "-O1", "-w", "-ffp-contract=off", "-fPIC", "-shared"};
  if (std::strlen(ACCELERANT_SANITIZE) > 0) {
    command.insert(command.end(), {"-fsanitize=" ACCELERANT_SANITIZE, "-fno-sanitize-recover=all", "-g1"});
  }
  command.insert(command.end(), {"-I" + (folder_ / "include").string(), source.string(), "-o", library.string()});
  if (run(command, output) != 0) {
    throw Error(ErrorKind::Internal, "kernel " + text.name + " does not compile: " + read_file(output));
  }
  auto kernel = std::make_shared<LibraryKernel>(library);
  fs::remove(library);
  return kernel;
}

}  // namespace accelerant::codegen
