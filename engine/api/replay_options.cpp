#include "api/replay_options.h"

#include "base/error.h"

#include <cctype>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <string_view>

namespace accelerant::api {

namespace {

[[noreturn]] void throw_bad_option(std::string message) { throw Error(ErrorKind::User, std::move(message)); }

/// Parses a number from 1 to the greatest that T holds.
template <class T>
T parse_count(std::string_view option, std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = end == text.data() + text.size() && error != std::errc::invalid_argument;
  if (!is_number || text.starts_with('-') || (error == std::errc() && value < 1)) {
    throw_bad_option(std::string(option) + " " + std::string(text) + ": not a number of at least 1");
  }
  if (error != std::errc()) {
    throw_bad_option(std::string(option) + " " + std::string(text) + ": more than " +
                     std::to_string(std::numeric_limits<T>::max()));
  }
  return value;
}

std::pair<std::string, std::string> parse_map(const std::string& text) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0) throw_bad_option("--map " + text + ": OLD=NEW is due");
  return {text.substr(0, at), text.substr(at + 1)};
}

using Setter = std::function<void(ReplayOptions&, const std::string&)>;

/// Options that take a value.
const std::map<std::string_view, Setter>& setters() {
  static const std::map<std::string_view, Setter> kSetters = {
      {"--map", [](auto& options, auto& text) { options.path_maps.push_back(parse_map(text)); }},
      {"--json", [](auto& options, auto& text) { options.json = text; }},
      {"--threads", [](auto& options, auto& text) { options.threads = parse_count<int64_t>("--threads", text); }},
      {"--batch-rows",
       [](auto& options, auto& text) { options.batch_rows = parse_count<int64_t>("--batch-rows", text); }},
      {"--memory-limit", [](auto& options, auto& text) { options.memory_limit_bytes = parse_bytes(text); }},
      {"--device", [](auto& options, auto& text) { options.device = text; }},
      {"--repeat", [](auto& options, auto& text) { options.repeat = parse_count<int>("--repeat", text); }},
      {"--fail-reservations",
       [](auto& options, auto& text) {
         options.failed_reservations = parse_count<uint64_t>("--fail-reservations", text);
       }},
  };
  return kSetters;
}

}  // namespace

const char* replay_usage() {
  return "usage: accelerant-replay FILE [options]\n"
         "\n"
         "Runs a captured query on the engine alone and compares its answer with Spark's.\n"
         "\n"
         "  --map OLD=NEW         read files below NEW that were captured below OLD; may be repeated\n"
         "  --json OUT            write the report as JSON\n"
         "  --threads N           worker threads (default: as captured)\n"
         "  --batch-rows N        rows of a batch (default: as captured)\n"
         "  --memory-limit BYTES  budget of the query, e.g. 512m (default: as captured)\n"
         "  --device PLACE        where pipelines run: auto, cpu, gpu, emu (default: as captured)\n"
         "  --repeat K            run K times\n"
         "  --fail-reservations SEED\n"
         "                        run again and again, each time with one or two reservations of memory failing\n"
         "  --fail-disk           run again and again, each time with a disk that is full, or that flips a bit\n"
         "  --version, --help\n"
         "\n"
         "Exit status: 0 the answer is Spark's, 1 it is not, 2 the query could not be run.\n";
}

int64_t parse_bytes(const std::string& text) {
  constexpr std::string_view kSuffixes = "kmgt";
  std::string_view digits = text;
  int shift = 0;
  if (!digits.empty()) {
    const size_t suffix = kSuffixes.find(static_cast<char>(std::tolower(static_cast<unsigned char>(digits.back()))));
    if (suffix != std::string_view::npos) {
      shift = 10 * static_cast<int>(suffix + 1);
      digits.remove_suffix(1);
    }
  }
  const int64_t value = parse_count<int64_t>("--memory-limit", digits);
  if (value > (INT64_MAX >> shift)) throw_bad_option("--memory-limit " + text + ": too large");
  return value << shift;
}

ReplayOptions ReplayOptions::parse(std::span<const char* const> arguments) {
  ReplayOptions options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string argument = arguments[i];
    const auto setter = setters().find(argument);
    if (argument == "--help" || argument == "-h") {
      options.help = true;
    } else if (argument == "--fail-disk") {
      options.fails_disk = true;
    } else if (argument == "--version") {
      options.version = true;
    } else if (setter != setters().end()) {
      if (++i == arguments.size()) throw_bad_option(argument + " needs a value");
      setter->second(options, arguments[i]);
    } else if (argument.starts_with("-")) {
      throw_bad_option("unknown option " + argument);
    } else if (!options.capture.empty()) {
      throw_bad_option("one captured query at a time: " + argument);
    } else {
      options.capture = argument;
    }
  }
  const bool fails = options.failed_reservations || options.fails_disk;
  if (options.failed_reservations && options.fails_disk) {
    throw_bad_option("--fail-reservations and --fail-disk: one at a time");
  }
  if (fails && (options.repeat != 1 || !options.json.empty())) {
    throw_bad_option("--fail-reservations and --fail-disk have neither --repeat nor --json");
  }
  if (options.capture.empty() && !options.help && !options.version) throw_bad_option("which captured query?");
  return options;
}

}  // namespace accelerant::api
