// What the parts of build_view() share: the resolved request, its estimate, and shorthands for
// texts. Not for painters.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "app/view_model.h"
#include "core/estimator.h"
#include "core/verdict.h"

namespace vramscope::app {

/// Tokens of one sequence, as people think of a context, whatever the engine's n_ctx counts.
std::int64_t context_per_sequence(const EstimateRequest& request);
/// n_ctx that gives every sequence `tokens`.
std::int64_t engine_context(const EstimateRequest& request, std::int64_t tokens);

struct ViewContext {
    const UiState& state;
    const catalog::Catalog& catalog;
    const report::Locale& locale;
    const catalog::ResolvedRequest& resolved;
    const EstimateRequest& request;
    const catalog::Model& model;
    const Engine& engine;
    const Estimate& estimate;
    std::int64_t sequences;
    std::int64_t context;      ///< tokens per sequence
    std::int64_t native_limit; ///< tokens trained on, with the published extension
    ViewMemo& memo;
    std::string request_key;         ///< of the request
    std::string key_without_context; ///< of the request whatever its context
    std::string text_key;            ///< of language and unit

    /// Lives as long as the locale, or as `key` when that is missing.
    std::string_view text(std::string_view key) const;
    std::string owned_text(std::string_view key) const;
    std::string text(std::string_view key, std::initializer_list<std::string_view> arguments) const;
    std::string bytes(Bytes value) const;
    std::string bytes_number(Bytes value) const;
    std::string tokens(std::int64_t value) const;
    /// "1 sequence", "4 sequences".
    std::string sequences_text(std::int64_t count) const;
    /// Names of the weights: "GGUF Q4_K_M (Unsloth)" or the format's own name.
    std::string artifact_name() const;
    /// "RTX 3060 12GB", "2 × RTX 3090 24GB", "CPU".
    std::string hardware_name() const;
    /// Index into Estimate::devices of the accelerator with the least room; 0 without one.
    std::size_t fullest_device() const;
    /// The request as it would be with another context for every sequence.
    EstimateRequest with_context(std::int64_t tokens) const;
};

/// "RTX 3090 24GB", "2 × RTX 3090 24GB" for presets of several.
std::string entry_name(const ViewContext& context, const catalog::HardwareEntry& entry);
/// "24 GiB · 936 GB/s"; memory of all devices of a preset, bandwidth of one.
std::string hardware_detail(const ViewContext& context, const catalog::HardwareEntry& entry);

/// "KV cache": the label of a part.
std::string part_label(const report::Locale& locale, Part part);
Tone tone_of(Part part);
Tone tone_of(Verdict verdict);
/// ✓ ~ ↧ ✕
const char* sign_of(Verdict verdict);
std::string verdict_label(const report::Locale& locale, Verdict verdict);
/// "q8_0" -> "Q8_0"
std::string upper_case(std::string_view text);

Action set_field(catalog::Field field, std::string_view value);
/// Several fields at once: {{field, value} …} as the text of a set_fields action.
struct FieldValue {
    catalog::Field field;
    std::string value;
};
Action set_fields(std::initializer_list<FieldValue> values);

/// Models that are no catalog's, for the list of all models and for the search.
void list_own_models(const ViewContext& context, Control& control);
void search_own_models(const ViewInput& input, ViewModel& view);

// The parts of the view, one file each.
[[gnu::noinline]] void build_setup(const ViewContext& context, const std::vector<Fault>& faults,
                                   ViewModel& view);
[[gnu::noinline]] void build_answer(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_plot(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_matrix(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_hardware(const ViewContext& context, ViewModel& view);
/// Whether there is something to change.
bool wants_advice(const Estimate& estimate);
[[gnu::noinline]] void build_advice(const ViewContext& context, ViewModel& view);
/// What the accelerators of a plan need together; the host when there are none.
ByteRange accelerators_of(const MemoryPlan& plan);
/// Names and effects of the advanced options, into the controls that are there.
[[gnu::noinline]] void build_effects(const ViewContext& context, ViewModel& view);
/// The device that the browser's name of the GPU suggests.
[[gnu::noinline]] void build_gpu_hint(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_heat(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_speed(const ViewContext& context, const MeasuredPoints* measured,
                                   ViewModel& view);
[[gnu::noinline]] void build_layers(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_files(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_devices(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_model_head(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_facts(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_notes(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_related(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_why(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_assumptions(const ViewContext& context, ViewModel& view);
[[gnu::noinline]] void build_commands(const ViewContext& context, ViewModel& view);

struct Pin;
/// What the link said that was opened, where it differs from now.
[[gnu::noinline]] void build_pin(const ViewContext& context, const Pin& pin, ViewModel& view);

/// A number as this language writes it ("32.768", "0,5") in the plain form that requests have.
std::string plain_number(std::string_view text, const report::Locale& locale);
/// What was wrong with an input, in the reader's language.
std::string fault_text(const report::Locale& locale, const Fault& fault);

} // namespace vramscope::app
