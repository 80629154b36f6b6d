#include "catalog/search.h"

#include <algorithm>
#include <array>

#include "catalog/text_match.h"
#include "core/ascii.h"
#include "core/sort.h"
#include "core/tensors.h"

namespace vramscope::catalog {
namespace {

// How much a match in each place counts.
constexpr double name_weight = 1.0;
constexpr double tag_weight = 0.97;
constexpr double repo_weight = 0.93;
constexpr double family_weight = 0.95;
constexpr double kind_weight = 0.9;
constexpr double size_weight = 0.8;
constexpr double provider_weight = 0.75;

// How much a match of each kind counts.
constexpr double same_word = 1.0;
constexpr double other_word = 0.75;
constexpr double beginning = 0.8;
constexpr double number_beginning = 0.55;
constexpr double one_error = 0.65;
constexpr double two_errors = 0.5;

bool is_letter(char c) {
    return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
/// Bytes of letters outside ASCII belong to a word like letters.
bool is_word_byte(char c) {
    return is_letter(c) || static_cast<unsigned char>(c) >= 0x80;
}

std::string squeezed(std::string_view text) {
    std::string result;
    for (const char c : ascii::lowered(text)) {
        if (is_word_byte(c) || is_digit(c))
            result += c;
    }
    return result;
}

bool has_digit(std::string_view word) {
    return std::any_of(word.begin(), word.end(), is_digit);
}

/// Words that mean the same in the names of models.
bool same_meaning(std::string_view a, std::string_view b) {
    struct Pair {
        std::string_view first, second;
    };
    constexpr std::array<Pair, 9> pairs = {{{"it", "instruct"},
                                            {"it", "chat"},
                                            {"instruct", "chat"},
                                            {"coder", "code"},
                                            {"vl", "vision"},
                                            {"thinking", "reasoning"},
                                            {"think", "thinking"},
                                            {"moe", "experts"},
                                            {"ai", "mistralai"}}};
    return std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
        return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
    });
}

/// "30b", "a3b", "8x7b", "270m", "1t": sizes.
bool is_size(std::string_view word) {
    if (word.size() < 2 || !has_digit(word))
        return false;
    const char unit = word.back();
    return unit == 'b' || unit == 'm' || unit == 't';
}

/// Words that every model has in its name in some form: having them says nothing.
bool is_usual(std::string_view word) {
    return is_size(word) || word == "instruct" || word == "it" || word == "chat" || word == "hf";
}

/// Words of models for a purpose: not what is meant by a query without them.
bool is_special(std::string_view word) {
    constexpr std::array<std::string_view, 10> words = {"coder", "code",   "thinking", "reasoning",
                                                        "vl",    "vision", "distill",  "base",
                                                        "think", "preview"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// How well a word of the query is answered by a word of a model, 0 to 1.
double word_match(std::string_view asked, std::string_view word) {
    if (asked == word)
        return same_word;
    if (same_meaning(asked, word))
        return other_word;
    if (word.starts_with(asked)) {
        // "3" begins "3.5" and "32b", "k2" begins "k2.5"; letters need two to say anything.
        if (has_digit(asked))
            return number_beginning;
        if (asked.size() >= 2)
            return beginning;
    }
    // Sizes, versions and short words are not guessed.
    if (has_digit(asked) || has_digit(word) || asked.size() < 4)
        return 0;
    const std::size_t errors = typing_errors(asked, word);
    if (errors == 1)
        return one_error;
    if (errors == 2 && asked.size() >= 7)
        return two_errors;
    // The last letters are missing and one is wrong: "mistarl 7b" is caught above, "deepsek-cod"
    // here.
    if (asked.size() >= 5 && word.size() > asked.size() &&
        typing_errors(asked, word.substr(0, asked.size())) == 1) {
        return two_errors;
    }
    return 0;
}

/// "9b" for 9.4 billion: sizes as people round them.
std::vector<std::string> rounded_sizes(std::int64_t parameters) {
    std::vector<std::string> sizes;
    constexpr std::int64_t billion = 1'000'000'000;
    constexpr std::int64_t million = 1'000'000;
    if (parameters >= billion) {
        const std::int64_t down = parameters / billion;
        sizes.push_back(std::to_string(down) + "b");
        sizes.push_back(std::to_string(down + 1) + "b");
    } else if (parameters >= million) {
        sizes.push_back(std::to_string((parameters + million / 2) / million) + "m");
    }
    return sizes;
}

bool has_experts(const Architecture& architecture) {
    return std::any_of(
        architecture.feed_forwards.begin(), architecture.feed_forwards.end(),
        [](const FeedForward& part) { return part.kind == FeedForwardKind::experts; });
}

bool has_tower(const Architecture& architecture, std::string_view name) {
    return std::any_of(architecture.towers.begin(), architecture.towers.end(),
                       [name](const Tower& tower) { return tower.name == name; });
}

} // namespace

std::vector<std::string> search_words(std::string_view text) {
    const std::string all = ascii::lowered(text);
    std::vector<std::string> words;
    std::size_t i = 0;
    while (i < all.size()) {
        const std::size_t start = i;
        if (is_word_byte(all[i])) {
            while (i < all.size() && is_word_byte(all[i]))
                ++i;
            // A single letter stays with its number: "v3", "a3b", "k2.5".
            const bool single = i - start == 1;
            if (!single || i >= all.size() || !is_digit(all[i])) {
                words.push_back(all.substr(start, i - start));
                continue;
            }
        }
        if (!is_digit(all[i])) {
            ++i;
            continue;
        }
        const auto digits = [&] {
            while (i < all.size() &&
                   (is_digit(all[i]) || ((all[i] == '.' || all[i] == '_') && i + 1 < all.size() &&
                                         is_digit(all[i + 1])))) {
                ++i;
            }
        };
        digits();
        // "8x7b": digits again behind an x.
        if (i + 1 < all.size() && all[i] == 'x' && is_digit(all[i + 1])) {
            ++i;
            digits();
        }
        // A unit or one more letter belongs to the number ("30b", "3n"); a word does not ("2.5vl").
        std::size_t end = i;
        while (end < all.size() && is_word_byte(all[end]))
            ++end;
        if (end - i == 1)
            i = end;
        std::string word = all.substr(start, i - start);
        std::replace(word.begin(), word.end(), '_', '.');
        words.push_back(std::move(word));
    }
    return words;
}

ModelSearch::Entry ModelSearch::entry_of(const Model& model) {
    Entry entry;
    entry.model = &model;
    const auto add = [&entry](std::string_view text, double weight, bool in_name = false) {
        for (std::string& word : search_words(text)) {
            const auto known = std::find_if(entry.words.begin(), entry.words.end(),
                                            [&](const Word& w) { return w.text == word; });
            if (known == entry.words.end()) {
                entry.words.push_back({std::move(word), weight, in_name});
            } else {
                known->weight = std::max(known->weight, weight);
            }
        }
    };
    add(model.name, name_weight, true);
    add(model.id, name_weight);
    for (const std::string& alias : model.aliases)
        add(alias, tag_weight);
    add(model.ollama_tag, tag_weight);
    add(model.family, family_weight);
    add(model.hf_repo, repo_weight);
    add(model.hf_repo_old, repo_weight);
    add(model.provider, provider_weight);
    const Architecture& shape = model.architecture;
    entry.parameters = count_parameters(shape).total();
    add(has_experts(shape) ? "moe" : "dense", kind_weight);
    if (has_tower(shape, "vision"))
        add("vision vl multimodal", kind_weight);
    if (has_tower(shape, "audio"))
        add("audio multimodal", kind_weight);
    for (const std::string& size : rounded_sizes(entry.parameters)) {
        add(size, size_weight);
    }
    for (const std::string* name :
         {&model.id, &model.name, &model.hf_repo, &model.hf_repo_old, &model.ollama_tag}) {
        if (name->empty())
            continue;
        entry.exact.push_back(ascii::lowered(*name));
        entry.squeezed.push_back(squeezed(name->substr(name->find('/') + 1)));
    }
    for (const std::string& alias : model.aliases) {
        entry.exact.push_back(ascii::lowered(alias));
        entry.squeezed.push_back(squeezed(alias));
    }
    entry.usual = (model.ollama_tag.empty() ? 0.0 : 2.0) + (model.artifacts.empty() ? 0.0 : 1.0);
    return entry;
}

double ModelSearch::score(const Entry& entry, const std::vector<std::string>& words,
                          std::string_view query, std::string_view squeezed_query) {
    for (const std::string& name : entry.exact) {
        if (name == query)
            return 4;
    }
    double written_together = 0;
    for (const std::string& name : entry.squeezed) {
        if (name == squeezed_query)
            return 3;
        if (squeezed_query.size() < 4 || !name.starts_with(squeezed_query))
            continue;
        // "kimik2" is not the beginning of "kimik25".
        if (is_digit(squeezed_query.back()) && is_digit(name[squeezed_query.size()]))
            continue;
        const double share =
            static_cast<double>(squeezed_query.size()) / static_cast<double>(name.size());
        // A family's name begins many names; the shortest is no better than the others.
        const double whole = has_digit(squeezed_query) || words.size() > 1 ? 0.3 * share : 0;
        written_together = std::max(written_together, 0.95 + whole);
    }
    double sum = 0;
    std::size_t unanswered = 0;
    std::size_t names_used = 0;
    for (const std::string& asked : words) {
        double best = 0;
        bool in_name = false;
        for (const Word& word : entry.words) {
            const double match = word_match(asked, word.text) * word.weight;
            if (match > best) {
                best = match;
                in_name = word.in_name;
            }
        }
        if (best == 0)
            ++unanswered;
        if (in_name)
            ++names_used;
        sum += best;
    }
    if (unanswered * 3 > words.size())
        return written_together;
    double in_name = 0;
    double special = 0;
    for (const Word& word : entry.words) {
        if (word.in_name && !is_usual(word.text))
            ++in_name;
        if (word.in_name && is_special(word.text) &&
            std::find(words.begin(), words.end(), word.text) == words.end()) {
            ++special;
        }
    }
    double result = sum / static_cast<double>(words.size());
    // One word names a family, not the model with the shortest name in it.
    const double fits_name = words.size() > 1 ? 0.3 : 0;
    result += fits_name * std::min(static_cast<double>(names_used) / std::max(in_name, 1.0), 1.0);
    result -= 0.02 * special;
    for (std::size_t i = 0; i < unanswered; ++i)
        result *= 0.5;
    return std::max(result, written_together);
}

ModelSearch::ModelSearch(const Catalog& catalog) {
    entries_.reserve(catalog.models.size());
    for (const Model& model : catalog.models)
        entries_.push_back(entry_of(model));
}

std::vector<SearchHit> ModelSearch::find(std::string_view query, std::size_t limit) const {
    constexpr std::size_t longest_query = 200;
    constexpr double worst = 0.3;
    query = query.substr(0, longest_query);
    const auto first = query.find_first_not_of(" \t\n");
    if (first == std::string_view::npos)
        return {};
    query = query.substr(first, query.find_last_not_of(" \t\n") - first + 1);
    const std::vector<std::string> words = search_words(query);
    if (words.empty())
        return {};
    const std::string whole = ascii::lowered(query);
    const std::string together = squeezed(query);
    struct Found {
        const Entry* entry;
        double score;
    };
    std::vector<Found> found;
    for (const Entry& entry : entries_) {
        const double points = score(entry, words, whole, together);
        if (points >= worst)
            found.push_back({&entry, points});
    }
    sort_short(found, [](const Found& a, const Found& b) {
        if (a.score != b.score)
            return a.score > b.score;
        if (a.entry->usual != b.entry->usual)
            return a.entry->usual > b.entry->usual;
        if (a.entry->model->release != b.entry->model->release)
            return a.entry->model->release > b.entry->model->release;
        if (a.entry->parameters != b.entry->parameters)
            return a.entry->parameters < b.entry->parameters;
        return a.entry < b.entry; // in the order of the catalog
    });
    std::vector<SearchHit> hits;
    for (const Found& one : found) {
        if (hits.size() == limit)
            break;
        hits.push_back({one.entry->model, one.score});
    }
    return hits;
}

std::vector<SearchHit> search(const Catalog& catalog, std::string_view query, std::size_t limit) {
    return ModelSearch(catalog).find(query, limit);
}

} // namespace vramscope::catalog
