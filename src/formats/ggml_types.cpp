#include "formats/ggml_types.h"

#include <array>

namespace vramscope::formats {
namespace {

struct KnownType {
    std::uint32_t id;
    StorageType type;
};

constexpr std::array<KnownType, 35> known_types = {{
    {0, StorageType::f32},     {1, StorageType::f16},      {2, StorageType::q4_0},
    {3, StorageType::q4_1},    {6, StorageType::q5_0},     {7, StorageType::q5_1},
    {8, StorageType::q8_0},    {9, StorageType::q8_1},     {10, StorageType::q2_k},
    {11, StorageType::q3_k},   {12, StorageType::q4_k},    {13, StorageType::q5_k},
    {14, StorageType::q6_k},   {15, StorageType::q8_k},    {16, StorageType::iq2_xxs},
    {17, StorageType::iq2_xs}, {18, StorageType::iq3_xxs}, {19, StorageType::iq1_s},
    {20, StorageType::iq4_nl}, {21, StorageType::iq3_s},   {22, StorageType::iq2_s},
    {23, StorageType::iq4_xs}, {24, StorageType::i8},      {25, StorageType::i16},
    {26, StorageType::i32},    {27, StorageType::i64},     {28, StorageType::f64},
    {29, StorageType::iq1_m},  {30, StorageType::bf16},    {34, StorageType::tq1_0},
    {35, StorageType::tq2_0},  {39, StorageType::mxfp4},   {40, StorageType::nvfp4},
    {41, StorageType::q1_0},   {42, StorageType::q2_0},
}};

struct ForeignRow {
    std::uint32_t id;
    std::string_view name;
};
// ggml.h keeps these numbers as comments.
constexpr std::array<ForeignRow, 8> removed_types = {{{4, "Q4_2"},
                                                      {5, "Q4_3"},
                                                      {31, "Q4_0_4_4"},
                                                      {32, "Q4_0_4_8"},
                                                      {33, "Q4_0_8_8"},
                                                      {36, "IQ4_NL_4_4"},
                                                      {37, "IQ4_NL_4_8"},
                                                      {38, "IQ4_NL_8_8"}}};
// ik_llama.cpp ggml/include/ggml.h, commit 8337e4cd.
constexpr std::array<ForeignRow, 49> fork_types = {
    {{133, "Q6_0"},      {134, "IQ1_BN"},    {135, "IQ2_BN"},    {137, "IQ2_K"},
     {138, "IQ3_K"},     {139, "IQ4_K"},     {140, "IQ5_K"},     {141, "IQ6_K"},
     {142, "IQ2_TN"},    {143, "IQ1_TN"},    {144, "IQ4_KS"},    {145, "IQ2_KS"},
     {146, "IQ4_KSS"},   {151, "Q8_KV"},     {152, "IQ5_KS"},    {153, "IQ2_KT"},
     {154, "IQ3_KT"},    {155, "IQ4_KT"},    {156, "IQ3_KS"},    {157, "IQ2_KL"},
     {158, "IQ1_KT"},    {202, "Q4_0_R8"},   {206, "Q5_0_R4"},   {208, "Q8_0_R8"},
     {210, "Q2_K_R4"},   {211, "Q3_K_R4"},   {212, "Q4_K_R4"},   {213, "Q5_K_R4"},
     {214, "Q6_K_R4"},   {217, "IQ2_XS_R4"}, {219, "IQ1_S_R4"},  {220, "IQ4_NL_R4"},
     {221, "IQ3_S_R4"},  {222, "IQ2_S_R4"},  {223, "IQ4_XS_R8"}, {229, "IQ1_M_R4"},
     {230, "BF16_R16"},  {233, "Q6_0_R4"},   {335, "IQ2_BN_R4"}, {337, "IQ2_K_R4"},
     {338, "IQ3_K_R4"},  {339, "IQ4_K_R4"},  {340, "IQ5_K_R4"},  {344, "IQ4_KS_R4"},
     {352, "IQ5_KS_R4"}, {353, "MXFP4_R8"},  {397, "Q8_K_R16"},  {398, "Q8_KV_R8"},
     {399, "Q8_K_R8"}}};

// LLAMA_FTYPE_*, by number; a number without a mixture is count_.
constexpr auto none = Mixture::count_;
constexpr std::array<Mixture, 42> file_types = {Mixture::f32,
                                                Mixture::f16,
                                                Mixture::q4_0,
                                                Mixture::q4_1,
                                                none,
                                                none,
                                                none,
                                                Mixture::q8_0,
                                                Mixture::q5_0,
                                                Mixture::q5_1,
                                                Mixture::q2_k,
                                                Mixture::q3_k_s,
                                                Mixture::q3_k_m,
                                                Mixture::q3_k_l,
                                                Mixture::q4_k_s,
                                                Mixture::q4_k_m,
                                                Mixture::q5_k_s,
                                                Mixture::q5_k_m,
                                                Mixture::q6_k,
                                                Mixture::iq2_xxs,
                                                Mixture::iq2_xs,
                                                Mixture::q2_k_s,
                                                Mixture::iq3_xs,
                                                Mixture::iq3_xxs,
                                                Mixture::iq1_s,
                                                Mixture::iq4_nl,
                                                Mixture::iq3_s,
                                                Mixture::iq3_m,
                                                Mixture::iq2_s,
                                                Mixture::iq2_m,
                                                Mixture::iq4_xs,
                                                Mixture::iq1_m,
                                                Mixture::bf16,
                                                none,
                                                none,
                                                none,
                                                Mixture::tq1_0,
                                                Mixture::tq2_0,
                                                Mixture::mxfp4_moe,
                                                none,
                                                Mixture::q1_0,
                                                Mixture::q2_0};

} // namespace

StorageType storage_type_from_ggml(std::uint32_t id) {
    for (const KnownType& known : known_types) {
        if (known.id == id)
            return known.type;
    }
    return StorageType::count_;
}

std::uint32_t ggml_id(StorageType type) {
    for (const KnownType& known : known_types) {
        if (known.type == type)
            return known.id;
    }
    return no_ggml_id;
}

ForeignType foreign_ggml_type(std::uint32_t id) {
    for (const ForeignRow& row : removed_types) {
        if (row.id == id)
            return {row.name, "it was removed from ggml; quantise the model again"};
    }
    for (const ForeignRow& row : fork_types) {
        if (row.id == id)
            return {row.name, "only the fork ik_llama.cpp loads it"};
    }
    return {};
}

Mixture mixture_from_file_type(std::int64_t file_type) {
    if (file_type < 0 || file_type >= static_cast<std::int64_t>(file_types.size()))
        return Mixture::count_;
    return file_types[static_cast<std::size_t>(file_type)];
}

} // namespace vramscope::formats
