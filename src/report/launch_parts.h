// What the launch commands of all engines are made of. Not for callers of launch.h.
#pragma once

#include <string>
#include <string_view>

#include "report/launch.h"

namespace vramscope::report {

/// A shell command of one program, broken before an option when a line gets long.
class CommandLine {
public:
    explicit CommandLine(std::string_view start) : text_(start), column_(start.size()) {}

    CommandLine& add(std::string_view part) {
        constexpr std::size_t width = 72;
        const bool is_option = !part.empty() && part[0] == '-';
        if (is_option && column_ + 1 + part.size() > width) {
            text_ += " \\\n ";
            column_ = 1;
        }
        text_ += ' ';
        text_ += part;
        column_ += 1 + part.size();
        return *this;
    }
    CommandLine& option(std::string_view flag, std::string_view value) {
        return add(std::string(flag) + ' ' + std::string(value));
    }
    CommandLine& option(std::string_view flag, std::int64_t value) {
        return option(flag, std::to_string(value));
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
    std::size_t column_;
};

/// Plain decimal without trailing zeros, as command lines want it whatever the locale.
std::string plain_number(double value);
bool is_gguf(const LaunchInput& input);
bool sixteen_bit(const LaunchInput& input);
std::string quantization_name(const LaunchInput& input);
/// The GGUF as a file beside the command: the recorded name, or the usual one.
std::string gguf_file(const LaunchInput& input);
/// "unsloth/GLM-4-9B-0414-GGUF:Q4_K_M", or "" when no repository is recorded.
std::string gguf_reference(const LaunchInput& input);
std::int32_t device_count(const LaunchInput& input);

/// How a serving engine spreads a model: tensor-parallel shards in each pipeline stage.
struct Ranks {
    std::int32_t shards = 1;
    std::int32_t stages = 1;
};
/// As asked for; else every device of the request is a shard.
Ranks ranks_of(const LaunchInput& input);
/// The share of a device's memory that a server may take: the request's or the usual one, and never
/// more than is free.
std::string memory_share(const LaunchInput& input, double usual);

} // namespace vramscope::report
