// Draws ImGui's lists with WebGL2. Expects the context to be current.
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
    [[nodiscard]] static int largest_texture_side();

    /// `width` and `height` are the canvas in device pixels.
    void draw(const ImDrawData& data, int width, int height, unsigned background_rgb);

private:
    unsigned program_ = 0;
    unsigned vertex_array_ = 0;
    unsigned vertices_ = 0;
    unsigned indices_ = 0;
    int scale_uniform_ = -1;
    int to_clip_uniform_ = -1;
    int white_uniform_ = -1;
};

} // namespace vramscope::platform
