#include "options.h"

#include "base/error.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace accelerant::gpu_check {

namespace {

constexpr const char* kWithValue[] = {"--device", "--scale", "--json", "--only", "--damage"};

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::User, what + "; --help shows the options"); }

double scale_of(const std::string& text) {
  double scale = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  // 2^31 rows are the most that a batch has.
  if (!is_number || !(scale > 0) || scale > 300) refuse("--scale " + text + " is no number above 0, up to 300");
  return scale;
}

int64_t bytes_of(const std::string& text) {
  int64_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || bytes < 1) refuse("--damage " + text + " is no number above 0");
  return bytes;
}

bool is_emulator(const std::string& text) {
  if (text != "emu" && text != "gpu") refuse("--device " + text + " is neither emu nor gpu");
  return text == "emu";
}

}  // namespace

Options Options::parse(const std::vector<std::string>& words) {
  Options options;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--help") {
      options.help = true;
      continue;
    }
    if (std::ranges::find(kWithValue, words[i]) == std::end(kWithValue)) refuse(words[i] + " is no option");
    if (i + 1 == words.size()) refuse(words[i] + " needs a value");
    const std::string& name = words[i];
    const std::string& value = words[++i];
    if (name == "--device") options.is_emulated = is_emulator(value);
    if (name == "--scale") options.scale = scale_of(value);
    if (name == "--json") options.json = value;
    if (name == "--only") options.only = value;
    if (name == "--damage") options.damaged_bytes = bytes_of(value);
  }
  if (options.damaged_bytes > 0 && !options.is_emulated) refuse("--damage is of --device emu");
  return options;
}

const char* usage() {
  return "accelerant-gpu-check: proves the engine's kernels on this machine's GPU against the host, and measures "
         "them.\n"
         "\n"
         "  --device gpu|emu  the first GPU (default), or the emulator, whose rates mean nothing\n"
         "  --scale N         of TPC-H for pipelines, 6 million rows each; default 1\n"
         "  --json FILE       leaves what is found there too\n"
         "  --only WORD       does what has the word in its name, e.g. sort, Q1, rows, measure\n"
         "  --damage BYTES    changes what the emulator emits in pieces of so many bytes or more: to see checks "
         "fail\n"
         "\n"
         "Kernels are compiled by NVRTC: the library that ACCELERANT_NVRTC names, else libnvrtc.so.13.\n"
         "Ends with 0 where all is equal, 1 where something is not, 2 where it could not run.\n";
}

}  // namespace accelerant::gpu_check
