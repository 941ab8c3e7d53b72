#include "codegen/many_groups.h"

#include "base/error.h"
#include "codegen/group_arguments.h"
#include "device/primitives/update_groups.h"

#include <algorithm>
#include <utility>

namespace accelerant::codegen {

using device::DeviceBuffer;

namespace {

/// Room for the first groups; a table that is full becomes four times as large.
constexpr int64_t kFirstGroups = int64_t{1} << 12;
constexpr int64_t kGrowth = 4;

using Words = std::vector<std::vector<uint64_t>>;

/// Drops groups of no rows: their batch did not fit after all.
/// @param states by call, the numbers of rows first
void drop_empty(Words& states, Words& keys) {
  const std::vector<uint64_t> num_rows = states[0];
  if (std::ranges::find(num_rows, 0u) == num_rows.end()) return;
  const auto drop = [&](std::vector<uint64_t>& words) {
    const size_t width = words.size() / num_rows.size();
    std::vector<uint64_t> kept;
    for (size_t group = 0; group < num_rows.size(); ++group) {
      const auto first = words.begin() + static_cast<ptrdiff_t>(group * width);
      if (num_rows[group] > 0) kept.insert(kept.end(), first, first + static_cast<ptrdiff_t>(width));
    }
    words = std::move(kept);
  };
  std::ranges::for_each(states, drop);
  std::ranges::for_each(keys, drop);
}

}  // namespace

int32_t DeviceGroups::state_words(size_t state) const {
  return state == 0 ? RowsOfGroup::kNumWords : shape_.states[state - 1].form->num_words;
}

int64_t DeviceGroups::state_bytes(size_t state, int64_t num_groups) const {
  return num_groups * state_words(state) * static_cast<int64_t>(sizeof(uint64_t));
}

int64_t DeviceGroups::state_bytes_of_all(int64_t num_groups) const {
  int64_t bytes = 0;
  for (size_t state = 0; state <= shape_.states.size(); ++state) bytes += state_bytes(state, num_groups);
  return bytes;
}

device::MemoryBound DeviceGroups::table_bound(int64_t max_groups) const {
  device::MemoryBound bound;
  bound.add(device::group_table_bytes(shape_.num_key_words, max_groups));
  for (size_t state = 0; state <= shape_.states.size(); ++state) bound.add(state_bytes(state, max_groups));
  return bound;
}

DeviceGroups::Memory DeviceGroups::allocate(device::DeviceStream& stream, int64_t max_groups) const {
  Memory made;
  made.table_memory = DeviceBuffer(stream, device::group_table_bytes(shape_.num_key_words, max_groups));
  made.table = {shape_.num_key_words, max_groups, made.table_memory.as<void>()};
  for (size_t state = 0; state <= shape_.states.size(); ++state) {
    const int64_t bytes = state_bytes(state, max_groups);
    made.states.emplace_back(stream, bytes);
    stream.fill(made.states.back().as<void>(), 0, bytes);
  }
  device::clear_groups(stream, made.table);
  return made;
}

void DeviceGroups::grow(device::DeviceStream& stream) {
  const int64_t num_groups = memory_->table.max_groups;
  const device::StreamReservation reserved(stream, table_bound(num_groups * kGrowth));
  Memory larger = allocate(stream, num_groups * kGrowth);
  device::move_groups(stream, memory_->table, larger.table);
  for (size_t state = 0; state < larger.states.size(); ++state) {
    stream.copy_on_device(larger.states[state].as<void>(), memory_->states[state].as<void>(),
                          state_bytes(state, num_groups));
  }
  memory_ = std::move(larger);
}

int64_t DeviceGroups::read_num_groups(device::DeviceStream& stream) const {
  uint64_t num_groups = 0;
  stream.copy_to_host(&num_groups, device::num_groups_of(memory_->table), sizeof num_groups);
  stream.synchronize();
  return static_cast<int64_t>(num_groups);
}

device::MemoryBound DeviceGroups::bound(int64_t num_rows) const {
  device::MemoryBound bound;
  if (!memory_) bound = table_bound(kFirstGroups);
  bound.add(num_rows, sizeof(int32_t));
  return bound;
}

void DeviceGroups::update(device::DeviceStream& stream, const device::KernelEntry& updates,
                          const device::GroupKeys& words, std::span<const OutputView> inputs) {
  if (words.num_rows == 0) return;
  std::optional<device::StreamReservation> reserved(std::in_place, stream, bound(words.num_rows));
  if (!memory_) memory_ = allocate(stream, kFirstGroups);
  const DeviceBuffer groups(stream, words.num_rows * static_cast<int64_t>(sizeof(int32_t)));
  reserved.reset();
  device::group_rows(stream, memory_->table, words, groups.as<int32_t>());
  int64_t num_groups = read_num_groups(stream);
  while (num_groups > memory_->table.max_groups) {
    grow(stream);
    device::group_rows(stream, memory_->table, words, groups.as<int32_t>());
    num_groups = read_num_groups(stream);
  }
  std::vector<device::kernels::GroupColumn> columns = {{nullptr, nullptr, memory_->states[0].as<uint64>()}};
  for (size_t i = 0; i < shape_.states.size(); ++i) {
    columns.push_back(
        {inputs[i].values, reinterpret_cast<const uint8*>(inputs[i].validity), memory_->states[i + 1].as<uint64>()});
  }
  device::update_groups(stream, updates,
                        {groups.as<const int32_t>(), words.num_rows, num_groups, shape_.num_state_words, columns});
  stream.synchronize();
}

std::optional<GroupPart> DeviceGroups::take(device::DeviceStream& stream, std::span<const KeyDictionary> dictionaries,
                                            const std::shared_ptr<memory::Budget>& budget) {
  if (!memory_) return std::nullopt;
  const auto num_groups = static_cast<size_t>(std::min(read_num_groups(stream), memory_->table.max_groups));
  const int64_t part_bytes = state_bytes_of_all(static_cast<int64_t>(num_groups));
  const auto key_bytes = static_cast<int64_t>(num_groups * sizeof(uint64_t)) * shape_.num_key_words;
  // A copy of each may be made.
  memory::Reservation reservation(budget, 2 * part_bytes + 2 * key_bytes);
  Words keys(static_cast<size_t>(shape_.num_key_words));
  Words states(memory_->states.size());
  const auto read = [&](std::vector<uint64_t>& to, const uint64_t* from, size_t num_words) {
    to.resize(num_words);
    if (num_words > 0) stream.copy_to_host(to.data(), from, static_cast<int64_t>(num_words * sizeof(uint64_t)));
  };
  for (size_t word = 0; word < keys.size(); ++word) {
    read(keys[word], device::group_keys_of(memory_->table, static_cast<int32_t>(word)), num_groups);
  }
  for (size_t state = 0; state < states.size(); ++state) {
    read(states[state], memory_->states[state].as<uint64_t>(), num_groups * static_cast<size_t>(state_words(state)));
  }
  stream.synchronize();
  drop_empty(states, keys);
  GroupPart part;
  part.keys = keys_of_words(shape_, keys, dictionaries, budget);
  part.num_groups = static_cast<int64_t>(states[0].size());
  part.num_rows.assign(states[0].begin(), states[0].end());
  part.states.assign(std::make_move_iterator(states.begin() + 1), std::make_move_iterator(states.end()));
  complete_states(shape_, part);
  reservation.resize(part_bytes);
  part.reservation = std::move(reservation);
  memory_.reset();
  return part;
}

ManyGroups::ManyGroups(const RowSteps& steps, const GroupShape& shape)
    : shape_(shape),
      inputs_(make_group_inputs_kernel(steps, shape)),
      updates_(make_group_updates_kernel(shape)),
      groups_(shape),
      dictionaries_(shape.keys.size()) {
  if (has_filter(steps)) filter_ = make_filter_kernel(steps);
}

int64_t ManyGroups::input_bytes(size_t output, int64_t num_rows) const {
  const auto num_words = static_cast<size_t>(shape_.num_key_words);
  if (output < num_words) return num_rows * static_cast<int64_t>(sizeof(uint64_t));
  const GroupState& state = shape_.states[output - num_words];
  if (!has_input(state)) return 0;
  return num_rows * (state.takes_value() ? types::width_of(state.value) : 1);
}

device::MemoryBound ManyGroups::inputs_bound(const device::DeviceBatch& batch, int64_t num_rows) const {
  device::MemoryBound bound;
  for (const KeyField& field : shape_.keys) {
    if (!field.is_coded()) continue;
    bound.add(batch.columns[static_cast<size_t>(*field.key.input)].dictionary->length(), sizeof(int32_t));
  }
  for (size_t output = 0; output < static_cast<size_t>(shape_.num_key_words) + shape_.states.size(); ++output) {
    bound.add(input_bytes(output, num_rows));
    bound.add(device::bitmap_bytes(num_rows));
  }
  return bound;
}

bool ManyGroups::update(device::DeviceStream& stream, const Entries& entries, const device::DeviceBatch& batch,
                        const std::shared_ptr<memory::Budget>& budget) {
  std::vector<std::vector<int32_t>> numbers(shape_.keys.size());
  device::MemoryBound bound = RowPass::bound(filter_ ? &*filter_ : nullptr, batch.num_rows);
  bound.add(DeviceConstants::bytes_of(inputs_.constants));
  std::optional<device::StreamReservation> reserved(std::in_place, stream, bound);
  const DeviceConstants constants(stream, inputs_.constants);
  RowPass pass(stream, batch);
  if (filter_ && !pass.filter(*filter_, *entries.filter)) return false;
  if (pass.num_rows() == 0) return true;
  reserved.reset();
  reserved.emplace(stream, inputs_bound(batch, pass.num_rows()));
  std::vector<DeviceBuffer> memory;
  const auto make = [&](int64_t bytes) { return memory.emplace_back(stream, bytes).as<void>(); };
  GroupArguments more{};
  for (size_t k = 0; k < shape_.keys.size(); ++k) {
    const KeyField& field = shape_.keys[k];
    if (!field.is_coded()) continue;
    numbers[k] = dictionaries_[k].number(*batch.columns[static_cast<size_t>(*field.key.input)].dictionary, budget);
    const auto bytes = static_cast<int64_t>(numbers[k].size() * sizeof(int32_t));
    void* to = make(bytes);
    if (bytes > 0) stream.copy_to_device(to, numbers[k].data(), bytes);
    more.renumbered[k] = static_cast<const int32_t*>(to);
  }
  const int64_t num_rows = pass.num_rows();
  std::vector<OutputView> made;
  for (int32_t word = 0; word < shape_.num_key_words; ++word) {
    made.push_back({make(input_bytes(static_cast<size_t>(word), num_rows)), nullptr});
  }
  std::vector<OutputView> inputs;
  for (size_t i = 0; i < shape_.states.size(); ++i) {
    OutputView& input = inputs.emplace_back();
    if (!has_input(shape_.states[i])) continue;
    input.values = make(input_bytes(static_cast<size_t>(shape_.num_key_words) + i, num_rows));
    if (shape_.states[i].nullable) input.validity = static_cast<uint32*>(make(device::bitmap_bytes(num_rows)));
    made.push_back(input);
  }
  const std::span extra(reinterpret_cast<const char*>(&more), sizeof more);
  launch_rows(stream, {inputs_, *entries.inputs, pass.arguments(), batch, made, constants, extra});
  reserved.reset();
  if (!pass.is_sound()) return false;
  device::GroupKeys words{{}, num_rows};
  for (int32_t word = 0; word < shape_.num_key_words; ++word) {
    words.words[word] = static_cast<const uint64_t*>(made[static_cast<size_t>(word)].values);
  }
  groups_.update(stream, *entries.updates, words, inputs);
  return true;
}

}  // namespace accelerant::codegen
