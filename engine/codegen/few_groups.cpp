#include "codegen/few_groups.h"

#include "codegen/group_arguments.h"
#include "codegen/row_pass.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace accelerant::codegen {

using device::DeviceBuffer;

namespace {

int64_t num_groups_of(const std::vector<KeyDomain>& domains) {
  int64_t groups = 1;
  for (const KeyDomain& domain : domains) groups *= domain.num_values + 1;
  return groups;
}

}  // namespace

FewGroups::FewGroups(const RowSteps& steps, const GroupShape& shape)
    : shape_(shape), kernel_(make_few_groups_kernel(steps, shape)) {}

std::optional<std::vector<KeyDomain>> FewGroups::domains_of(const device::DeviceBatch& batch) const {
  const int64_t most_groups = kLocalStateWords / shape_.num_state_words;
  std::vector<KeyDomain> domains;
  int64_t num_groups = 1;
  for (const KeyField& field : shape_.keys) {
    KeyDomain domain;
    domain.stride = static_cast<int32_t>(num_groups);
    domain.num_values = 2;
    if (field.is_coded()) {
      domain.dictionary = batch.columns[static_cast<size_t>(*field.key.input)].dictionary;
      domain.num_values = static_cast<int32_t>(std::min<int64_t>(domain.dictionary->length(), most_groups));
    }
    num_groups *= domain.num_values + 1;
    if (num_groups > most_groups) return std::nullopt;
    domains.push_back(std::move(domain));
  }
  return domains;
}

std::optional<GroupPart> FewGroups::run(device::DeviceStream& stream, const device::KernelEntry& entry,
                                        const device::DeviceBatch& batch, const std::vector<KeyDomain>& domains,
                                        const std::shared_ptr<memory::Budget>& budget) const {
  const int64_t num_groups = num_groups_of(domains);
  std::vector<uint64_t> states(static_cast<size_t>(num_groups * shape_.num_state_words));
  const auto bytes = static_cast<int64_t>(states.size() * sizeof(uint64_t));
  device::MemoryBound bound = RowPass::bound(nullptr, batch.num_rows);
  bound.add(DeviceConstants::bytes_of(kernel_.constants));
  bound.add(bytes);
  const device::StreamReservation reserved(stream, bound);
  const DeviceConstants constants(stream, kernel_.constants);
  RowPass pass(stream, batch);
  const DeviceBuffer memory(stream, bytes);
  stream.fill(memory.as<void>(), 0, bytes);
  GroupArguments groups{};
  groups.states = memory.as<uint64>();
  groups.num_groups = static_cast<int32_t>(num_groups);
  const int64_t copies = kLocalStateWords / static_cast<int64_t>(states.size());
  groups.num_copies =
      static_cast<int32_t>(std::bit_floor(static_cast<uint64_t>(std::min<int64_t>(copies, device::kWarpThreads))));
  for (size_t k = 0; k < domains.size(); ++k) {
    groups.strides[k] = domains[k].stride;
    groups.null_codes[k] = domains[k].num_values;
  }
  if (batch.num_rows > 0) {
    const std::span more(reinterpret_cast<const char*>(&groups), sizeof groups);
    launch_rows(stream, {kernel_, entry, pass.arguments(), batch, {}, constants, more});
  }
  stream.copy_to_host(states.data(), memory.as<void>(), bytes);
  if (!pass.is_sound()) return std::nullopt;
  return part_of(states, domains, budget);
}

GroupPart FewGroups::part_of(const std::vector<uint64_t>& states, const std::vector<KeyDomain>& domains,
                             const std::shared_ptr<memory::Budget>& budget) const {
  const auto width = static_cast<size_t>(shape_.num_state_words);
  GroupPart part;
  std::vector<int32_t> groups;
  for (size_t group = 0; group * width < states.size(); ++group) {
    if (states[group * width] == 0) continue;
    groups.push_back(static_cast<int32_t>(group));
    part.num_rows.push_back(static_cast<int64_t>(states[group * width]));
  }
  part.num_groups = static_cast<int64_t>(groups.size());
  part.keys = keys_of_codes(shape_, domains, groups, budget);
  for (const GroupState& state : shape_.states) {
    const auto offset = static_cast<size_t>(state.offset);
    const auto words = static_cast<size_t>(state.form->num_words);
    std::vector<uint64_t>& own = part.states.emplace_back();
    for (const int32_t group : groups) {
      const uint64_t* first = states.data() + static_cast<size_t>(group) * width + offset;
      own.insert(own.end(), first, first + words);
    }
  }
  complete_states(shape_, part);
  return part;
}

}  // namespace accelerant::codegen
