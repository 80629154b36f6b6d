// The model: head of the page, architecture facts, explanations, relatives.
#include <algorithm>
#include <utility>

#include "app/view_context.h"
#include "core/cache.h"
#include "core/sort.h"
#include "core/tensors.h"
#include "report/architecture_text.h"

namespace vramscope::app {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) {
        if (part.empty())
            continue;
        if (!text.empty())
            text += separator;
        text += part;
    }
    return text;
}

std::string heads_chip(const ViewContext& context) {
    const Mixer* mixer = report::global_attention(*context.request.architecture);
    const auto keys = report::attention_keys(*context.request.architecture);
    if (keys.empty())
        return {};
    std::string name = context.owned_text(std::string(keys.front()) + ".short");
    if (mixer == nullptr || mixer->kind == MixerKind::latent)
        return name;
    return context.text("chip.heads", {name, context.locale.integer(mixer->q_heads),
                                       context.locale.integer(mixer->kv_heads)});
}

void add_fact(const ViewContext& context, ViewModel& view, std::string_view key, std::string value,
              std::string url = {}) {
    if (value.empty())
        return;
    view.architecture.push_back({context.owned_text(key), std::move(value), std::move(url)});
}

std::string hugging_face(const std::string& repo) {
    return "https://huggingface.co/" + repo;
}

std::string ollama_page(const std::string& tag) {
    return "https://ollama.com/library/" + tag.substr(0, tag.find(':'));
}

std::string pair(const ViewContext& context, std::int64_t a, std::int64_t b) {
    return context.locale.integer(a) + " / " + context.locale.integer(b);
}

/// "complete: every tensor is accounted for", with the published count when there is one.
std::string completeness(const ViewContext& context) {
    constexpr const char* keys[] = {"completeness.verified", "completeness.derived",
                                    "completeness.reported"};
    return context.owned_text(keys[static_cast<std::size_t>(context.model.evidence)]);
}

void add_shape(const ViewContext& context, ViewModel& view) {
    const Architecture& architecture = *context.request.architecture;
    const ParameterCount count = count_parameters(architecture);
    const auto number_with_short = [&](std::int64_t parameters) {
        return context.text(
            "fact.parameters.value",
            {context.locale.integer(parameters),
             report::parameters_text(static_cast<double>(parameters), context.locale)});
    };
    add_fact(context, view, "fact.topology",
             context.owned_text(report::topology_key(architecture)));
    add_fact(context, view, "fact.attention", report::attention_text(architecture, context.locale));
    add_fact(context, view, "fact.parameters", number_with_short(count.total()));
    add_fact(context, view, "fact.active_parameters", number_with_short(count.active));
    add_fact(context, view, "fact.layers",
             pair(context, architecture.n_layer(), architecture.n_embd));
    if (const Mixer* mixer = report::global_attention(architecture)) {
        if (mixer->kind == MixerKind::latent) {
            add_fact(context, view, "fact.latent",
                     context.text("fact.latent.value",
                                  {context.locale.integer(mixer->q_heads),
                                   context.locale.integer(mixer->kv_lora_rank),
                                   context.locale.integer(mixer->qk_rope_head_dim)}));
        } else {
            add_fact(context, view, "fact.heads",
                     context.text("fact.heads.value", {context.locale.integer(mixer->q_heads),
                                                       context.locale.integer(mixer->kv_heads)}));
            add_fact(context, view, "fact.head_dim",
                     mixer->head_dim_k == mixer->head_dim_v
                         ? context.locale.integer(mixer->head_dim_k)
                         : pair(context, mixer->head_dim_k, mixer->head_dim_v));
        }
    }
    add_fact(context, view, "fact.vocabulary",
             pair(context, architecture.n_vocab, architecture.native_context));
    if (architecture.extended_context > architecture.native_context) {
        add_fact(context, view, "fact.extended_context",
                 context.tokens(architecture.extended_context));
    }
}

/// 2 x 40 x 2 x 128 … with this model's own numbers, when one formula covers all layers.
std::string kv_formula_text(const ViewContext& context, std::int64_t tokens, Bytes bytes) {
    const Architecture& architecture = *context.request.architecture;
    const Mixer* mixer = report::global_attention(architecture);
    const bool uniform =
        mixer != nullptr && mixer->kind == MixerKind::full_attention &&
        mixer->head_dim_k == mixer->head_dim_v &&
        std::all_of(architecture.layers.begin(), architecture.layers.end(),
                    [&](const Layer& layer) {
                        return &architecture.mixer(layer) == mixer && !layer.shares_kv;
                    });
    const std::string amount = context.locale.exact_bytes(bytes);
    const std::string gib_text = context.locale.bytes(bytes, report::ByteUnit::gib, 4);
    if (!uniform)
        return context.text("note.kv.own", {context.tokens(tokens), amount, gib_text});
    return context.text("note.kv.own_formula",
                        {context.tokens(tokens), context.locale.integer(architecture.n_layer()),
                         context.locale.integer(mixer->kv_heads),
                         context.locale.integer(mixer->head_dim_k), context.locale.integer(tokens),
                         amount, gib_text});
}

} // namespace

