#include "app/measured_points.h"

#include <cstdlib>
#include <utility>

#include "core/ascii.h"

namespace vramscope::app {
namespace {

std::string_view next_word(std::string_view& line) {
    while (line.starts_with(' '))
        line.remove_prefix(1);
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

std::string_view next_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    return line;
}

/// The number at the front, which is taken away.
double number(std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && (text[end] == '.' || (text[end] >= '0' && text[end] <= '9')))
        ++end;
    const double value = std::strtod(std::string(text.substr(0, end)).c_str(), nullptr);
    text.remove_prefix(end);
    return value;
}

/// One device, nothing that changes the rate but the batch: "-" and "bb".
bool is_plain(std::string_view flags) {
    return flags == "-" || flags == "bb";
}

/// "d528/32x4=316.97": depth, tokens generated, sequences, rate.
bool read_point(std::string_view word, MeasuredPoints::Point& out) {
    if (!word.starts_with('d'))
        return false;
    word.remove_prefix(1);
    out.depth = number(word);
    if (!word.starts_with('/'))
        return false;
    word.remove_prefix(1);
    number(word);
    if (word.starts_with('x')) {
        word.remove_prefix(1);
        out.sequences = number(word);
    }
    if (!word.starts_with('='))
        return false;
    word.remove_prefix(1);
    out.tokens_per_second = number(word);
    return out.tokens_per_second > 0;
}

} // namespace

MeasuredPoints::MeasuredPoints(std::string text) : text_(std::move(text)) {
    std::string_view rest = text_;
    while (!rest.empty()) {
        std::string_view line = next_line(rest);
        if (!line.starts_with("source "))
            continue;
        next_word(line);
        const auto index = static_cast<std::size_t>(
            std::strtoul(std::string(next_word(line)).c_str(), nullptr, 10));
        if (index == sources_.size())
            sources_.emplace_back(next_word(line));
    }
}

std::vector<MeasuredPoints::Point> MeasuredPoints::find(std::string_view engine,
                                                        std::string_view hardware,
                                                        std::string_view model,
                                                        std::string_view weights) const {
    std::vector<Point> found;
    std::string_view rest = text_;
    while (!rest.empty()) {
        std::string_view line = next_line(rest);
        if (!line.starts_with(engine))
            continue;
        const std::string_view wanted[] = {engine, hardware, model, weights};
        bool same = true;
        for (const std::string_view want : wanted)
            same = ascii::equal_ignoring_case(next_word(line), want) && same;
        if (!same)
            continue;
        Point point;
        next_word(line); // bytes of the file
        const std::string_view grade = next_word(line);
        point.grade = grade.empty() ? ' ' : grade.front();
        next_word(line); // back end
        point.date = next_word(line);
        if (!is_plain(next_word(line)))
            continue;
        const auto source = static_cast<std::size_t>(
            std::strtoul(std::string(next_word(line)).c_str(), nullptr, 10));
        if (source < sources_.size())
            point.source = sources_[source];
        for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
            Point one = point;
            if (read_point(word, one))
                found.push_back(one);
        }
    }
    return found;
}

} // namespace vramscope::app
