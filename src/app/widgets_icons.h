// Small pictures drawn as paths, so that they are crisp and need no glyph.
#pragma once

#include <string_view>

#include "app/widgets.h"

namespace vramscope::app {

enum class Icon : std::uint8_t {
    search,
    chevron_down,
    chevron_right,
    close,
    check,
    approximately,
    cross,
    spill,
    copy,
    share,
    sliders,
    moon,
    sun,
    half,
    plus,
    minus,
    menu,
    external,
    warning,
    info,
    reset,
    undo,
    redo
};

/// In a square around `centre`; 16 px is the size the strokes are made for.
void icon(const Ui& ui, Icon which, ImVec2 centre, Color color, float size = 16);

/// The picture of a verdict's or pill's sign.
Icon sign_icon(Tone tone, std::string_view sign = {});

/// The product's mark: a memory bar in a frame.
void logo(const Ui& ui, const ImRect& rect);

} // namespace vramscope::app
