// WebGL2, as far as the renderer needs it: one call into JavaScript per step, instead of one per GL
// function. The context is that of the canvas that browser_js.h attached.
#pragma once

#include <cstdint>

namespace vramscope::platform::browser_gl {

/// Asks the canvas for a context and listens for its loss and return, which come as
/// vs_on_context(). False when the browser has no WebGL2.
bool open_context();

/// Creates the GPU objects, again after the context was lost (the old ones are gone then). Both
/// sources are GLSL ES 3.00; attributes 0 position, 1 texel (two floats each), 2 colour (four
/// bytes); uniforms scale, to_clip, white. Answers the longest side of a texture in pixels, 0 when
/// the browser's GPU refuses the shaders.
int create(const char* vertex_source, const char* fragment_source);
void destroy();

/// RGBA pixels of `width` x `height`; answers the texture's number, never 0.
int create_texture(int width, int height, const void* pixels);
/// A part of a texture whose rows are `row_length` pixels apart in memory.
void update_texture(int texture, int x, int y, int width, int height, int row_length,
                    const void* pixels);
void destroy_texture(int texture);

/// Clears to a colour (0xRRGGBB). `scale`: device pixels for one of ImGui's units, in both
/// directions; `white`: the texel that shapes use.
void begin(int width, int height, float scale_x, float scale_y, float white_x, float white_y,
           unsigned background_rgb);
/// What the next draw() calls take from.
void set_list(const void* vertices, int vertices_size, const void* indices, int indices_size);
/// `count` 32-bit indices from byte `offset`, cut to a rectangle from the bottom left, in pixels.
void draw(int texture, int left, int bottom, int width, int height, unsigned count, int offset);

} // namespace vramscope::platform::browser_gl
