#include "catalog/text_match.h"

#include <algorithm>
#include <array>

namespace vramscope::catalog {

std::size_t typing_errors(std::string_view a, std::string_view b) {
    constexpr std::size_t longest = 32;
    if (a.size() > longest || b.size() > longest)
        return longest;
    using Row = std::array<std::size_t, longest + 1>;
    Row before_last{};
    Row last{};
    Row row{};
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last = last;
        last = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t other = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, other});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

} // namespace vramscope::catalog
