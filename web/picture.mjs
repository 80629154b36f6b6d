// A picture of what is drawn, with title and address, as a PNG to save.

const margin = 24; // CSS pixels

/**
 * Saves `canvas` as a file. `draw()` asks for a frame: the drawing buffer of WebGL can only be read in
 * the frame that filled it.
 */
export function savePicture(canvas, title, link, draw) {
    return new Promise((resolve, reject) => {
        draw();
        requestAnimationFrame(() => {
            const scale = canvas.width / canvas.clientWidth || 1;
            const band = Math.round(64 * scale);
            const picture = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height + band });
            const pen = picture.getContext('2d');
            const { backgroundColor, color } = getComputedStyle(document.documentElement);
            pen.fillStyle = backgroundColor;
            pen.fillRect(0, 0, picture.width, picture.height);
            pen.drawImage(canvas, 0, band);
            pen.fillStyle = color;
            pen.font = `600 ${Math.round(17 * scale)}px system-ui, sans-serif`;
            const room = picture.width - 2 * margin * scale;
            pen.fillText(title, margin * scale, 28 * scale, room);
            pen.font = `${Math.round(12 * scale)}px system-ui, sans-serif`;
            pen.fillText(link, margin * scale, 50 * scale, room);
            picture.toBlob((blob) => {
                if (!blob) return reject(new Error('toBlob'));
                const address = URL.createObjectURL(blob);
                Object.assign(document.createElement('a'), { href: address, download: 'vramscope.png' }).click();
                setTimeout(() => URL.revokeObjectURL(address), 10_000);
                resolve(blob);
            }, 'image/png');
        });
    });
}
