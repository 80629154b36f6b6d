// The commands that read files, as a person calls them.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "support/oracle_headers.h"

using namespace vramscope;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

struct Run {
    int status;
    std::string out;
    std::string err;
};
Run run(const std::vector<std::string>& arguments, const std::string& input = "") {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    const int status = cli::run(arguments, in, out, err);
    return {status, out.str(), err.str()};
}

/// A folder of its own, gone at the end.
class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("vramscope-inspect-" + std::to_string(++count))) {
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    std::string write(const std::string& name, const std::string& bytes,
                      std::uintmax_t size = 0) const {
        const fs::path path = path_ / name;
        std::ofstream(path, std::ios::binary) << bytes;
        if (size > bytes.size())
            fs::resize_file(path, size); // sparse: takes no room
        return path.string();
    }
    std::string path() const { return path_.string(); }

private:
    static inline int count = 0;
    fs::path path_;
};

std::string write_oracle(const Folder& folder, const std::string& model) {
    const StorageTypeTable types = test::catalog_storage_types();
    for (const test::OracleHeader& header : test::read_oracle_headers()) {
        if (header.model != model)
            continue;
        test::GgufWriter writer;
        test::write_oracle_header(header, types, writer);
        return folder.write(model + ".gguf", writer.header(), writer.file_bytes());
    }
    FAIL("no header of " << model);
    return {};
}

} // namespace

TEST_CASE("inspect: a GGUF, as JSON and as text") {
    const Folder folder;
    const std::string file = write_oracle(folder, "llama-3.1-8b");
    const Run result = run({"inspect", file, "--json"});
    REQUIRE(result.status == 0);
    const json object = json::parse(result.out);
    // llama.cpp's own figures for this file: oracle_sizes.json.
    CHECK(object["parameters"] == 8'030'261'312);
    CHECK(object["tensor_bytes"] == 4'912'898'304);
    CHECK(object["quantization"] == "q4_k_m");
    CHECK(object["recipe_exact"] == true);
    CHECK(object["architecture"]["n_embd"] == 4096);
    CHECK(object["artifact"]["bytes"] == fs::file_size(file));
    const Run text = run({"inspect", file});
    CHECK(text.status == 0);
    CHECK(text.out.find("8,030,261,312") != std::string::npos);
    CHECK(text.out.find("Q4_K_M") != std::string::npos);
}

TEST_CASE("--model FILE gives what the catalog gives for the same model and bytes") {
    const Folder folder;
    const std::string file = write_oracle(folder, "llama-3.1-8b");
    const Run own = run({"estimate", "--model", file, "--n-ctx", "8192", "--json"});
    REQUIRE(own.status == 0);
    const Run catalog = run({"estimate", "--model", "llama-3.1-8b-instruct", "--artifact",
                             "recipe:Q4_K_M", "--n-ctx", "8192", "--json"});
    REQUIRE(catalog.status == 0);
    const json a = json::parse(own.out);
    const json b = json::parse(catalog.out);
    for (const char* key : {"weights_bytes", "kv_bytes", "compute_bytes", "total_bytes",
                            "artifact_tensor_bytes", "max_context_tokens"}) {
        INFO(key);
        CHECK(a[key] == b[key]);
    }
    const Run solve = run({"solve", "max-context", "--model", file, "--json"});
    CHECK(solve.status == 0);
    const Run batch = run({"estimate", "--batch", "-"}, json{{"model", file}}.dump() + "\n");
    CHECK(batch.status == 0);
    CHECK(json::parse(batch.out)["artifact_tensor_bytes"] == 4'912'898'304);
}

TEST_CASE("--model config.json: the shape, and any quantisation by its recipe") {
    const Folder folder;
    const std::string config = folder.write(
        "config.json",
        R"({"model_type":"qwen3","hidden_size":1024,"num_hidden_layers":28,"head_dim":128,)"
        R"("num_attention_heads":16,"num_key_value_heads":8,"intermediate_size":3072,)"
        R"("vocab_size":151936,"tie_word_embeddings":true,"max_position_embeddings":40960})");
    const Run own = run({"estimate", "--model", config, "--artifact", "Q8_0", "--json"});
    REQUIRE(own.status == 0);
    const Run catalog =
        run({"estimate", "--model", "qwen3-0.6b", "--artifact", "recipe:Q8_0", "--json"});
    CHECK(json::parse(own.out)["total_bytes"] == json::parse(catalog.out)["total_bytes"]);
    CHECK(run({"estimate", "--model", folder.path(), "--json"}).status == 0);
}

TEST_CASE("catalog add drafts an entry and says what is left to do") {
    const Folder folder;
    const std::string file = write_oracle(folder, "gemma3-1b");
    const Run result = run({"catalog", "add", file, "--source", "note: a test"});
    REQUIRE(result.status == 0);
    const json entry = json::parse(result.out);
    CHECK(entry["architecture"]["gguf_arch"] == "gemma3");
    CHECK(entry["sources"] == json::array({"note: a test"}));
    CHECK(entry["artifacts"][0]["quantization"] == "q4_k_m");
    CHECK(result.err.find("TODO") != std::string::npos);
}

TEST_CASE("What cannot be read says why, on the line of its command") {
    const Folder folder;
    CHECK(run({"inspect", folder.path() + "/nothing.gguf"}).err ==
          "vramscope: there is no file " + folder.path() + "/nothing.gguf\n");
    CHECK(run({"inspect", folder.path()}).err ==
          "vramscope: " + folder.path() + " holds no .gguf, .safetensors or config.json\n");
    const std::string page = folder.write("page.gguf", "<!doctype html>");
    CHECK(run({"inspect", page}).status == 1);
    CHECK(run({"inspect", page}).err.find("is a web page, not a GGUF file") != std::string::npos);
    const Run estimate = run({"estimate", "--model", page, "--json"});
    CHECK(estimate.status == 1);
    CHECK(json::parse(estimate.out)["error"]["code"] == "invalid-gguf");
    const std::string config = folder.write("c.json", R"({"model_type":"brandnew"})");
    CHECK(run({"estimate", "--model", config}).err.find("is not known") != std::string::npos);
}
