#include "codegen/fused_groups.h"

#include "base/why_unsupported.h"
#include "codegen/few_groups.h"
#include "codegen/group_shape.h"
#include "codegen/many_groups.h"

#include <algorithm>
#include <utility>

namespace accelerant::codegen {

namespace {

/// The ways to make the groups, of which a batch goes one.
struct GroupWays {
  GroupWays(const RowSteps& steps, int num_keys, const std::vector<GroupCall>& calls)
      : shape(make_group_shape(steps, num_keys, calls)) {
    if (shape.has_small_domain()) few.emplace(steps, shape);
    if (num_keys > 0 && shape.num_key_words <= kMostKeyWords) many.emplace(steps, shape);
  }
  GroupWays(const GroupWays&) = delete;
  GroupWays& operator=(const GroupWays&) = delete;

  const GroupShape shape;
  std::optional<FewGroups> few;
  std::optional<ManyGroups> many;
};

}  // namespace

struct FusedGroups::Impl : GroupWays {
  Impl(const RowSteps& steps, int num_keys, const std::vector<GroupCall>& calls, KernelCompiler& kernel_compiler)
      : GroupWays(steps, num_keys, calls), compiler(kernel_compiler) {}

  /// Asks for a kernel that is not there yet.
  bool find(const KernelText& text, std::shared_ptr<const CompiledKernel>& kernel) {
    if (!kernel) kernel = compiler.find(text);
    return kernel != nullptr;
  }

  bool few_is_ready() { return find(few->kernel().text, few_kernel); }
  bool many_is_ready() {
    const bool has_filter_kernel = !many->filter() || find(many->filter()->text, filter_kernel);
    const bool has_inputs_kernel = find(many->inputs().text, inputs_kernel);
    return find(many->updates(), updates_kernel) && has_inputs_kernel && has_filter_kernel;
  }

  KernelCompiler& compiler;
  std::shared_ptr<const CompiledKernel> few_kernel;
  std::shared_ptr<const CompiledKernel> filter_kernel;
  std::shared_ptr<const CompiledKernel> inputs_kernel;
  std::shared_ptr<const CompiledKernel> updates_kernel;
  std::vector<GroupPart> parts;  ///< of few groups
};

FusedGroups::FusedGroups(const RowSteps& steps, int num_keys, const std::vector<GroupCall>& calls,
                         KernelCompiler& compiler)
    : impl_(std::make_unique<Impl>(steps, num_keys, calls, compiler)) {}

FusedGroups::~FusedGroups() = default;

std::optional<std::string> FusedGroups::refusal_of(const RowSteps& steps, int num_keys,
                                                   const std::vector<GroupCall>& calls) {
  return why_unsupported([&] { GroupWays(steps, num_keys, calls); });
}

bool FusedGroups::ready() {
  const bool few_is_ready = !impl_->few || impl_->few_is_ready();
  return (!impl_->many || impl_->many_is_ready()) && few_is_ready;
}

bool FusedGroups::update(device::DeviceStream& stream, const device::DeviceBatch& batch,
                         const std::shared_ptr<memory::Budget>& budget) {
  ACC_CHECK(ready());
  if (impl_->few) {
    if (const auto domains = impl_->few->domains_of(batch)) {
      auto part = impl_->few->run(stream, impl_->few_kernel->entry(), batch, *domains, budget);
      if (part) impl_->parts.push_back(std::move(*part));
      return part.has_value();
    }
    // More groups than a block holds, of keys that no table takes.
    if (!impl_->many) return false;
  }
  const ManyGroups::Entries entries = {impl_->filter_kernel ? &impl_->filter_kernel->entry() : nullptr,
                                       &impl_->inputs_kernel->entry(), &impl_->updates_kernel->entry()};
  return impl_->many->update(stream, entries, batch, budget);
}

std::vector<GroupPart> FusedGroups::take(device::DeviceStream& stream, const std::shared_ptr<memory::Budget>& budget) {
  if (impl_->many) {
    // What throws comes first.
    if (auto part = impl_->many->take(stream, budget)) impl_->parts.push_back(std::move(*part));
  }
  return std::exchange(impl_->parts, {});
}

}  // namespace accelerant::codegen
