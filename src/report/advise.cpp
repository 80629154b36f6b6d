#include "report/advise.h"

#include <algorithm>

#include "core/decimal.h"
#include "report/usual_weights.h"

namespace vramscope::report {
namespace {

using catalog::Catalog;
using catalog::Field;
using catalog::Query;
using catalog::ResolvedRequest;

/// Texts of the fields that choices stand for, in the order of AdviceChoices.
struct ChoiceTexts {
    std::vector<std::string> weights;
    std::vector<std::string> more_devices;
    std::vector<std::string> larger_devices;
};

std::string whole(std::int64_t number) {
    return decimal_text(static_cast<double>(number), 15);
}

void add_weights(const Query& query, const Catalog& catalog, const ResolvedRequest& resolved,
                 AdviceChoices& choices, ChoiceTexts& texts) {
    choices.quality = quality_rank(resolved.quantization);
    const double bits = resolved.request.weights.nominal_bits_per_weight;
    for (UsualWeights& weights : usual_weights(*resolved.model, resolved.request.engine, catalog)) {
        if (weights.bits_per_weight() <= 0 || weights.bits_per_weight() >= bits)
            continue;
        Query trial = query;
        if (!trial.set(Field::artifact, weights.request))
            continue;
        const auto other = catalog::resolve(trial, catalog);
        if (!other)
            continue;
        choices.weights.push_back(
            {other->request.weights, other->request.evidence_engine, quality_rank(weights.format)});
        texts.weights.push_back(std::move(weights.request));
    }
}

void add_devices(const Query& query, const Catalog& catalog, const ResolvedRequest& resolved,
                 AdviceChoices& choices, ChoiceTexts& texts) {
    const auto add = [&](std::string text, std::vector<std::vector<Device>>& list,
                         std::vector<std::string>& names) {
        Query trial = query;
        if (!trial.set(Field::hardware, text))
            return;
        trial.clear(Field::tensor_split);
        auto other = catalog::resolve(trial, catalog);
        if (!other)
            return;
        list.push_back(std::move(other->request.devices));
        names.push_back(std::move(text));
    };
    const std::vector<Device>& devices = resolved.request.devices;
    const std::string now(query.value(Field::hardware));
    // A Mac or an APU takes no second device; a device typed in as JSON has no short text.
    const bool can_grow = !devices.empty() && !devices.back().unified && !now.starts_with('[') &&
                          !now.starts_with('{');
    if (can_grow) {
        const catalog::HardwareEntry* last = resolved.hardware.back();
        const std::string typed = now.substr(now.rfind(',') + 1);
        const std::string item = last != nullptr ? last->id : typed.substr(0, typed.find('*'));
        for (const char* more : {"", "*3"})
            add(now + "," + item + more, choices.more_devices, texts.more_devices);
    }
    Bytes memory = 0;
    for (const Device& device : devices)
        memory = vramscope::add(memory, device.memory_bytes);
    for (const std::string& id : catalog.hardware_ladder) {
        const catalog::HardwareEntry* entry = catalog.find_hardware(id);
        if (entry != nullptr && mul(entry->device.memory_bytes, std::max(1, entry->count)) > memory)
            add(id, choices.larger_devices, texts.larger_devices);
    }
}

/// Kinds whose fields the engine has (the table of request fields says so).
unsigned allowed_kinds(EngineId engine) {
    constexpr std::pair<ChangeKind, Field> fields[] = {
        {ChangeKind::flash_attention, Field::flash_attn},
        {ChangeKind::window_cache, Field::swa_full},
        {ChangeKind::micro_batch, Field::n_ubatch},
        {ChangeKind::kv_types, Field::type_k},
        {ChangeKind::weights, Field::artifact},
        {ChangeKind::expert_layers, Field::n_cpu_moe},
        {ChangeKind::gpu_layers, Field::n_gpu_layers},
        {ChangeKind::sequences, Field::n_seq},
        {ChangeKind::context, Field::n_ctx},
        {ChangeKind::another_device, Field::hardware},
        {ChangeKind::larger_device, Field::hardware}};
    unsigned allowed = 0;
    for (const auto& [kind, field] : fields) {
        const unsigned engines = catalog::info(field).engines;
        if (engines == 0 || (engines & (1U << static_cast<unsigned>(engine))) != 0)
            allowed |= bit(kind);
    }
    return allowed;
}

void set_fields(const Change& change, const ChoiceTexts& texts, std::vector<FieldValue>& set) {
    const auto name = [](StorageType type) { return std::string(vramscope::name(type)); };
    switch (change.kind) {
    case ChangeKind::flash_attention:
        set.push_back({Field::flash_attn, "on"});
        break;
    case ChangeKind::window_cache:
        set.push_back({Field::swa_full, ""});
        break;
    case ChangeKind::micro_batch:
        set.push_back({Field::n_ubatch, whole(change.number)});
        break;
    case ChangeKind::kv_types:
        set.push_back({Field::type_k, name(change.type_k)});
        set.push_back({Field::type_v, name(change.type_v)});
        break;
    case ChangeKind::weights:
        set.push_back({Field::artifact, texts.weights[change.choice]});
        break;
    case ChangeKind::expert_layers:
        set.push_back({Field::n_cpu_moe, whole(change.number)});
        break;
    case ChangeKind::gpu_layers:
        set.push_back({Field::n_gpu_layers, whole(change.number)});
        break;
    case ChangeKind::sequences:
        set.push_back({Field::n_seq, whole(change.number)});
        set.push_back({Field::n_ctx, whole(change.n_ctx)});
        break;
    case ChangeKind::context:
        set.push_back({Field::n_ctx, whole(change.number)});
        break;
    case ChangeKind::another_device:
    case ChangeKind::larger_device:
        set.push_back({Field::hardware, change.kind == ChangeKind::another_device
                                            ? texts.more_devices[change.choice]
                                            : texts.larger_devices[change.choice]});
        set.push_back({Field::tensor_split, ""});
        break;
    case ChangeKind::count_:
        break;
    }
}

} // namespace

catalog::Result<AdvisedRequest> advise(const Query& query, const Catalog& catalog, Verdict goal) {
    const auto resolved = catalog::resolve(query, catalog);
    if (!resolved)
        return resolved.error();
    AdviceChoices choices;
    ChoiceTexts texts;
    choices.allowed = allowed_kinds(resolved->request.engine);
    add_weights(query, catalog, *resolved, choices, texts);
    add_devices(query, catalog, *resolved, choices, texts);

    AdvisedRequest advised;
    advised.advice = vramscope::advise(resolved->request, choices, goal);
    for (const AdviceStep& step : advised.advice.steps) {
        AdvisedStep next{step, {}};
        for (const Change& change : step.list())
            set_fields(change, texts, next.set);
        advised.steps.push_back(std::move(next));
    }
    advised.advice.steps.clear();
    return advised;
}

Query with_step(const Query& query, const AdvisedStep& step) {
    Query changed = query;
    for (const FieldValue& field : step.set) {
        // Values come from the catalog and from the core's own numbers.
        [[maybe_unused]] const auto set = changed.set(field.field, field.value);
    }
    return changed;
}

} // namespace vramscope::report
