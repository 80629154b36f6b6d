// Draws ImGui's lists with WebGL2 (browser_gl.h, whose context is open).
#pragma once

struct ImDrawData;

namespace vramscope::platform {

class Renderer {
public:
    /// Creates the GPU objects; again after the context was lost (the old ones are gone then).
    /// False when the browser's GPU refuses our shaders.
    [[nodiscard]] bool create();
    void destroy();
    /// All textures must be sent again (a new context).
    static void forget_textures();
    [[nodiscard]] int largest_texture_side() const { return largest_texture_side_; }

    /// `width` and `height` are the canvas in device pixels.
    void draw(const ImDrawData& data, int width, int height, unsigned background_rgb);

private:
    int largest_texture_side_ = 0;
};

} // namespace vramscope::platform