void build_model_head(const ViewContext& context, ViewModel& view) {
    const catalog::Model& model = context.model;
    const Architecture& architecture = *context.request.architecture;
    const ParameterCount count = count_parameters(architecture);
    const std::string total =
        report::parameters_text(static_cast<double>(count.total()), context.locale);
    const std::string active =
        report::parameters_text(static_cast<double>(count.active), context.locale);
    const bool sparse = std::string_view(report::topology_key(architecture)) == "topology.experts";

    view.model_name = model.name;
    view.model_subtitle =
        joined({model.provider, model.license, model.release}, context.text("separator.dot"));
    view.chips.push_back(context.text(sparse ? "chip.experts" : "chip.dense", {total, active}));
    view.chips.push_back(
        context.text("chip.layers", {context.locale.integer(architecture.n_layer())}));
    if (std::string heads = heads_chip(context); !heads.empty())
        view.chips.push_back(std::move(heads));
    if (context.native_limit > 0) {
        view.chips.push_back(
            context.text("chip.native", {context.locale.tokens_short(context.native_limit)}));
    }
    const std::string origin = joined({model.provider, model.license}, context.text("number.list"));
    view.summary = context.text("summary", {model.name, origin,
                                            context.text(report::topology_key(architecture)), total,
                                            active, context.locale.integer(architecture.n_layer()),
                                            report::attention_text(architecture, context.locale),
                                            context.locale.integer(context.native_limit)});
}

void build_facts(const ViewContext& context, ViewModel& view) {
    const catalog::Model& model = context.model;
    view.architecture_title = context.text("fact.title");
    add_fact(context, view, "fact.provider", model.provider);
    if (!model.hf_repo.empty()) {
        add_fact(context, view, "fact.checkpoint", model.hf_repo, hugging_face(model.hf_repo));
    }
    if (!model.hf_repo_old.empty()) {
        add_fact(context, view, "fact.former_name", model.hf_repo_old,
                 hugging_face(model.hf_repo_old));
    }
    if (!model.hf_revision.empty()) {
        add_fact(context, view, "fact.revision", model.hf_revision,
                 hugging_face(model.hf_repo) + "/tree/" + model.hf_revision);
    }
    if (!model.ollama_tag.empty()) {
        add_fact(context, view, "fact.ollama_tag", model.ollama_tag, ollama_page(model.ollama_tag));
    }
    add_fact(context, view, "fact.license",
             joined({model.license, model.release}, context.text("separator.dot")));
    add_shape(context, view);
    add_fact(context, view, "fact.completeness", completeness(context));
    if (!model.evidence_note.empty()) {
        add_fact(context, view, "fact.evidence_note", model.evidence_note);
    }
    for (const std::string& source : model.sources)
        add_fact(context, view, "fact.source", source);
}

void build_notes(const ViewContext& context, ViewModel& view) {
    const Architecture& architecture = *context.request.architecture;
    view.notes_title = context.text("note.title");
    const auto add = [&](std::string text) { view.notes.push_back({Tone::dim, std::move(text)}); };
    const auto bits = [&](const char* id) {
        const catalog::QuantizationFormat* format = context.catalog.find_quantization(id);
        return context.locale.decimal(format != nullptr ? format->bits_per_weight : 0, 2);
    };
    add(context.text("note.formats", {bits("q4_k_m"), bits("q8_0")}));
    add(context.owned_text("note.experts"));
    add(context.owned_text("note.kv.formula"));
    add(context.owned_text("note.kv.kinds"));
    std::vector<std::int64_t> contexts = {8192, 32768, context.native_limit};
    sort_short(contexts);
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    for (const std::int64_t tokens : contexts) {
        if (tokens <= 0)
            continue;
        const Bytes bytes = raw_kv_bytes(architecture, tokens, 1, StorageType::f16,
                                         StorageType::f16, *context.request.storage_types);
        if (bytes > 0)
            add(kv_formula_text(context, tokens, bytes));
    }
    if (const Mixer* mixer = report::global_attention(architecture);
        mixer != nullptr && mixer->kv_heads > 0 && mixer->kv_heads < mixer->q_heads) {
        add(context.text("note.kv.heads", {context.locale.integer(mixer->kv_heads),
                                           context.locale.integer(mixer->q_heads)}));
    }
}

void build_related(const ViewContext& context, ViewModel& view) {
    constexpr std::size_t shown = 6;
    constexpr double furthest = 2;
    view.related_title = context.text("related.title");
    struct Candidate {
        const catalog::Model* model;
        bool same_family;
        double ratio;
    };
    std::vector<Candidate> candidates;
    const double own = context.model.rounded_parameters;
    for (const catalog::Model& model : context.catalog.models) {
        const double other = model.rounded_parameters;
        if (&model == &context.model || own <= 0 || other <= 0)
            continue;
        const double ratio = std::max(own / other, other / own);
        if (ratio <= furthest)
            candidates.push_back({&model, model.family == context.model.family, ratio});
    }
    sort_short(candidates, [](const Candidate& a, const Candidate& b) {
        if (a.same_family != b.same_family)
            return b.same_family;
        return a.ratio < b.ratio;
    });
    if (candidates.size() > shown)
        candidates.resize(shown);
    for (const Candidate& candidate : candidates) {
        const Architecture& architecture = candidate.model->architecture;
        const auto keys = report::attention_keys(architecture);
        Choice choice;
        choice.label = candidate.model->name;
        choice.detail =
            joined({report::parameters_text(candidate.model->rounded_parameters, context.locale),
                    keys.empty() ? std::string()
                                 : context.owned_text(std::string(keys.front()) + ".short"),
                    context.locale.tokens_short(
                        std::max(architecture.native_context, architecture.extended_context))},
                   context.text("separator.dot"));
        choice.tooltip = candidate.model->provider;
        choice.action = set_field(catalog::Field::model, candidate.model->id);
        view.related.push_back(std::move(choice));
    }
}

} // namespace vramscope::app
