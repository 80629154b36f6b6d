#include "support/golden.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "core/units.h"
#include "support/files.h"

namespace vramscope::test {

using catalog::Json;

namespace {

/// Half away from zero, as the pages round (0.125 prints as 0.13).
double rounded(double value, int decimals) {
    double scale = 1;
    for (int i = 0; i < decimals; ++i)
        scale *= 10;
    return std::floor(std::abs(value) * scale + 0.5) / scale * (value < 0 ? -1 : 1);
}

class Golden {
public:
    Golden(const Door& door, const Json& figures) : door_(door), figures_(figures) {}

    GoldenCount count;

    void model() {
        const Json& printed = figures_["model"];
        const Json shown = show(printed["id"]);
        for (const auto& [key, value] : printed.items())
            same(key, shown[key], value);
    }

    void quick_state() {
        const Json& printed = figures_["quick"]["state"];
        const Json estimate = quick("Q4_K_M", 32768, "rtx-3060-12gb");
        const double total = expected(estimate, "total_bytes");
        part(estimate, "weights_bytes", total, printed["weights_GB"], printed["weights_pct"]);
        part(estimate, "kv_bytes", total, printed["kv_GB"], printed["kv_pct"]);
        part(estimate, "overhead_bytes", total, printed["overhead_GB"], printed["overhead_pct"]);
        gib_figure("total", total, printed["total_GB"]);
        gib_figure("per device", estimate["devices"][0]["total_bytes"]["expected"],
                   printed["per_device_GB"]);
        near("decode", estimate["decode_tokens_per_second"]["expected"], 1,
             printed["decode_tok_s"]);
        same("max context", estimate["max_context_tokens"], printed["max_context_before_oom"]);
        gib_figure("plain MHA", estimate["kv_mha_bytes"], printed["mha_fp16_GB"]);
        near("KV saving", 100 * estimate["kv_saving_fraction"].get<double>(), 1,
             printed["kv_saving_pct"]);
        same("verdict", estimate["verdict"], "fits");
        same("bandwidth", show("rtx-3060-12gb")["bandwidth_gb_per_s"].get<double>(),
             printed["gpu_bandwidth_GBps"].get<double>());
    }

    void quick_matrix() {
        for (const Json& row : figures_["quick"]["matrix"]) {
            const std::string format = row["quantization"];
            near(format + " bpw", show(format)["bits_per_weight"], 2, row["bits_per_weight"]);
            const Json at_32k = quick(format, 32768, "rtx-3060-12gb");
            gib_figure(format + " weights", expected(at_32k, "weights_bytes"), row["weights"]);
            gib_figure(format + " 8K",
                       expected(quick(format, 8192, "rtx-3060-12gb"), "total_bytes"),
                       row["total_8k"]);
            gib_figure(format + " 32K", expected(at_32k, "total_bytes"), row["total_32k"]);
            gib_figure(format + " 128K",
                       expected(quick(format, 131072, "rtx-3060-12gb"), "total_bytes"),
                       row["total_128k"]);
            same(format + " class", at_32k["recommended_hardware"], row["recommended"]);
        }
    }

    void quick_hardware() {
        for (const Json& row : figures_["quick"]["hardware"]) {
            const std::string id = row["id"];
            const Json device = show(id);
            same(id + " memory", device["memory_gib"].get<double>(),
                 row["memory_gib"].get<double>());
            same(id + " bandwidth", device["bandwidth_gb_per_s"].get<double>(),
                 row["bandwidth"].get<double>());
            const Json estimate = quick("Q4_K_M", 32768, id);
            gib_figure(id + " needed", expected(estimate, "total_bytes"), row["needed_32k"]);
            near(id + " use", 100 * estimate["devices"][0]["used_fraction"].get<double>(), 0,
                 row["used_percent"]);
            same(id + " verdict", estimate["verdict"], "fits");
            near(id + " decode", estimate["decode_tokens_per_second"]["expected"], 1,
                 row["decode"]);
        }
    }

