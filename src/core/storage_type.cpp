#include "core/storage_type.h"

namespace vramscope {
namespace {

constexpr std::array<std::string_view, storage_type_count> names = {
    "f32",     "f16",    "bf16",  "f8_e4m3", "q8_0",  "q8_1",   "q4_0",   "q4_1",  "q5_0",
    "q5_1",    "q2_k",   "q3_k",  "q4_k",    "q5_k",  "q6_k",   "q8_k",   "iq1_s", "iq1_m",
    "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s", "iq4_nl", "iq4_xs", "tq1_0", "tq2_0",
    "mxfp4",   "nvfp4",  "q1_0",  "q2_0",    "i8",    "i16",    "i32",    "i64",   "f64"};

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_ignoring_case(std::string_view lower_case, std::string_view text) {
    if (lower_case.size() != text.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (lower_case[i] != lower(text[i]))
            return false;
    }
    return true;
}

} // namespace

std::string_view name(StorageType type) {
    const auto index = static_cast<std::size_t>(type);
    return index < names.size() ? names[index] : std::string_view{};
}

StorageType storage_type_from_name(std::string_view text) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (same_ignoring_case(names[i], text))
            return static_cast<StorageType>(i);
    }
    return StorageType::count_;
}

} // namespace vramscope
