// llama.cpp's automatic fit (--fit, on by default): what it changes when a request does not fit.
//
// It never asks whether the host has room; nor does it count what the driver holds, which is why it
// leaves a margin on every device. In this order, stopping as soon as everything fits:
//   1. nothing, when each device keeps its margin (1 GiB) free;
//   2. the context, when nobody set it: by linear interpolation between the full context of the
//   model
//      and the smallest one allowed (4,096), in steps of 256 tokens a stream. With one device a fit
//      by context is the end; with several, half a layer per device is set aside and 3 follows;
//   3. layers, from the last device to the first, from the last layer backwards, as many as the
//   margin
//      allows; for a mixture of experts with all experts on the host;
//   4. experts, when all other weights fit: whole layers again from the first device on, and of the
//      layer at the border as many of attention, up and gate as still fit.
// It gives up on 3 and 4 when layers, shares or experts were set by hand or rows are split.
//
// Source: ggml-org/llama.cpp common/fit.cpp, common_params_fit_impl(), at 08033df0 (2026),
// --fit-target and --fit-ctx of common/arg.cpp. The measuring is ours: weights, caches and compute
// buffers as estimated. For a layout with experts on the host the compute buffers are those of as
// many first layers' experts, since requests cannot name other ones. Speculative decoding is not
// considered.
#pragma once

#include <array>

#include "core/engines/engine.h"
#include "core/request.h"

namespace vramscope {

/// What stays on the device of the first layer that does not fit whole; all further ones keep
/// everything but their experts.
enum class LayerFraction : std::uint8_t {
    attention, ///< no feed-forward tensors at all
    up,        ///< attention and up
    gate,      ///< attention, up and gate: only down is elsewhere
    all_but_experts
};

/// The layers of one device: a run of whole ones, then those in part.
struct FitSlice {
    std::int32_t n_layer = 0; ///< both; the output layer counts as one
    std::int32_t n_part = 0;
    LayerFraction first_part = LayerFraction::all_but_experts;
    bool overflows_to_next = false; ///< the first part's rest lies on the next device, not the host
    std::int32_t n_full() const { return n_layer - n_part; }
};

/// A layout whose memory use is to be measured.
struct FitLayout {
    std::int64_t n_ctx = 0;
    bool everything = true;           ///< as requested: all layers, the engine's own split
    bool all_experts_on_host = false; ///< with `everything`
    std::array<FitSlice, max_devices> slices{};
};
struct FitUse {
    std::array<Bytes, max_devices> devices{}; ///< weights, caches and compute buffers
    Bytes weights = 0;                        ///< of all devices together
    Bytes host = 0;
};

/// The machine and model as the procedure sees them; tests put engine logs behind it.
class FitProblem {
public:
    std::int32_t n_layer = 0;
    bool has_experts = false;
    std::int64_t native_context = 0;
    std::int64_t n_streams = 1; ///< caches that do not share cells
    std::int32_t n_devices = 0;
    std::array<Bytes, max_devices> free_bytes{};
    Bytes host_memory_bytes = 0; ///< asked only when there is no device
    bool may_change_layers = true;

    virtual FitUse measure(const FitLayout& layout) const = 0;

protected:
    ~FitProblem() = default;
};

struct FitOptions {
    std::int64_t n_ctx = 0;          ///< as set by the person; 0: the fit may choose it
    std::int64_t min_context = 4096; ///< --fit-ctx, per stream
    Bytes margin_bytes = gib;        ///< --fit-target, on each device
};

enum class FitOutcome : std::uint8_t {
    unchanged,   ///< fits as it is
    context,     ///< the context was reduced, everything is on the devices
    layers,      ///< layers or experts went to the host
    not_allowed, ///< would have to move layers, but they were set by hand
    too_large    ///< no device, and too little host memory at the smallest context
};
/// "unchanged", "context", "layers", "not-allowed", "too-large".
const char* name(FitOutcome outcome);

struct AutomaticFit {
    FitOutcome outcome = FitOutcome::unchanged;
    FitLayout layout; ///< `everything` unless the outcome is `layers`
    FitUse use;
    std::int32_t n_gpu_layers = 0;
    std::int32_t n_partial_layers = 0; ///< on devices, with (some) feed-forward tensors elsewhere
    std::array<Bytes, max_devices> target{}; ///< free memory less the margin
};

AutomaticFit automatic_fit(const FitProblem& problem, const FitOptions& options);
/// For a request to llama.cpp; its n_ctx counts only when `options` does not leave it open.
AutomaticFit automatic_fit(const EstimateRequest& request, const FitOptions& options);

/// The fit in terms of options of a request. Partial layers are counted from the front there
/// (n_cpu_moe), from the back by the fit; sizes differ a little where layers are stored
/// differently.
void apply(const AutomaticFit& fit, EstimateRequest& request);

} // namespace vramscope
