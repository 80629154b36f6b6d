#include <algorithm>
#include <cmath>
#include <cstddef>

#include "imgui.h"
#include "platform/browser_gl.h"
#include "platform/browser_renderer.h"

namespace vramscope::platform {
namespace {

// A glyph was rasterised for whole device pixels and must land on them, yet at a scale of 1.25 or
// 1.5 its place in CSS pixels does not. Glyphs are told from shapes by their texel: shapes use the
// white one. All four corners of a glyph move by the same fraction, since its size is whole; the
// small bias keeps rounding errors from parting them when the fraction is one half.
constexpr const char* vertex_source = R"(#version 300 es
precision highp float;
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 colour;
uniform vec2 scale;
uniform vec2 to_clip;
uniform vec2 white;
out vec2 fragment_texel;
out vec4 fragment_colour;
void main() {
    vec2 pixel = position * scale;
    if (texel != white) pixel = floor(pixel + 0.515625);
    fragment_texel = texel;
    fragment_colour = colour;
    gl_Position = vec4(pixel * to_clip + vec2(-1.0, 1.0), 0.0, 1.0);
}
)";

constexpr const char* fragment_source = R"(#version 300 es
precision mediump float;
uniform sampler2D glyphs;
in highp vec2 fragment_texel;
in vec4 fragment_colour;
out vec4 colour;
void main() {
    colour = fragment_colour * texture(glyphs, fragment_texel);
}
)";

static_assert(sizeof(ImDrawVert) == 20 && offsetof(ImDrawVert, uv) == 8 &&
              offsetof(ImDrawVert, col) == 16 && sizeof(ImDrawIdx) == 4);

int texture_of(const ImTextureData& texture) {
    return static_cast<int>(texture.TexID);
}

void create_texture(ImTextureData& texture) {
    const int id = browser_gl::create_texture(texture.Width, texture.Height, texture.GetPixels());
    texture.SetTexID(static_cast<ImTextureID>(id));
    texture.SetStatus(ImTextureStatus_OK);
}

void update_texture(ImTextureData& texture) {
    for (const ImTextureRect& part : texture.Updates)
        browser_gl::update_texture(texture_of(texture), part.x, part.y, part.w, part.h,
                                   texture.Width, texture.GetPixelsAt(part.x, part.y));
    texture.SetStatus(ImTextureStatus_OK);
}

void destroy_texture(ImTextureData& texture) {
    if (texture_of(texture) != 0)
        browser_gl::destroy_texture(texture_of(texture));
    texture.SetTexID(ImTextureID_Invalid);
    texture.SetStatus(ImTextureStatus_Destroyed);
}

void bring_up_to_date(ImTextureData& texture) {
    if (texture.Status == ImTextureStatus_WantCreate)
        create_texture(texture);
    if (texture.Status == ImTextureStatus_WantUpdates)
        update_texture(texture);
    if (texture.Status == ImTextureStatus_WantDestroy && texture.UnusedFrames > 0)
        destroy_texture(texture);
}

void draw_list(const ImDrawList& list, const ImDrawData& data, int width, int height) {
    browser_gl::set_list(list.VtxBuffer.Data, list.VtxBuffer.size_in_bytes(), list.IdxBuffer.Data,
                         list.IdxBuffer.size_in_bytes());
    const auto edge = [](float css_pixels, float scale, int limit) {
        return std::clamp(static_cast<int>(std::lround(css_pixels * scale)), 0, limit);
    };
    for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.UserCallback != nullptr) {
            if (command.UserCallback != ImDrawCallback_ResetRenderState)
                command.UserCallback(&list, &command);
            continue;
        }
        const ImVec4& clip = command.ClipRect;
        const int left = edge(clip.x, data.FramebufferScale.x, width);
        const int top = edge(clip.y, data.FramebufferScale.y, height);
        const int right = edge(clip.z, data.FramebufferScale.x, width);
        const int bottom = edge(clip.w, data.FramebufferScale.y, height);
        if (right <= left || bottom <= top)
            continue;
        browser_gl::draw(static_cast<int>(command.GetTexID()), left, height - bottom, right - left,
                         bottom - top, command.ElemCount,
                         static_cast<int>(command.IdxOffset * sizeof(ImDrawIdx)));
    }
}

} // namespace

bool Renderer::create() {
    largest_texture_side_ = browser_gl::create(vertex_source, fragment_source);
    return largest_texture_side_ > 0;
}

void Renderer::destroy() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
        destroy_texture(*texture);
    browser_gl::destroy();
}

void Renderer::forget_textures() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        texture->SetTexID(ImTextureID_Invalid);
        texture->SetStatus(ImTextureStatus_Destroyed);
    }
}

void Renderer::draw(const ImDrawData& data, int width, int height, unsigned background_rgb) {
    if (data.Textures != nullptr)
        for (ImTextureData* texture : *data.Textures)
            bring_up_to_date(*texture);
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    browser_gl::begin(width, height, data.FramebufferScale.x, data.FramebufferScale.y, white.x,
                      white.y, background_rgb);
    for (const ImDrawList* list : data.CmdLists)
        draw_list(*list, data, width, height);
}

} // namespace vramscope::platform
