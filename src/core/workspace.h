// What estimates of one model share, kept by the caller from one to the next.
//
// Answers do not depend on what a workspace holds: it only spares finding the same things again and
// allocating memory. A second estimate of a model allocates nothing on the heap.
#pragma once

#include "core/engines/llama_cpp_compute.h"
#include "core/engines/llama_cpp_placement.h"
#include "core/model_facts.h"
#include "core/request.h"
#include "core/speed_work.h"

namespace vramscope {

struct Workspace {
    ModelFacts facts;
    ComputeMemo compute;
    PlacementMemo placement;
    SpeedWorkMemo speed;
    EstimateRequest trial; ///< of the solver
    EstimateRequest inner; ///< of an engine that runs another one

    /// Must come before anything else is asked about a request: forgets what belongs to others.
    void select(const EstimateRequest& request) {
        if (facts.select(request))
            compute.reset(*request.architecture);
    }
};

} // namespace vramscope
