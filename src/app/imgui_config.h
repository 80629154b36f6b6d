#pragma once

// Dear ImGui's compile-time settings (IMGUI_USER_CONFIG), the same in all builds.

// Left out because nothing here uses it; together about 100 KB of WebAssembly.
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT // glyphs come from the browser
#define IMGUI_DISABLE_FILE_FUNCTIONS
#define IMGUI_DISABLE_DEFAULT_SHELL_FUNCTIONS // links are opened by the page
#define IMGUI_DISABLE_WIN32_DEFAULT_CLIPBOARD_FUNCTIONS
#define IMGUI_DISABLE_WIN32_DEFAULT_IME_FUNCTIONS

// Names that Dear ImGui is about to remove do not compile, so newer 1.92.x versions stay possible.
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS

// Emoji and rare ideographs lie above U+FFFF.
#define IMGUI_USE_WCHAR32

// One window with large tables and plots can pass 65,536 vertices.
#define ImDrawIdx unsigned int
