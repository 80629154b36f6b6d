// The models of the reference rows (tests/reference/oracle_models.json) with what a request needs
// beside them.
#pragma once

#include <map>
#include <string>

#include "core/request.h"

namespace vramscope::test {

class ReferenceModels {
public:
    ReferenceModels();
    /// A request for that model with everything else at its default; fails the test when there is
    /// no such model. The models must outlive it.
    EstimateRequest request(const std::string& name) const;

private:
    StorageTypeTable types_;
    std::map<std::string, Architecture> models_;
    EngineConstants constants_;
};

} // namespace vramscope::test
