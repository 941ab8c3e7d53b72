#include "planner/device_placement.h"

#include "base/error.h"

#include <algorithm>
#include <utility>

namespace accelerant::planner {

using execution::DeviceChoice;
using operators::DeviceGrouping;

namespace {

bool has_device_shape(const Stage& stage) {
  return has_grouping_shape(stage) || std::ranges::any_of(stage.feeds, has_row_shape);
}

/// Says whether a device can read what a scan reads; true where its files are not known.
bool reads_pages(const plan::Node& scan, const Tables* tables) {
  return !tables || tables->at(scan.plan_node)->has_encoded_scan();
}

DeviceRefusal no_pages() { return {"its files have no pages that a device reads"}; }

std::string on_host(const std::string& reason) { return "on the host: " + reason; }

}  // namespace

OpenedDevice open_device(DeviceChoice choice) {
  return choice == DeviceChoice::Emulator ? codegen::open_emulator() : codegen::open_gpu();
}

DevicePlacement::DevicePlacement(const PlacementOptions& options)
    : DevicePlacement(options, [choice = options.device] { return open_device(choice); }) {}

DevicePlacement::DevicePlacement(const PlacementOptions& options, Opener opener)
    : options_(options), open_(std::move(opener)) {}

bool DevicePlacement::is_wanted() {
  return options_.device != DeviceChoice::Cpu && (is_forced() || find().device != nullptr);
}

void DevicePlacement::place(Stage& stage, const Tables* tables) {
  if (!is_wanted() || !has_device_shape(stage)) return;
  const Found found = find();
  if (has_grouping_shape(stage) && place_grouping(found, stage, tables)) return;
  for (Feed& feed : stage.feeds) {
    if (has_row_shape(feed)) place_feed(found, stage, feed, tables);
  }
}

bool DevicePlacement::place_grouping(const Found& found, Stage& stage, const Tables* tables) const {
  const int plan_node = stage.breaker->plan_node;
  if (!found.device) {
    stage.notes.push_back({plan_node, refuse(stage, found.reason)});
    return true;
  }
  auto planned = plan_device_grouping(stage);
  if (!reads_pages(*stage.feeds.front().source, tables)) planned = no_pages();
  if (const auto* refusal = std::get_if<DeviceRefusal>(&planned)) {
    stage.notes.push_back({plan_node, refuse(stage, refusal->reason)});
    return false;
  }
  auto& grouping = std::get<DeviceGrouping>(planned);
  const Choice choice = choose(*found.device, stage, grouping, tables);
  stage.notes.push_back({plan_node, choice.text});
  if (choice.is_device) {
    Feed& feed = stage.feeds.front();
    feed.device_nodes = device_nodes(feed, feed.transforms.size());
    stage.device_grouping = std::make_shared<const DeviceGrouping>(std::move(grouping));
  }
  return true;
}

void DevicePlacement::place_feed(const Found& found, Stage& stage, Feed& feed, const Tables* tables) const {
  auto planned = plan_device_feed(feed);
  if (!reads_pages(*feed.source, tables)) planned = no_pages();
  if (const auto* refusal = std::get_if<DeviceRefusal>(&planned)) {
    const std::string& reason = found.device ? refusal->reason : found.reason;
    stage.notes.push_back({feed.source->plan_node, refuse(stage, reason)});
    return;
  }
  auto& steps = std::get<DeviceFeed>(planned);
  const plan::Node& last = steps.num_transforms == 0 ? *feed.source : *feed.transforms[steps.num_transforms - 1];
  if (!found.device) {
    stage.notes.push_back({last.plan_node, refuse(stage, found.reason)});
    return;
  }
  const Choice choice = choose(*found.device, feed, steps, tables);
  stage.notes.push_back({last.plan_node, choice.text});
  if (choice.is_device) {
    feed.device_nodes = device_nodes(feed, steps.num_transforms);
    feed.device = std::make_shared<const DeviceFeed>(std::move(steps));
  }
}

template <class Pipeline, class Planned>
DevicePlacement::Choice DevicePlacement::choose(codegen::Accelerator& device, const Pipeline& pipeline,
                                                const Planned& planned, const Tables* tables) const {
  if (!tables) return {true, "on a device: " + device.name()};
  Estimator estimator(*tables);
  const PlacementCosts costs =
      costs_of(work_of(pipeline, planned, *tables, estimator), device.rates(), host_rates(), options_.num_threads);
  const std::string there = show_seconds(costs.device_seconds);
  const std::string here = show_seconds(costs.host_seconds);
  if (is_forced() || costs.is_faster_on_device()) {
    return {true, "on a device: " + device.name() + ", " + there + " there, " + here + " on the host"};
  }
  return {false, on_host(here + ", " + there + " on " + device.name())};
}

std::string DevicePlacement::refuse(Stage& stage, const std::string& reason) const {
  if (options_.is_strict && is_forced() && !stage.refusal) stage.refusal = reason;
  return on_host(reason);
}

DevicePlacement::Found DevicePlacement::find() {
  if (!accelerator_) {
    auto opened = open_();
    if (const auto* unavailable = std::get_if<codegen::Unavailable>(&opened)) return {nullptr, unavailable->reason};
    accelerator_ = std::get<std::shared_ptr<codegen::Accelerator>>(std::move(opened));
    try {
      accelerator_->rates();
    } catch (const Error& error) {
      accelerator_->give_up(error.message());
    }
  }
  if (const auto failure = accelerator_->failure()) return {nullptr, "it was given up: " + *failure};
  return {accelerator_, ""};
}

}  // namespace accelerant::planner
