// tests/reference/pages.md: every line of both reference pages has its place in ours.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "support/app.h"
#include "support/files.h"

using namespace vramscope;
using Json = nlohmann::json;

namespace {

struct PageRow {
    std::string lines; ///< "E8-9"
    std::string part;  ///< field of the view
    std::string request;
    std::string text;
};

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t start = 1;
    while (start < line.size()) {
        const std::size_t end = std::min(line.find('|', start), line.size());
        std::string cell = line.substr(start, end - start);
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
        cells.push_back(cell);
        start = end + 1;
    }
    return cells;
}

std::vector<PageRow> page_rows() {
    std::vector<PageRow> rows;
    std::istringstream file(test::read_file("tests/reference/pages.md"));
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("| E") && !line.starts_with("| S"))
            continue;
        const std::vector<std::string> cells = cells_of(line);
        REQUIRE(cells.size() == 5);
        rows.push_back({cells[0], cells[2], cells[3], cells[4]});
    }
    return rows;
}

/// The numbers of "E8-9": 8 and 9.
std::vector<int> numbers(const std::string& lines) {
    const int first = std::stoi(lines.substr(1));
    const std::size_t dash = lines.find('-');
    const int last = dash == std::string::npos ? first : std::stoi(lines.substr(dash + 1));
    std::vector<int> all;
    for (int i = first; i <= last; ++i)
        all.push_back(i);
    return all;
}

/// The texts of a part of the view, one after another, with plain spaces.
std::string texts_of(const Json& json) {
    std::string texts;
    if (json.is_string())
        texts = json.get<std::string>() + '\n';
    if (json.is_structured()) {
        for (const auto& child : json)
            texts += texts_of(child);
    }
    for (std::size_t i; (i = texts.find("\u00a0")) != std::string::npos;)
        texts.replace(i, 2, " ");
    return texts;
}

const Json& view_of(const std::string& request) {
    static std::map<std::string, Json> views;
    const auto known = views.find(request);
    if (known != views.end())
        return known->second;
    app::App app = test::ready_app();
    app.open_url(request);
    return views.emplace(request, Json::parse(app::view_json(app.view()))).first->second;
}

} // namespace

TEST_CASE("What the reference pages say stands where the table says") {
    for (const PageRow& row : page_rows()) {
        INFO(row.lines << ": " << row.part << " of " << row.request << " says " << row.text);
        const Json& view = view_of(row.request);
        REQUIRE(view.contains(row.part));
        CHECK(texts_of(view[row.part]).find(row.text) != std::string::npos);
    }
}

TEST_CASE("No line of the reference pages is left out of the table") {
    std::set<int> evidence;
    std::set<int> simulator;
    for (const PageRow& row : page_rows()) {
        for (const int number : numbers(row.lines)) {
            (row.lines[0] == 'E' ? evidence : simulator).insert(number);
        }
    }
    for (int line = 1; line <= 63; ++line) {
        INFO("E" << line);
        CHECK(evidence.contains(line));
    }
    // Blank lines, and two flags that are corrected away (see "Corrected").
    const std::set<int> left_out = {2,  4,  6,  8,  10, 25, 27, 29, 40, 42,
                                    53, 55, 76, 78, 80, 82, 90, 97, 98, 101};
    for (int line = 1; line <= 102; ++line) {
        INFO("S" << line);
        CHECK(simulator.contains(line) != left_out.contains(line));
    }
}
