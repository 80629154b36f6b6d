#include "support/reference_models.h"

#include <catch2/catch_test_macros.hpp>

#include "catalog/architecture_json.h"
#include "catalog/quantization_json.h"
#include "support/files.h"

namespace vramscope::test {

ReferenceModels::ReferenceModels() {
    catalog::JsonFaults faults;
    const auto tables =
        catalog::parse_json(read_file("catalog/quantization.json"), "quantization.json");
    REQUIRE(tables);
    std::vector<catalog::QuantizationFormat> formats;
    REQUIRE(catalog::read_quantization({*tables, "quantization.json", faults}, types_, formats));
    const auto shapes =
        catalog::parse_json(read_file("tests/reference/oracle_models.json"), "models");
    REQUIRE(shapes);
    catalog::JsonReader(*shapes, "models", faults)
        .for_each_member([&](const std::string& name, const catalog::JsonReader& value) {
            REQUIRE(catalog::read_architecture(value, models_[name]));
        });
}

EstimateRequest ReferenceModels::request(const std::string& name) const {
    const auto found = models_.find(name);
    REQUIRE(found != models_.end());
    EstimateRequest request;
    request.architecture = &found->second;
    request.storage_types = &types_;
    request.constants = &constants_;
    return request;
}

} // namespace vramscope::test
