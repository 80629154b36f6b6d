// The tables: precision x context, hardware, weight files, parts per device.
#include <algorithm>
#include <utility>

#include "app/view_context.h"
#include "app/weights_options.h"
#include "core/sort.h"
#include "core/speed.h"
#include "core/tensors.h"
#include "report/recommend.h"

namespace vramscope::app {
namespace {

using catalog::Field;

Cell text_cell(std::string text) {
    Cell cell;
    cell.text = std::move(text);
    return cell;
}

void add_column(Table& table, std::string_view label, bool numeric) {
    table.columns.push_back({std::string(label), numeric});
}

Cell dim_cell(std::string text) {
    Cell cell = text_cell(std::move(text));
    cell.tone = Tone::dim;
    return cell;
}

Bytes weights_of(const MemoryPlan& plan) {
    Bytes weights = 0;
    for (std::size_t i = 0; i < plan.n_devices; ++i) {
        weights = add(weights, plan.devices[i][Part::weights].expected);
    }
    return weights;
}

/// Contexts of the matrix: those of the reference pages and the model's native limit.
std::vector<std::int64_t> matrix_contexts(const ViewContext& context) {
    std::vector<std::int64_t> contexts = {8192, 32768, 131072};
    if (context.request.engine == EngineId::evidence)
        contexts.push_back(2048);
    if (context.native_limit > 0)
        contexts.push_back(context.native_limit);
    sort_short(contexts);
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    return contexts;
}

std::string need_text(const ViewContext& context, const ByteRange& need) {
    // The evidence profile states a range and no middle; the others one figure.
    if (context.request.engine != EngineId::evidence)
        return context.bytes_number(need.expected);
    return context.locale.range(context.bytes_number(need.low), context.bytes_number(need.high));
}

/// Bits per weight that the plan's weights come to; the nominal width under `quick`.
double effective_bits(const ViewContext& context, const WeightsOption& option, Bytes weights) {
    if (context.request.engine == EngineId::quick && option.format != nullptr) {
        return option.format->bits_per_weight;
    }
    const auto parameters = static_cast<double>(context.estimate.parameters);
    return parameters > 0 ? 8.0 * static_cast<double>(weights) / parameters : 0;
}

constexpr std::int64_t recommended_context = 32768;

Row matrix_row(const ViewContext& context, const WeightsOption& option,
               const std::vector<std::int64_t>& contexts) {
    EstimateRequest request = with_weights(context, option);
    request.options.n_ctx = engine_context(request, recommended_context);
    const MemoryPlan plan = plan_memory(request, context.memo.workspace);
    const Bytes weights = weights_of(plan);
    Row row;
    row.selected = option.selected;
    row.action = set_field(Field::artifact, option.request);
    Cell name = text_cell(option_name(context, option));
    name.action = row.action;
    if (option.artifact != nullptr && option.artifact->theoretical) {
        name.tooltip = context.text("warning.theoretical");
    }
    row.cells.push_back(std::move(name));
    row.cells.push_back(
        dim_cell(context.locale.decimal(effective_bits(context, option, weights), 2)));
    Cell weights_cell = text_cell(context.bytes_number(weights));
    weights_cell.exact = static_cast<double>(weights);
    row.cells.push_back(std::move(weights_cell));

    for (const std::int64_t tokens : contexts) {
        request.options.n_ctx = engine_context(request, tokens);
        const MemoryPlan at = plan_memory(request, context.memo.workspace);
        const ByteRange need = accelerators_of(at);
        const Verdict verdict = judge(request, at).overall;
        Cell cell = text_cell(need_text(context, need));
        cell.tone = tone_of(verdict);
        cell.sign = sign_of(verdict);
        cell.tooltip = context.text(
            "matrix.cell", {option_name(context, option), context.tokens(tokens),
                            context.bytes(need.expected), verdict_label(context.locale, verdict)});
        cell.exact = static_cast<double>(need.expected);
        cell.action =
            set_fields({{Field::artifact, option.request}, {Field::n_ctx, std::to_string(tokens)}});
        row.cells.push_back(std::move(cell));
    }

    request.options.n_ctx = engine_context(request, recommended_context);
    const catalog::HardwareEntry* recommended =
        report::recommended_hardware(request, context.catalog, context.memo.workspace);
    Cell recommendation = text_cell(recommended != nullptr ? entry_name(context, *recommended)
                                                           : context.owned_text("matrix.none"));
    if (recommended != nullptr)
        recommendation.action = set_field(Field::hardware, recommended->id);
    row.cells.push_back(std::move(recommendation));
    return row;
}

Row hardware_row(const ViewContext& context, const catalog::HardwareEntry& entry) {
    EstimateRequest request = context.request;
    request.devices.assign(static_cast<std::size_t>(std::max(1, entry.count)), entry.device);
    request.options.tensor_split.clear();
    for (Device& device : request.devices) {
        if (!context.request.devices.empty()) {
            device.reserved_bytes = context.request.devices.front().reserved_bytes;
        }
    }
    const MemoryPlan plan = plan_memory(request, context.memo.workspace);
    const Judgement judgement = judge(request, plan);
    const ByteRange need = accelerators_of(plan);
    const Bytes capacity = mul(entry.device.memory_bytes, std::max(1, entry.count));
    const double used =
        capacity > 0 ? static_cast<double>(need.expected) / static_cast<double>(capacity) : 0;
    const RateRange rate = decode_tokens_per_second(request, plan);

    Row row;
    row.action = set_field(Field::hardware, entry.id);
    row.selected = context.resolved.hardware.size() == request.devices.size() &&
                   context.resolved.hardware.front() == &entry;
    Cell name = text_cell(entry_name(context, entry));
    name.action = row.action;
    row.cells.push_back(std::move(name));
    row.cells.push_back(dim_cell(hardware_detail(context, entry)));
    Cell needed = text_cell(need_text(context, need));
    needed.exact = static_cast<double>(need.expected);
    row.cells.push_back(std::move(needed));
    Cell use = text_cell(context.locale.percent(used));
    use.bar = std::clamp(used, 0.0, 1.0);
    row.cells.push_back(std::move(use));
    Cell verdict = text_cell(verdict_label(context.locale, judgement.overall));
    verdict.tone = tone_of(judgement.overall);
    verdict.sign = sign_of(judgement.overall);
    row.cells.push_back(std::move(verdict));
    Cell speed = text_cell(rate.expected > 0 ? context.locale.decimal(rate.expected, 1)
                                             : context.owned_text("hardware.no_rate"));
    if (rate.expected > 0) {
        speed.exact = rate.expected;
        speed.tooltip = context.locale.range(context.locale.decimal(rate.low, 1),
                                             context.locale.decimal(rate.high, 1));
    }
    row.cells.push_back(std::move(speed));
    return row;
}

std::string engine_names(const ViewContext& context, const std::vector<std::string>& ids) {
    std::vector<std::string> names;
    for (const std::string& id : ids) {
        const catalog::EngineEntry* entry = context.catalog.find_engine(id);
        names.push_back(entry != nullptr ? entry->name : context.owned_text("engine." + id));
    }
    return context.locale.list(names);
}

Row file_row(const ViewContext& context, const WeightsOption& option) {
    const catalog::Artifact& artifact = *option.artifact;
    Row row;
    row.selected = option.selected;
    row.action = set_field(Field::artifact, option.request);
    Cell name = text_cell(artifact.name);
    name.action = row.action;
    name.tooltip = artifact.id;
    row.cells.push_back(std::move(name));
    std::vector<std::string> files;
    for (const catalog::WeightFile& file : artifact.files)
        files.push_back(file.name);
    row.cells.push_back(files.empty() ? dim_cell(context.owned_text("files.none"))
                                      : text_cell(context.locale.list(files)));
    Cell bytes = text_cell(context.locale.integer(artifact.bytes));
    bytes.exact = static_cast<double>(artifact.bytes);
    if (artifact.bytes_are_tensors)
        bytes.tooltip = context.text("files.tensors_only");
    row.cells.push_back(std::move(bytes));
    row.cells.push_back(
        text_cell(context.locale.bytes_number(artifact.bytes, report::ByteUnit::gib)));
    row.cells.push_back(
        text_cell(context.locale.bytes_number(artifact.bytes, report::ByteUnit::gb)));
    row.cells.push_back(artifact.engines.empty()
                            ? dim_cell("\u2014")
                            : text_cell(engine_names(context, artifact.engines)));
    const std::string key = "evidence." + artifact.evidence;
    row.cells.push_back(
        text_cell(context.locale.has(key) ? context.owned_text(key) : artifact.evidence));
    return row;
}

Table make_matrix(const ViewContext& context) {
    Table table;
    table.id = "matrix";
    table.title = context.text("matrix.title");
    table.caption =
        context.text("matrix.caption", {context.hardware_name(),
                                        std::string(context.locale.unit_name(context.state.unit)),
                                        context.locale.integer(context.sequences),
                                        upper_case(name(context.request.options.type_k))});
    add_column(table, context.text("matrix.format"), false);
    add_column(table, context.text("matrix.bits"), true);
    add_column(table, context.text("matrix.weights"), true);
    const std::vector<std::int64_t> contexts = matrix_contexts(context);
    for (const std::int64_t tokens : contexts) {
        std::string label = context.text("matrix.at", {context.locale.tokens_short(tokens)});
        if (tokens == context.native_limit)
            label = context.text("mark.native", {label});
        add_column(table, label, true);
    }
    add_column(
        table,
        context.text("matrix.recommended", {context.locale.tokens_short(recommended_context)}),
        false);
    for (const WeightsOption& option : matrix_options(context)) {
        table.rows.push_back(matrix_row(context, option, contexts));
    }
    table.note = context.text("matrix.note");
    return table;
}

Table make_hardware(const ViewContext& context) {
    Table table;
    table.id = "hardware";
    table.title = context.text("hardware.title");
    table.caption = context.text("hardware.caption", {context.model.name, context.artifact_name(),
                                                      context.tokens(context.context)});
    const std::string unit(context.locale.unit_name(context.state.unit));
    add_column(table, context.text("hardware.device"), false);
    add_column(table, context.text("hardware.memory"), false);
    add_column(table, context.text("hardware.needed", {unit}), true);
    add_column(table, context.text("hardware.use"), true);
    add_column(table, context.text("hardware.verdict"), false);
    add_column(table, context.text("hardware.decode"), true);
    bool current_listed = false;
    const catalog::HardwareEntry* current =
        context.resolved.hardware.empty() ? nullptr : context.resolved.hardware.front();
    for (const std::string& id : context.catalog.hardware_table) {
        const catalog::HardwareEntry* entry = context.catalog.find_hardware(id);
        if (entry == nullptr)
            continue;
        current_listed |= entry == current;
        table.rows.push_back(hardware_row(context, *entry));
    }
    if (current != nullptr && !current_listed) {
        table.rows.insert(table.rows.begin(), hardware_row(context, *current));
    }
    table.note = context.text("hardware.note");
    return table;
}

} // namespace

ByteRange accelerators_of(const MemoryPlan& plan) {
    if (plan.host <= 0)
        return plan.devices[0].total();
    ByteRange total;
    for (std::size_t i = 0; i + 1 < plan.n_devices; ++i)
        total += plan.devices[i].total();
    return total;
}

void build_matrix(const ViewContext& context, ViewModel& view) {
    const std::string key = context.key_without_context + '|' + context.text_key;
    if (context.memo.matrix_key != key) {
        context.memo.matrix = make_matrix(context);
        context.memo.matrix_key = key;
    }
    view.matrix = context.memo.matrix;
}

void build_hardware(const ViewContext& context, ViewModel& view) {
    const std::string key = context.request_key + '|' + context.text_key;
    if (context.memo.hardware_key != key) {
        context.memo.hardware = make_hardware(context);
        context.memo.hardware_key = key;
    }
    view.hardware = context.memo.hardware;
}

void build_files(const ViewContext& context, ViewModel& view) {
    Table& table = view.files;
    table.id = "files";
    table.title = context.text("files.title");
    table.caption = context.text("files.caption");
    add_column(table, context.text("files.format"), false);
    add_column(table, context.text("files.names"), false);
    add_column(table, context.text("files.bytes"), true);
    add_column(table, "GiB", true);
    add_column(table, "GB", true);
    add_column(table, context.text("files.engines"), false);
    add_column(table, context.text("files.evidence"), false);
    bool any_theoretical = false;
    for (const WeightsOption& option : artifact_options(context)) {
        any_theoretical |= option.artifact->theoretical;
        table.rows.push_back(file_row(context, option));
    }
    if (table.rows.empty()) {
        table.note = context.text("files.nothing_recorded");
    } else if (any_theoretical) {
        table.note = context.text("warning.theoretical");
    }
}

void build_devices(const ViewContext& context, ViewModel& view) {
    Table& table = view.devices;
    table.id = "devices";
    table.title = context.text("devices.title");
    table.caption = context.text("devices.caption");
    add_column(table, context.text("devices.device"), false);
    for (std::size_t i = 0; i < part_count; ++i) {
        add_column(table, part_label(context.locale, static_cast<Part>(i)), true);
    }
    add_column(table, context.text("figure.total"), true);
    add_column(table, context.text("devices.capacity"), true);
    add_column(table, context.text("verdict.label"), false);
    for (const DeviceEstimate& device : context.estimate.devices) {
        Row row;
        row.cells.push_back(
            text_cell(device.is_host ? context.owned_text("device.host") : device.name));
        const auto bytes_cell = [&](Bytes bytes) {
            Cell cell = text_cell(context.bytes(bytes));
            cell.exact = static_cast<double>(bytes);
            row.cells.push_back(std::move(cell));
        };
        for (const ByteRange& part : device.parts.parts)
            bytes_cell(part.expected);
        bytes_cell(device.parts.total().expected);
        bytes_cell(device.capacity_bytes);
        Cell verdict = text_cell(verdict_label(context.locale, device.verdict));
        verdict.tone = tone_of(device.verdict);
        verdict.sign = sign_of(device.verdict);
        row.cells.push_back(std::move(verdict));
        table.rows.push_back(std::move(row));
    }
}

} // namespace vramscope::app
