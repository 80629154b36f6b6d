// Weights and recipes against llama.cpp 0.7.0 itself.
//
// oracle_models.json: the shapes of 116 synthetic GGUF files that the engine loaded.
// oracle_sizes.json:  the parameter count that the loader prints for them, and for most what
//                     `llama-quantize --dry-run` gives: bytes by file type, without and with an
//                     importance matrix (0: refused, -1: not tried).
// oracle_types.json:  for some file types, the type of every quantised tensor, by role, run-length
//                     coded in layer order ("q6_k*4 q4_k*28").
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "catalog/architecture_json.h"
#include "catalog/quantization_json.h"
#include "core/recipe.h"
#include "support/files.h"

using namespace vramscope;
using catalog::Json;

namespace {

Json read_json(const std::string& path) {
    const auto json = catalog::parse_json(test::read_file(path), path);
    REQUIRE(json);
    return *json;
}

StorageTypeTable storage_types() {
    const Json json = read_json("catalog/quantization.json");
    catalog::JsonFaults faults;
    StorageTypeTable types;
    std::vector<catalog::QuantizationFormat> formats;
    REQUIRE(catalog::read_quantization({json, "quantization.json", faults}, types, formats));
    return types;
}

std::map<std::string, Architecture> oracle_models() {
    const Json json = read_json("tests/reference/oracle_models.json");
    catalog::JsonFaults faults;
    std::map<std::string, Architecture> models;
    catalog::JsonReader(json, "oracle_models.json", faults)
        .for_each_member([&](const std::string& name, const catalog::JsonReader& value) {
            const bool sound = catalog::read_architecture(value, models[name]);
            INFO((sound ? std::string()
                        : faults.errors.front().where + ": " + faults.errors.front().message));
            REQUIRE(sound);
        });
    return models;
}

struct Tally {
    int rows = 0;
    int exact = 0;
    double worst = 0; // share of the true bytes
};

void print_tallies(const std::map<std::string, Tally>& tallies) {
    Tally all;
    std::printf("%-16s %6s %6s %10s\n", "architecture", "rows", "exact", "worst");
    for (const auto& [arch, tally] : tallies) {
        std::printf("%-16s %6d %6d %9.4f%%\n", arch.c_str(), tally.rows, tally.exact,
                    100 * tally.worst);
        all.rows += tally.rows;
        all.exact += tally.exact;
    }
    std::printf("%-16s %6d %6d\n", "all", all.rows, all.exact);
}

const std::map<std::string_view, TensorRole> roles = {
    {"output", TensorRole::output},
    {"token_embd", TensorRole::token_embd},
    {"position_embd", TensorRole::position_embd},
    {"per_layer_token_embd", TensorRole::per_layer_token_embd},
    {"per_layer_model_proj", TensorRole::per_layer_model_proj},
    {"altup", TensorRole::altup},
    {"per_layer_gate", TensorRole::per_layer_gate},
    {"attn_q", TensorRole::attn_q},
    {"attn_k", TensorRole::attn_k},
    {"attn_v", TensorRole::attn_v},
    {"attn_qkv", TensorRole::attn_qkv},
    {"attn_output", TensorRole::attn_output},
    {"attn_gate", TensorRole::attn_gate},
    {"attn_q_a", TensorRole::attn_q_a},
    {"attn_q_b", TensorRole::attn_q_b},
    {"attn_kv_a_mqa", TensorRole::attn_kv_a_mqa},
    {"attn_k_b", TensorRole::attn_k_b},
    {"attn_v_b", TensorRole::attn_v_b},
    {"attn_kv_b", TensorRole::attn_kv_b},
    {"indexer", TensorRole::indexer},
    {"indexer_k", TensorRole::indexer_k},
    {"ffn_gate", TensorRole::ffn_gate},
    {"ffn_up", TensorRole::ffn_up},
    {"ffn_down", TensorRole::ffn_down},
    {"ffn_gate_exps", TensorRole::ffn_gate_exps},
    {"ffn_up_exps", TensorRole::ffn_up_exps},
    {"ffn_down_exps", TensorRole::ffn_down_exps},
    {"ffn_gate_up_exps", TensorRole::ffn_gate_up_exps},
    {"ffn_gate_shexp", TensorRole::ffn_gate_shexp},
    {"ffn_up_shexp", TensorRole::ffn_up_shexp},
    {"ffn_down_shexp", TensorRole::ffn_down_shexp},
    {"ffn_latent", TensorRole::ffn_latent},
    {"ssm_in", TensorRole::ssm_in},
    {"ssm_out", TensorRole::ssm_out},
    {"ssm_x", TensorRole::ssm_x},
    {"ssm_dt", TensorRole::ssm_dt},
    {"ssm_beta_alpha", TensorRole::ssm_beta_alpha},
    {"ssm_low_rank", TensorRole::ssm_low_rank},
    {"shortconv_in", TensorRole::shortconv_in},
    {"shortconv_out", TensorRole::shortconv_out},
    {"time_mix", TensorRole::time_mix},
    {"channel_mix", TensorRole::channel_mix},
    {"nextn", TensorRole::nextn},
    {"nextn_embd", TensorRole::nextn_embd},
};

/// Types of one role in layer order, as in oracle_types.json: "a*2 b" and, where the tensors of one
/// layer differ, "a+b".
class RoleTypes {
public:
    void note(std::int32_t layer, std::string_view type) {
        if (layer != layer_) {
            close_layer();
            layer_ = layer;
        }
        const std::string name(type);
        if (in_layer_ == name || in_layer_.empty()) {
            in_layer_ = name;
        } else if (in_layer_.find(name) == std::string::npos) {
            in_layer_ = in_layer_ < name ? in_layer_ + "+" + name : name + "+" + in_layer_;
        }
    }
    std::string text() {
        close_layer();
        close_run();
        return text_;
    }

private:
    void close_layer() {
        if (in_layer_.empty())
            return;
        if (in_layer_ != run_)
            close_run();
        run_ = in_layer_;
        ++length_;
        in_layer_.clear();
    }
    void close_run() {
        if (length_ == 0)
            return;
        if (!text_.empty())
            text_ += ' ';
        text_ += run_ + (length_ > 1 ? "*" + std::to_string(length_) : "");
        length_ = 0;
    }

