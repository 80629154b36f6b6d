// The outcome of reading a shape: an architecture, and honest words about what it lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/architecture.h"

namespace vramscope::formats {

struct ShapeReading {
    /// Sound by find_fault(); empty when the description does not suffice.
    std::optional<Architecture> architecture;
    /// What could not be said, or is left out, each a sentence.
    std::vector<std::string> missing;
};

/// Index of an equal description, which is added when there is none; 255 when there are too many.
template <typename Description>
std::uint8_t index_of(std::vector<Description>& descriptions, const Description& wanted) {
    for (std::size_t i = 0; i < descriptions.size(); ++i) {
        if (descriptions[i] == wanted)
            return static_cast<std::uint8_t>(i);
    }
    if (descriptions.size() >= 255)
        return 255;
    descriptions.push_back(wanted);
    return static_cast<std::uint8_t>(descriptions.size() - 1);
}

} // namespace vramscope::formats
