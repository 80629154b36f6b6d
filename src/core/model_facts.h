// What follows from a model and its weights alone: counted once, used by every question about them.
#pragma once

#include <vector>

#include "core/architecture.h"
#include "core/request.h"
#include "core/tensors.h"

namespace vramscope {

/// Bytes of the weights that llama.cpp loads, by where they can lie.
struct WeightSums {
    /// One layer: what goes with it, its experts, and a Mamba-1 scan's matrix.
    struct Of {
        Bytes plain = 0;
        Bytes experts = 0;
        Bytes scan = 0;
    };
    std::vector<Of> layers;
    Bytes on_host = 0;         ///< looked up, not multiplied with: the embedding and its kin
    Bytes before_layers = 0;   ///< where the first layer lies
    Bytes with_output = 0;     ///< where the output layer lies
    Bytes token_embedding = 0; ///< part of on_host
    bool has_output = false;   ///< a head of its own
    bool has_scan = false;     ///< a layer with Mamba-1's scan
};

class ModelFacts {
public:
    /// Counts anew when the request's model or weights are others than before; true when the model
    /// is.
    bool select(const EstimateRequest& request);

    /// Of the request that was selected last.
    const ParameterCount& parameters();
    const WeightSums& weights();
    /// All weight tensors of the artifact, without a file header.
    Bytes tensor_bytes();
    /// Grows by one whenever something else is selected.
    std::uint64_t generation() const { return generation_; }

private:
    Architecture architecture_;
    StorageTypeTable types_;
    Weights artifact_;
    bool known_ = false;
    std::uint64_t generation_ = 0;
    ParameterCount parameters_;
    bool has_parameters_ = false;
    WeightSums sums_;
    bool has_sums_ = false;
    Bytes tensor_bytes_ = 0;
    bool has_tensor_bytes_ = false;
};

/// Bytes of all weight tensors of an artifact, without a file header; `parameters` is looked at
/// where only a width is known.
Bytes artifact_tensor_bytes(const Architecture& architecture, const Weights& weights,
                            const StorageTypeTable& types, std::int64_t parameters);

} // namespace vramscope