    std::int32_t layer_ = -2;
    std::string in_layer_;
    std::string run_;
    int length_ = 0;
    std::string text_;
};

} // namespace

TEST_CASE("The loader counts the same parameters") {
    const auto models = oracle_models();
    const Json sizes = read_json("tests/reference/oracle_sizes.json");
    for (const auto& [name, entry] : sizes.items()) {
        CAPTURE(name);
        const auto count = count_parameters(models.at(name), Inventory::gguf);
        CHECK(count.total() == entry["parameters"].get<std::int64_t>());
    }
}

TEST_CASE("Recipes give the bytes of llama-quantize") {
    const auto models = oracle_models();
    const auto types = storage_types();
    const Json sizes = read_json("tests/reference/oracle_sizes.json");
    std::map<std::string, Tally> tallies;
    for (const auto& [name, entry] : sizes.items()) {
        const Architecture& model = models.at(name);
        if (entry["bytes"].empty())
            continue;
        Tally& tally = tallies[model.gguf_arch];
        for (const auto& [file_type, bytes] : entry["bytes"].items()) {
            const Mixture mixture = mixture_from_name(file_type);
            REQUIRE(mixture != Mixture::count_);
            for (std::size_t imatrix = 0; imatrix < bytes.size(); ++imatrix) {
                const auto expected = bytes[imatrix].get<std::int64_t>();
                if (expected < 0)
                    continue; // no such row
                CAPTURE(name, file_type, imatrix);
                const Bytes got = mixture_bytes(model, mixture, imatrix == 1, types);
                CHECK(got == expected);
                ++tally.rows;
                tally.exact += got == expected ? 1 : 0;
                const double error = expected == 0 ? static_cast<double>(got != 0)
                                                   : static_cast<double>(got - expected) /
                                                         static_cast<double>(expected);
                tally.worst = std::max(tally.worst, error < 0 ? -error : error);
            }
        }
    }
    print_tallies(tallies);
}

TEST_CASE("Every tensor gets the type that llama-quantize gives it") {
    const auto models = oracle_models();
    const auto types = storage_types();
    const Json all = read_json("tests/reference/oracle_types.json");
    for (const auto& [name, file_types] : all.items()) {
        const Architecture& model = models.at(name);
        for (const auto& [file_type, expected] : file_types.items()) {
            const std::size_t plus = file_type.find('+');
            const Mixture mixture = mixture_from_name(std::string_view(file_type).substr(0, plus));
            REQUIRE(mixture != Mixture::count_);
            RecipeWalker walker(model, mixture, plus != std::string::npos, types);
            std::map<TensorRole, RoleTypes> got;
            auto visit = [&](const Tensor& tensor) {
                const StorageType type = walker.type_of(tensor);
                if (type != StorageType::f32) {
                    got[tensor.role].note(tensor.layer, vramscope::name(type));
                }
            };
            for_each_tensor(model, Inventory::gguf, visit);
            CAPTURE(name, file_type);
            CHECK(got.size() == expected.size());
            for (const auto& [role, text] : expected.items()) {
                CAPTURE(role);
                CHECK(got[roles.at(role)].text() == text.get<std::string>());
            }
        }
    }
}
