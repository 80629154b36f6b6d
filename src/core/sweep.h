// Many devices at once: total bytes, verdict and largest context of every weight file on every
// device, each equal to what estimate() says of that pair.
//
// Devices that share a driver and a kind of memory differ in their size only. So what a model needs
// is found once for all of them, as a table of even pieces over the context; a device is then a
// comparison and a look into the table. Weights of the same model share its caches and compute
// buffers.
#pragma once

#include <vector>

#include "core/engines/engine.h"
#include "core/workspace.h"

namespace vramscope {

struct SweepAnswer {
    ByteRange total; ///< device and host
    Verdict verdict = Verdict::does_not_fit;
    std::int64_t max_context_tokens = 0; ///< as n_ctx means it, see Estimate
};

/// What the one device and the host need beside weights, over the context in steps of the engine.
struct ContextTable {
    struct Piece {
        std::int64_t low = 0;
        std::int64_t high = 0;
        std::array<graph::Affine, 2> needs{}; ///< at `low`: of the device, of the host
        Bytes at(std::size_t entry, std::int64_t steps) const {
            return needs[entry].value(steps - low);
        }
    };
    /// The piece around a context, or nullptr.
    const Piece* find(std::int64_t steps) const;
    /// The largest context for which an entry has room, in a table that rises.
    std::int64_t steps_within(std::size_t entry, Bytes room) const;

    const Piece& insert(Piece piece, std::int64_t steps);

    std::vector<Piece> pieces; ///< by context, without overlaps
    bool complete = false;     ///< no context is missing
    bool rises = false;        ///< complete, and no need shrinks anywhere
};

class Sweep {
public:
    /// Devices that are looked at one by one; they must outlive the sweep.
    explicit Sweep(std::vector<const Device*> devices);

    /// The pairs to come have this request's model, weights and options; what is known of the model
    /// stays when only weights change.
    void select(const EstimateRequest& request);

    /// With the selected request on each device, in their order; valid until the next call.
    const std::vector<SweepAnswer>& answers();
    /// On one of them.
    SweepAnswer answer(std::size_t device);

private:
    /// Devices with the same needs.
    struct Class {
        const Device* example = nullptr;
        std::uint32_t kind = 0;
        std::size_t table = 0; ///< index into tables_
        // With the selected weights:
        std::uint64_t generation = 0; ///< of the workspace's facts
        std::size_t n_entries = 0;
        std::array<ByteRange, 2> needs{}; ///< at the request's context
        ByteRange total;
        std::array<Bytes, 2> fixed{}; ///< what the table leaves out: weights, a constant
        Verdict host_verdict = Verdict::fits;
        std::int64_t host_steps = 0; ///< largest context that the host has room for
    };
    struct Table {
        std::uint32_t kind = 0;
        std::uint64_t generation = 0;    ///< of the weights it was made with
        const Device* example = nullptr; ///< of the class it was made with
        ContextTable contexts;
    };

    bool find_tables();
    SweepAnswer look_up(const Class& of, Bytes room);
    SweepAnswer estimate_of(const Device& device);
    void start(Class& of, bool for_any_weights);
    std::array<Bytes, 2> beside_weights_at(std::int64_t steps);
    void fill(ContextTable& table);
    ContextTable::Piece make_piece(std::int64_t steps);
    Bytes room_at(const Class& of, std::int64_t steps, Bytes device_room);
    std::int64_t max_steps(const Class& of, Bytes device_room);

    std::vector<const Device*> devices_;
    std::vector<std::size_t> class_of_; ///< by device
    std::vector<Class> classes_;
    std::vector<Table> tables_;
    std::vector<SweepAnswer> answers_;
    Workspace workspace_;
    EstimateRequest request_;
    EstimateRequest trial_;
    const Engine* engine_ = nullptr;
    std::int64_t limit_ = 0; ///< of contexts, in steps
    bool host_counts_ = false;
    bool knows_tables_ = false;
    bool has_tables_ = false; ///< for the selected request
};

} // namespace vramscope
