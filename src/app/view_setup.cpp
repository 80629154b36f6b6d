// The set-up column: one control per thing that a person chooses.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/hardware_items.h"
#include "app/view_context.h"
#include "app/weights_options.h"
#include "core/recipe.h"
#include "core/sort.h"
#include "report/architecture_text.h"

namespace vramscope::app {
namespace {

using catalog::Field;
using catalog::FieldInfo;
using Kind = Control::Kind;

/// The text between a small control and its unit.
std::string with_unit(const ViewContext& context, const FieldInfo& field, std::string_view number) {
    const std::string unit(field.unit);
    if (unit.empty())
        return std::string(number);
    return context.text("number." + (unit == "GiB" ? std::string("gib") : unit), {number});
}

/// The unit beside a label; counts need none, since the label says what is counted.
std::string unit_label(const ViewContext& context, std::string_view unit) {
    if (unit == "tokens")
        return context.owned_text("unit.tokens");
    return unit == "GiB" ? std::string(unit) : std::string();
}

/// Label, help and bounds as the table of request fields has them.
Control control_of(const ViewContext& context, Field field, Kind kind) {
    const FieldInfo& about = catalog::info(field);
    Control control;
    control.kind = kind;
    control.id = about.key;
    control.label = context.text("field." + std::string(about.key));
    control.help = context.text(help_key(about));
    control.minimum = about.minimum;
    control.maximum = about.maximum;
    control.unit = unit_label(context, about.unit);
    return control;
}

void select(Control& control) {
    for (const Choice& choice : control.choices) {
        if (choice.selected)
            control.value_text = choice.label;
    }
    control.edit_text = control.value_text;
}

Control model_control(const ViewContext& context) {
    Control control = control_of(context, Field::model, Kind::select);
    if (!context.state.own_models.empty())
        list_own_models(context, control);
    for (const catalog::Model& model : context.catalog.models) {
        Choice choice;
        choice.label = model.name;
        choice.detail = report::parameters_text(model.rounded_parameters, context.locale);
        choice.action = set_field(Field::model, model.id);
        choice.selected = &model == &context.model;
        control.choices.push_back(std::move(choice));
    }
    select(control);
    return control;
}

/// "5.74 GiB · exact file", "4.32 GiB · computed", "4.85 bits per weight".
std::string option_detail(const ViewContext& context, const WeightsOption& option) {
    if (context.request.engine == EngineId::quick) {
        return context.text("artifact.bits",
                            {context.locale.decimal(option.format->bits_per_weight, 2)});
    }
    if (option.artifact != nullptr) {
        return context.text(option.artifact->theoretical ? "artifact.theoretical"
                                                         : "artifact.exact",
                            {context.bytes(option.artifact->bytes)});
    }
    const EstimateRequest request = with_weights(context, option);
    const Bytes bytes = request.weights.mixture == Mixture::count_
                            ? 0
                            : mixture_bytes(*request.architecture, request.weights.mixture, false,
                                            *request.storage_types);
    return bytes == 0 ? std::string() : context.text("artifact.computed", {context.bytes(bytes)});
}

Control artifact_control(const ViewContext& context) {
    Control control = control_of(context, Field::artifact, Kind::select);
    for (const WeightsOption& option : weights_options(context)) {
        Choice choice;
        choice.label = option_name(context, option);
        choice.detail = option_detail(context, option);
        choice.action = set_field(Field::artifact, option.request);
        choice.selected = option.selected;
        control.choices.push_back(std::move(choice));
    }
    select(control);
    return control;
}

Control engine_control(const ViewContext& context) {
    Control control = control_of(context, Field::engine, Kind::segmented);
    for (const catalog::EngineEntry& entry : context.catalog.engines) {
        if (find_engine(entry.engine) == nullptr)
            continue;
        Choice choice;
        // Profiles of ours have names of ours; products keep theirs.
        const std::string key = "engine." + entry.id;
        choice.label = context.locale.has(key) ? context.text(key) : entry.name;
        const std::string about = key + ".about";
        if (context.locale.has(about))
            choice.tooltip = context.text(about);
        choice.action = set_field(Field::engine, entry.id);
        choice.selected = entry.engine == context.request.engine;
        control.choices.push_back(std::move(choice));
    }
    select(control);
    return control;
}

/// Whose recorded allowance the evidence profile adds.
Control evidence_engine_control(const ViewContext& context) {
    Control control = control_of(context, Field::evidence_engine, Kind::segmented);
    const EngineId current = context.request.evidence_engine;
    const auto add = [&](const std::string& id) {
        const catalog::EngineEntry* entry = context.catalog.find_engine(id);
        Choice choice;
        choice.label = entry != nullptr ? entry->name : context.text("engine." + id);
        choice.action = set_field(Field::evidence_engine, id);
        choice.selected = entry != nullptr ? entry->engine == current : current == EngineId::count_;
        control.choices.push_back(std::move(choice));
    };
    bool any_unspecified = false;
    if (context.resolved.artifact != nullptr) {
        for (const std::string& id : context.resolved.artifact->engines) {
            add(id);
            any_unspecified |= id == "unspecified";
        }
    }
    if (!any_unspecified)
        add("unspecified");
    select(control);
    return control;
}

std::string numbered(const char* id, std::size_t index) {
    return index == 0 ? id : id + ('_' + std::to_string(index));
}

/// The choices of one device of the list; each replaces it.
Control hardware_control(const ViewContext& context, const std::vector<HardwareItem>& items,
                         std::size_t index) {
    Control control = control_of(context, Field::hardware, Kind::select);
    control.id = numbered("hardware", index);
    const auto replaced = [&](std::string id) {
        std::vector<HardwareItem> others = items;
        if (index < others.size())
            others[index].id = std::move(id);
        else
            others = {{std::move(id), 1}};
        if (others.size() == 1)
            others[0].count = 1;
        return set_field(Field::hardware, hardware_text(others));
    };
    const catalog::HardwareEntry* current =
        index < items.size() ? context.catalog.find_hardware(items[index].id) : nullptr;
    for (const catalog::HardwareEntry& entry : context.catalog.hardware) {
        Choice choice;
        choice.label = entry_name(context, entry);
        choice.detail = hardware_detail(context, entry);
        choice.action = replaced(entry.id);
        choice.selected = &entry == current;
        control.choices.push_back(std::move(choice));
    }
    const bool is_custom = index < items.size() && items[index].is_custom();
    if (context.locale.has("hardware.custom")) {
        Choice own;
        own.label = context.text("hardware.custom", {});
        HardwareItem seed;
        const Device* like =
            index < context.request.devices.size() ? &context.request.devices[index] : nullptr;
        seed.set_custom(like != nullptr ? to_gib(like->memory_bytes) : 24,
                        like != nullptr ? like->bandwidth_gb_per_s : 900);
        own.action = replaced(is_custom ? items[index].id : seed.id);
        own.selected = is_custom;
        control.choices.push_back(std::move(own));
    }
    if (items.size() <= 1) {
        Choice none;
        none.label = context.text("hardware.cpu", {});
        none.action = set_field(Field::hardware, "cpu");
        none.selected = context.request.devices.empty();
        control.choices.push_back(std::move(none));
    }
    select(control);
    if (control.value_text.empty())
        control.value_text = context.hardware_name();
    return control;
}

/// How many of one device of the list; 0 takes it away when there are others.
Control hardware_count_control(const ViewContext& context, const std::vector<HardwareItem>& items,
                               std::size_t index) {
    Control control;
    control.kind = Kind::stepper;
    control.id = numbered("hardware_count", index);
    control.label = context.text("field.hardware_count", {});
    control.help = context.text("help.hardware_count", {});
    auto count = static_cast<std::int64_t>(context.request.devices.size());
    if (items.size() > 1) {
        const catalog::HardwareEntry* entry = context.catalog.find_hardware(items[index].id);
        count = items[index].count * (entry != nullptr ? std::max(1, entry->count) : 1);
    }
    control.value = static_cast<double>(count);
    control.minimum = items.size() > 1 ? 0 : 1;
    control.maximum = static_cast<double>(max_devices);
    control.step = 1;
    control.value_text = control.edit_text = std::to_string(count);
    return control;
}

/// A number that is no request field.
Control plain_number(const ViewContext& context, std::string id, const char* key, double value,
                     std::string_view unit) {
    Control control;
    control.kind = Kind::number;
    control.id = std::move(id);
    control.label = context.text(std::string("field.") + key, {});
    control.help = context.text(std::string("help.") + key, {});
    control.value = value;
    control.edit_text = context.locale.number(value);
    control.unit = unit;
    control.value_text = control.edit_text + "\u00a0" + std::string(unit);
    control.minimum = 0;
    control.maximum = 1e6;
    return control;
}

void add_hardware(const ViewContext& context, std::vector<Control>& controls) {
    const std::vector<HardwareItem> items =
        hardware_items(context.state.query.value(Field::hardware));
    for (std::size_t i = 0; i < std::max<std::size_t>(1, items.size()); ++i) {
        controls.push_back(hardware_control(context, items, i));
        if (i < items.size() && items[i].is_custom()) {
            controls.push_back(plain_number(context, numbered("custom_memory", i), "custom_memory",
                                            items[i].custom_memory_gib(), "GiB"));
            controls.push_back(plain_number(context, numbered("custom_bandwidth", i),
                                            "custom_bandwidth", items[i].custom_bandwidth(),
                                            "GB/s"));
        }
        if (!context.request.devices.empty())
            controls.push_back(hardware_count_control(context, items, i));
    }
}

/// A list that adds a device to those there are.
Control add_device_control(const ViewContext& context) {
    Control control;
    control.kind = Kind::select;
    control.id = "hardware_add";
    control.advanced = true;
    control.label = context.text("field.hardware_add", {});
    control.help = context.text("help.hardware_add", {});
    std::vector<HardwareItem> items = hardware_items(context.state.query.value(Field::hardware));
    Choice none;
    none.label = "\u2014";
    none.selected = true;
    control.choices.push_back(std::move(none));
    items.emplace_back();
    for (const catalog::HardwareEntry& entry : context.catalog.hardware) {
        Choice choice;
        choice.label = entry_name(context, entry);
        choice.detail = hardware_detail(context, entry);
        items.back().id = entry.id;
        choice.action = set_field(Field::hardware, hardware_text(items));
        control.choices.push_back(std::move(choice));
    }
    select(control);
    return control;
}

Control number_control(const ViewContext& context, Field field, double step) {
    Control control = control_of(context, field, Kind::number);
    const std::string_view text = context.state.query.value(field);
    control.value = std::strtod(std::string(text).c_str(), nullptr);
    control.step = step;
    if (!text.empty()) {
        control.edit_text = context.locale.number(control.value);
        control.value_text =
            with_unit(context, catalog::info(field), context.locale.number(control.value));
    }
    return control;
}

/// From 1K (or less when less is asked for) to four times the native limit, at least 128K.
Control context_control(const ViewContext& context) {
    Control control = control_of(context, Field::n_ctx, Kind::slider);
    control.value = static_cast<double>(context.context);
    control.logarithmic = true;
    control.edit_text = std::to_string(context.context);
    control.value_text = context.tokens(context.context);

    std::int64_t minimum = 1024;
    while (minimum > 256 && minimum > context.context)
        minimum /= 2;
    const std::int64_t wanted =
        std::max({std::int64_t{131072}, mul(context.native_limit, 4), context.context});
    std::int64_t maximum = minimum;
    while (maximum < wanted && maximum < std::int64_t{1} << 30)
        maximum *= 2;
    control.minimum = static_cast<double>(minimum);
    control.maximum = static_cast<double>(maximum);

    bool native_marked = false;
    for (std::int64_t tokens = minimum; tokens <= maximum; tokens *= 2) {
        Control::Mark mark{static_cast<double>(tokens), context.locale.tokens_short(tokens),
                           Tone::dim};
        if (tokens == context.native_limit) {
            mark.label = context.text("mark.native", {mark.label});
            mark.tone = Tone::accent;
            native_marked = true;
        }
        control.marks.push_back(std::move(mark));
    }
    if (!native_marked && context.native_limit > minimum) {
        control.marks.push_back(
            {static_cast<double>(context.native_limit),
             context.text("mark.native", {context.locale.tokens_short(context.native_limit)}),
             Tone::accent});
        sort_short(control.marks, [](const Control::Mark& a, const Control::Mark& b) {
            return a.value < b.value;
        });
    }
    return control;
}

Control sequences_control(const ViewContext& context) {
    Control control = control_of(context, Field::n_seq, Kind::stepper);
    control.value = static_cast<double>(context.sequences);
    control.step = 1;
    control.edit_text = std::to_string(context.sequences);
    control.value_text = context.locale.integer(context.sequences);
    if (context.request.engine == EngineId::llama_cpp)
        control.maximum = 256; // LLAMA_MAX_SEQ
    return control;
}

/// Keys and values together: the usual choice. Values alone are an advanced field.
Control kv_type_control(const ViewContext& context) {
    Control control = control_of(context, Field::type_k, Kind::segmented);
    control.label = context.text("field.kv_type");
    control.help = context.text("help.kv_type");
    const Options& options = context.request.options;
    const auto add = [&](StorageType type) {
        const std::string id(name(type));
        Choice choice;
        choice.label = upper_case(id);
        choice.tooltip = context.text(
            "kv_type.bits",
            {context.locale.number(context.catalog.storage_types.bits_per_element(type))});
        choice.action = set_fields({{Field::type_k, id}, {Field::type_v, id}});
        choice.selected = options.type_k == type && options.type_v == type;
        control.choices.push_back(std::move(choice));
    };
    bool listed = options.type_k != options.type_v;
    for (const StorageType type : {StorageType::f16, StorageType::q8_0, StorageType::q4_0}) {
        add(type);
        listed |= options.type_k == type;
    }
    if (!listed)
        add(options.type_k);
    if (options.type_k != options.type_v) {
        const std::string k(name(options.type_k));
        const std::string v(name(options.type_v));
        Choice mixed;
        mixed.label = upper_case(k) + " / " + upper_case(v);
        mixed.action = set_fields({{Field::type_k, k}, {Field::type_v, v}});
        mixed.selected = true;
        control.choices.push_back(std::move(mixed));
    }
    select(control);
    return control;
}

bool belongs(const FieldInfo& field, EngineId engine) {
    return field.engines == 0 || (field.engines & (1U << static_cast<unsigned>(engine))) != 0;
}

bool has_experts(const Architecture& architecture) {
    return std::any_of(
        architecture.feed_forwards.begin(), architecture.feed_forwards.end(),
        [](const FeedForward& part) { return part.kind == FeedForwardKind::experts; });
}

/// A field behind the disclosure, painted by its kind; choices and flags offer the engine's
/// default.
Control advanced_control(const ViewContext& context, const FieldInfo& field) {
    const bool listed =
        field.kind == catalog::FieldKind::choice || field.kind == catalog::FieldKind::boolean;
    if (!listed) {
        Control control = number_control(context, field.field, 1);
        control.advanced = true;
        if (control.value_text.empty())
            control.value_text = context.text("choice.default");
        return control;
    }
    Control control = control_of(context, field.field, Kind::segmented);
    control.advanced = true;
    const std::string_view current = context.state.query.value(field.field);
    const auto add = [&](std::string_view value, std::string_view label) {
        Choice choice;
        choice.label = label;
        choice.action = set_field(field.field, value);
        choice.selected = value == current;
        control.choices.push_back(std::move(choice));
    };
    const bool is_type = field.field == Field::type_k || field.field == Field::type_v;
    const bool has_default = *field.default_text != '\0';
    if (!has_default)
        add("", context.text("choice.default"));
    if (field.kind == catalog::FieldKind::boolean) {
        add("true", context.text("choice.on"));
        add("false", context.text("choice.off"));
    }
    for (const char* choice : field.choices) {
        const std::string key = std::string("choice.") + choice;
        add(choice, is_type                   ? upper_case(choice)
                    : context.locale.has(key) ? context.owned_text(key)
                                              : std::string(choice));
    }
    constexpr std::size_t most_segments = 4;
    if (control.choices.size() > most_segments)
        control.kind = Kind::select;
    select(control);
    return control;
}

void add_advanced(const ViewContext& context, std::vector<Control>& controls) {
    const bool experts = has_experts(*context.request.architecture);
    const bool drafts = !context.request.architecture->mtp_layers.empty();
    // A long list once more: only where somebody sees it.
    if (context.state.advanced_open && !context.request.devices.empty() &&
        context.locale.has("field.hardware_add"))
        controls.push_back(add_device_control(context));
    for (const Field field : {Field::n_gpu_layers,
                              Field::cpu_moe,
                              Field::n_cpu_moe,
                              Field::flash_attn,
                              Field::type_k,
                              Field::type_v,
                              Field::n_batch,
                              Field::n_ubatch,
                              Field::kv_unified,
                              Field::swa_full,
                              Field::offload_kqv,
                              Field::op_offload,
                              Field::mmproj,
                              Field::split_mode,
                              Field::tensor_parallel,
                              Field::pipeline_parallel,
                              Field::gpu_memory_utilization,
                              Field::max_num_seqs,
                              Field::max_num_batched_tokens,
                              Field::prefix_caching,
                              Field::speculative_tokens,
                              Field::acceptance_rate,
                              Field::user_rate,
                              Field::engine_version,
                              Field::tool}) {
        const FieldInfo& about = catalog::info(field);
        if (!belongs(about, context.request.engine))
            continue;
        if (!experts && (field == Field::cpu_moe || field == Field::n_cpu_moe))
            continue;
        if (field == Field::mmproj && context.request.architecture->towers.empty())
            continue;
        if (field == Field::split_mode && context.request.devices.size() < 2)
            continue;
        if (!drafts && field == Field::speculative_tokens)
            continue;
        if (field == Field::acceptance_rate && context.request.options.speculative_tokens == 0)
            continue;
        controls.push_back(advanced_control(context, about));
        // The usual control of the cache's type sets both; its id is the keys' field.
        if (field == Field::type_k)
            controls.back().id = "key_type";
    }
    if (context.locale.has("field.line_speed")) {
        controls.push_back(
            plain_number(context, "line_speed", "line_speed", context.state.line_mbit, "Mbit/s"));
        controls.back().advanced = true;
    }
}

} // namespace

void build_setup(const ViewContext& context, const std::vector<Fault>& faults, ViewModel& view) {
    std::vector<Control>& controls = view.controls;
    controls.push_back(model_control(context));
    controls.push_back(artifact_control(context));
    controls.push_back(engine_control(context));
    if (context.request.engine == EngineId::evidence) {
        controls.push_back(evidence_engine_control(context));
    }
    add_hardware(context, controls);
    // The context is what people try out; what the machine has besides is set once.
    controls.push_back(context_control(context));
    controls.push_back(sequences_control(context));
    controls.push_back(kv_type_control(context));
    controls.push_back(number_control(context, Field::reserved_gib, 0.5));
    controls.push_back(number_control(context, Field::host_memory_gib, 8));
    add_advanced(context, controls);

    for (const Fault& fault : faults) {
        for (Control& control : controls) {
            if (control.id == fault.error.where)
                control.error = fault_text(context.locale, fault);
        }
    }
}

} // namespace vramscope::app
