// Build settings of Dear ImGui, for every file that includes imgui.h (pass it as
// IMGUI_USER_CONFIG="platform/imgui_config.h" to ImGui's own sources and to ours).
#pragma once

// Emoji and rare CJK lie above U+FFFF.
#define IMGUI_USE_WCHAR32

// WebGL has no base-vertex drawing, so a draw list with more than 65,535 vertices (large plots)
// needs 32-bit indices.
#define ImDrawIdx unsigned int

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_FILE_FUNCTIONS
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS
#define IMGUI_DISABLE_WIN32_FUNCTIONS

// No TrueType parser and no built-in font: the browser rasterises the glyphs (glyph_loader.cpp).
// ImGui takes its default loader from ImGuiFreeType::GetFontLoader() under this switch, and ours
// is defined there; FreeType itself is neither compiled nor linked.
#define IMGUI_DISABLE_DEFAULT_FONT
#define IMGUI_ENABLE_FREETYPE
