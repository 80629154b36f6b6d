// Finding models the way people ask for them: "qwen 30b moe", "llama3.3", "GLM 4 9B", a Hugging
// Face repository, an Ollama tag; with typing errors and unfinished words.
//
// A query is cut into words ("llama3.3" is "llama" and "3.3", "30b" and "a3b" stay whole), and each
// word is matched with the words of every model: exactly, as a beginning, as another word for the
// same, or with a few letters wrong. Numbers must be right. The score of a model is how well its
// words answer the query, and how little else its name says; equal scores go by what is used
// more, is newer, or is smaller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace vramscope::catalog {

struct SearchHit {
    const Model* model = nullptr;
    double score = 0; ///< 1 and more: every word of the query is answered
};

/// Lower-case words of a text, as search compares them.
std::vector<std::string> search_words(std::string_view text);

class ModelSearch {
public:
    /// `catalog` must outlive the index.
    explicit ModelSearch(const Catalog& catalog);

    /// Models that answer the query, best first; at most `limit`. An empty query finds nothing.
    std::vector<SearchHit> find(std::string_view query, std::size_t limit = 20) const;

private:
    struct Word {
        std::string text;
        double weight = 0;
        bool in_name = false;
    };
    struct Entry {
        const Model* model = nullptr;
        std::vector<Word> words;
        std::vector<std::string> exact;    ///< whole names: an equal query is that model
        std::vector<std::string> squeezed; ///< the same without separators
        double usual = 0;                  ///< how much it is used, for equal scores
        std::int64_t parameters = 0;
    };

    static Entry entry_of(const Model& model);
    static double score(const Entry& entry, const std::vector<std::string>& words,
                        std::string_view query, std::string_view squeezed_query);

    std::vector<Entry> entries_;
};

/// ModelSearch for one query.
std::vector<SearchHit> search(const Catalog& catalog, std::string_view query,
                              std::size_t limit = 20);

} // namespace vramscope::catalog