    void evidence_files() {
        const Json shown = show(figures_["model"]["id"]);
        for (const Json& printed : figures_["evidence"]["artifacts"]) {
            const std::string id = printed["id"];
            const Json* artifact = nullptr;
            for (const Json& candidate : shown["artifacts"]) {
                if (candidate["id"] == id)
                    artifact = &candidate;
            }
            INFO(id);
            REQUIRE(artifact != nullptr);
            same(id + " name", (*artifact)["name"], printed["name"]);
            same(id + " bytes", (*artifact)["bytes"], printed["bytes"]);
            same(id + " files", (*artifact)["files"], printed["files"]);
            same(id + " evidence", (*artifact)["evidence"], printed["evidence"]);
            same(id + " engines", (*artifact)["engines"], printed["engines"]);
            if (!printed.contains("GiB"))
                continue;
            gib_figure(id + " GiB", (*artifact)["bytes"], printed["GiB"]);
            near(id + " GB", (*artifact)["bytes"].get<double>() / 1e9, 2, printed["GB"]);
        }
    }

    void evidence_matrix() {
        for (const Json& row : figures_["evidence"]["matrix"]) {
            const std::string artifact = row["artifact"];
            for (const std::int64_t tokens : {2048, 8192, 32768}) {
                const Json& printed = row["range_" + std::to_string(tokens)];
                const Json total = evidence(artifact, tokens)["total_bytes"];
                const std::string what = artifact + " at " + std::to_string(tokens);
                gib_figure(what + " low", total["low"], printed[0]);
                gib_figure(what + " high", total["high"], printed[1]);
            }
        }
    }

    void evidence_rest() {
        for (const Json& printed : figures_["evidence"]["kv_raw"]) {
            same("raw KV", evidence("gguf-q4_k_m", printed["tokens"])["kv_bytes"]["expected"],
                 printed["bytes"]);
        }
        const Json& printed = figures_["evidence"]["headline"];
        const Json estimate = evidence(printed["artifact"], printed["context"]);
        gib_figure("weights", expected(estimate, "weights_bytes"), printed["weights_GiB"]);
        gib_figure("KV", expected(estimate, "kv_bytes"), printed["kv_GiB"]);
        gib_figure("extras low", estimate["overhead_bytes"]["low"], printed["extras_low_GiB"]);
        gib_figure("extras high", estimate["overhead_bytes"]["high"], printed["extras_high_GiB"]);
        gib_figure("total low", estimate["total_bytes"]["low"], printed["total_low_GiB"]);
        gib_figure("total high", estimate["total_bytes"]["high"], printed["total_high_GiB"]);
    }

private:
    Json show(const std::string& id) { return door_({{"method", "catalog.show"}, {"id", id}}); }
    Json ask(Json request) {
        request["model"] = figures_["model"]["id"];
        return door_({{"method", "estimate"}, {"request", request}});
    }
    Json quick(const std::string& format, std::int64_t tokens, const std::string& hardware) {
        return ask(
            {{"engine", "quick"}, {"artifact", format}, {"n_ctx", tokens}, {"hardware", hardware}});
    }
    Json evidence(const std::string& artifact, std::int64_t tokens) {
        return ask({{"engine", "evidence"}, {"artifact", artifact}, {"n_ctx", tokens}});
    }
    static double expected(const Json& estimate, const std::string& key) {
        return estimate[key]["expected"];
    }

    void part(const Json& estimate, const std::string& key, double total, const Json& printed_gib,
              const Json& printed_percent) {
        const double bytes = expected(estimate, key);
        gib_figure(key, bytes, printed_gib);
        near(key + " share", 100 * bytes / total, 1, printed_percent);
    }
    void gib_figure(const std::string& what, double bytes, const Json& printed) {
        near(what, bytes / static_cast<double>(gib), 2, printed);
    }
    void near(const std::string& what, double value, int decimals, const Json& printed) {
        INFO(what << ": " << value);
        const double difference = rounded(value, decimals) - printed.get<double>();
        note(std::abs(difference) < 1e-9);
    }
    void same(const std::string& what, const Json& value, const Json& printed) {
        INFO(what << ": " << value.dump() << ", printed " << printed.dump());
        note(value == printed);
    }
    void note(bool equal) {
        ++count.figures;
        if (equal)
            ++count.equal;
        CHECK(equal);
    }

    const Door& door_;
    const Json& figures_;
};

} // namespace

GoldenCount check_golden(const Door& door) {
    const auto figures =
        catalog::parse_json(read_file("tests/reference/golden.json"), "golden.json");
    REQUIRE(figures);
    Golden golden(door, *figures);
    golden.model();
    golden.quick_state();
    golden.quick_matrix();
    golden.quick_hardware();
    golden.evidence_files();
    golden.evidence_matrix();
    golden.evidence_rest();
    return golden.count;
}

} // namespace vramscope::test
