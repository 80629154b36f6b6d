#include "platform/browser_gl.h"

#include <emscripten/em_js.h>

// clang-format off
EM_JS(int, vs_gl_open, (void), {
    const p = Module["vramscopePlatform"];
    // Opaque, else the page shines through wherever we draw translucently; ImGui smooths its own edges.
    p.gl = p.canvas.getContext("webgl2", {
        alpha: false, depth: false, stencil: false, antialias: false, powerPreference: "low-power",
    });
    if (!p.gl) return 0;
    p.on(p.canvas, "webglcontextlost", e => {
        e.preventDefault(); // else it is never restored
        _vs_on_context(0);
    });
    p.on(p.canvas, "webglcontextrestored", () => _vs_on_context(1));
    return 1;
})

EM_JS(int, vs_gl_create, (const char* vertex, const char* fragment, int stride), {
    const { gl } = Module["vramscopePlatform"];
    const g = Module["vramscopePlatform"].drawing = { textures: [null], program: gl.createProgram() };
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, UTF8ToString(source));
        gl.compileShader(shader);
        gl.attachShader(g.program, shader);
        gl.deleteShader(shader);
    }
    gl.linkProgram(g.program);
    if (!gl.getProgramParameter(g.program, gl.LINK_STATUS)) return 0;
    for (const name of ["scale", "to_clip", "white"]) g[name] = gl.getUniformLocation(g.program, name);
    gl.bindVertexArray(g.layout = gl.createVertexArray());
    gl.bindBuffer(gl.ARRAY_BUFFER, g.vertices = gl.createBuffer());
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, g.indices = gl.createBuffer());
    [[2, gl.FLOAT, 0], [2, gl.FLOAT, 8], [4, gl.UNSIGNED_BYTE, 16]].forEach(([size, type, offset], i) => {
        gl.enableVertexAttribArray(i);
        gl.vertexAttribPointer(i, size, type, type === gl.UNSIGNED_BYTE, stride, offset);
    });
    gl.useProgram(g.program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    return gl.getParameter(gl.MAX_TEXTURE_SIZE);
})

EM_JS(void, vs_gl_destroy, (void), {
    const { gl, drawing } = Module["vramscopePlatform"];
    gl.deleteVertexArray(drawing.layout);
    gl.deleteBuffer(drawing.vertices);
    gl.deleteBuffer(drawing.indices);
    gl.deleteProgram(drawing.program);
})

EM_JS(int, vs_gl_create_texture, (int width, int height, const void* pixels), {
    const { gl, drawing } = Module["vramscopePlatform"];
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, HEAPU8, pixels);
    return drawing.textures.push(texture) - 1;
})

EM_JS(void, vs_gl_update_texture, (int texture, int x, int y, int width, int height, int row_length, const void* pixels), {
    const { gl, drawing } = Module["vramscopePlatform"];
    gl.bindTexture(gl.TEXTURE_2D, drawing.textures[texture]);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, row_length);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, width, height, gl.RGBA, gl.UNSIGNED_BYTE, HEAPU8, pixels);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
})

EM_JS(void, vs_gl_destroy_texture, (int texture), {
    const { gl, drawing } = Module["vramscopePlatform"];
    gl.deleteTexture(drawing.textures[texture]);
    drawing.textures[texture] = null;
})

EM_JS(void, vs_gl_begin, (int width, int height, float scale_x, float scale_y, float white_x, float white_y, unsigned rgb), {
    const { gl, drawing } = Module["vramscopePlatform"];
    gl.viewport(0, 0, width, height);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor((rgb >> 16) / 255, (rgb >> 8 & 255) / 255, (rgb & 255) / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    gl.uniform2f(drawing.scale, scale_x, scale_y);
    gl.uniform2f(drawing.to_clip, 2 / width, -2 / height);
    gl.uniform2f(drawing.white, white_x, white_y);
})

EM_JS(void, vs_gl_list, (const void* vertices, int vertices_size, const void* indices, int indices_size), {
    const { gl } = Module["vramscopePlatform"];
    gl.bufferData(gl.ARRAY_BUFFER, HEAPU8, gl.STREAM_DRAW, vertices, vertices_size);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, HEAPU8, gl.STREAM_DRAW, indices, indices_size);
})

EM_JS(void, vs_gl_draw, (int texture, int left, int bottom, int width, int height, unsigned count, int offset), {
    const { gl, drawing } = Module["vramscopePlatform"];
    gl.scissor(left, bottom, width, height);
    gl.bindTexture(gl.TEXTURE_2D, drawing.textures[texture]);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, offset);
})
// clang-format on

namespace vramscope::platform::browser_gl {

bool open_context() {
    return vs_gl_open() != 0;
}

int create(const char* vertex_source, const char* fragment_source) {
    constexpr int bytes_per_vertex = 20;
    return vs_gl_create(vertex_source, fragment_source, bytes_per_vertex);
}

void destroy() {
    vs_gl_destroy();
}

int create_texture(int width, int height, const void* pixels) {
    return vs_gl_create_texture(width, height, pixels);
}

void update_texture(int texture, int x, int y, int width, int height, int row_length,
                    const void* pixels) {
    vs_gl_update_texture(texture, x, y, width, height, row_length, pixels);
}

void destroy_texture(int texture) {
    vs_gl_destroy_texture(texture);
}

void begin(int width, int height, float scale_x, float scale_y, float white_x, float white_y,
           unsigned background_rgb) {
    vs_gl_begin(width, height, scale_x, scale_y, white_x, white_y, background_rgb);
}

void set_list(const void* vertices, int vertices_size, const void* indices, int indices_size) {
    vs_gl_list(vertices, vertices_size, indices, indices_size);
}

void draw(int texture, int left, int bottom, int width, int height, unsigned count, int offset) {
    vs_gl_draw(texture, left, bottom, width, height, count, offset);
}

} // namespace vramscope::platform::browser_gl
