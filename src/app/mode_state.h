// The pages beside the simulator, as state: which one is open, what it filters and sorts by, and
// what was put aside to compare. Everything here is part of the address.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope::app {

enum class Mode : std::uint8_t {
    simulator,
    run,    ///< what can I run?
    need,   ///< what do I need?
    compare ///< configurations side by side
};

/// "", "run", "need", "compare": as the address spells them.
std::string_view mode_name(Mode mode);
/// Mode::simulator for anything unknown.
Mode mode_of(std::string_view name);

inline constexpr std::size_t most_compared = 4;

struct ModeState {
    Mode mode = Mode::simulator;
    /// What is set of the options, sorted by key: {"min_speed", "10"}.
    std::vector<std::pair<std::string, std::string>> options;
    /// Query strings of the configurations to compare, at most `most_compared`.
    std::vector<std::string> compared;
    int page = 0; ///< of the long table in the HTML twin; not in the address

    /// "" when the option is not set.
    std::string_view option(std::string_view key) const;
    /// The option's number, or `usual`.
    double number(std::string_view key, double usual = 0) const;
    /// False when there is no such option or the value is none of its own; "" unsets.
    bool set(std::string_view key, std::string_view value);
    /// Puts a query string aside; false when it is there already or there is no room.
    bool add(std::string_view query);

    friend bool operator==(const ModeState&, const ModeState&) = default;
};

/// Whether a control's id or an address's key is an option of a mode, and whether it is a number.
bool is_mode_option(std::string_view key);
bool is_mode_number(std::string_view key);

/// A parameter of the address that belongs here ("view", "with", an option); false when none.
bool take_mode_parameter(ModeState& state, std::string_view key, std::string_view value);
/// "view=run&min_speed=10", "" for the simulator without anything set.
std::string mode_parameters(const ModeState& state);

} // namespace vramscope::app
