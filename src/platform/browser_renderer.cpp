#include <GLES3/gl3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "imgui.h"
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

GLuint compile(GLenum type, const char* source) {
    const GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    return shader;
}

GLuint texture_of(const ImTextureData& texture) {
    return static_cast<GLuint>(texture.TexID);
}

void create_texture(ImTextureData& texture) {
    GLuint id = 0;
    glGenTextures(1, &id);
    glBindTexture(GL_TEXTURE_2D, id);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, texture.Width, texture.Height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texture.GetPixels());
    texture.SetTexID(id);
    texture.SetStatus(ImTextureStatus_OK);
}

void update_texture(ImTextureData& texture) {
    glBindTexture(GL_TEXTURE_2D, texture_of(texture));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, texture.Width);
    for (const ImTextureRect& part : texture.Updates)
        glTexSubImage2D(GL_TEXTURE_2D, 0, part.x, part.y, part.w, part.h, GL_RGBA, GL_UNSIGNED_BYTE,
                        texture.GetPixelsAt(part.x, part.y));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    texture.SetStatus(ImTextureStatus_OK);
}

void destroy_texture(ImTextureData& texture) {
    const GLuint id = texture_of(texture);
    if (id != 0)
        glDeleteTextures(1, &id);
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
    glBufferData(GL_ARRAY_BUFFER, list.VtxBuffer.size_in_bytes(), list.VtxBuffer.Data,
                 GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer.size_in_bytes(), list.IdxBuffer.Data,
                 GL_STREAM_DRAW);
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
        glScissor(left, height - bottom, right - left, bottom - top);
        glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(command.GetTexID()));
        const std::size_t offset = command.IdxOffset * sizeof(ImDrawIdx);
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(command.ElemCount), GL_UNSIGNED_INT,
                       reinterpret_cast<const void*>(offset));
    }
}

} // namespace

bool Renderer::create() {
    const GLuint vertex = compile(GL_VERTEX_SHADER, vertex_source);
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_source);
    program_ = glCreateProgram();
    glAttachShader(program_, vertex);
    glAttachShader(program_, fragment);
    glLinkProgram(program_);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint linked = 0;
    glGetProgramiv(program_, GL_LINK_STATUS, &linked);
    if (linked == 0)
        return false;
    scale_uniform_ = glGetUniformLocation(program_, "scale");
    to_clip_uniform_ = glGetUniformLocation(program_, "to_clip");
    white_uniform_ = glGetUniformLocation(program_, "white");

    glGenVertexArrays(1, &vertex_array_);
    glGenBuffers(1, &vertices_);
    glGenBuffers(1, &indices_);
    glBindVertexArray(vertex_array_);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
    const auto attribute = [](GLuint index, GLint size, GLenum type, std::size_t offset) {
        glEnableVertexAttribArray(index);
        glVertexAttribPointer(index, size, type, type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE,
                              sizeof(ImDrawVert), reinterpret_cast<const void*>(offset));
    };
    attribute(0, 2, GL_FLOAT, offsetof(ImDrawVert, pos));
    attribute(1, 2, GL_FLOAT, offsetof(ImDrawVert, uv));
    attribute(2, 4, GL_UNSIGNED_BYTE, offsetof(ImDrawVert, col));
    glUseProgram(program_);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    return true;
}

void Renderer::destroy() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
        destroy_texture(*texture);
    glDeleteVertexArrays(1, &vertex_array_);
    glDeleteBuffers(1, &vertices_);
    glDeleteBuffers(1, &indices_);
    glDeleteProgram(program_);
    *this = Renderer{};
}

void Renderer::forget_textures() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
        texture->SetTexID(ImTextureID_Invalid);
        texture->SetStatus(ImTextureStatus_Destroyed);
    }
}

int Renderer::largest_texture_side() {
    GLint side = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    return side;
}

void Renderer::draw(const ImDrawData& data, int width, int height, unsigned background_rgb) {
    if (data.Textures != nullptr)
        for (ImTextureData* texture : *data.Textures)
            bring_up_to_date(*texture);

    const auto channel = [background_rgb](int shift) {
        return static_cast<float>((background_rgb >> shift) & 0xFFU) / 255.0F;
    };
    glViewport(0, 0, width, height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(channel(16), channel(8), channel(0), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    glUniform2f(scale_uniform_, data.FramebufferScale.x, data.FramebufferScale.y);
    glUniform2f(to_clip_uniform_, 2.0F / static_cast<float>(width),
                -2.0F / static_cast<float>(height));
    glUniform2f(white_uniform_, white.x, white.y);
    for (const ImDrawList* list : data.CmdLists)
        draw_list(*list, data, width, height);
}

} // namespace vramscope::platform
