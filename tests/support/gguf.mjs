// GGUF files made for tests: true headers, and nothing behind them.

/** Little-endian GGUF v3: metadata and tensor table, padded. */
export function ggufHeader(metadata, tensors) {
    const parts = [];
    const number = (value, bytes) => {
        const buffer = Buffer.alloc(bytes);
        if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
        else buffer.writeUInt32LE(value);
        parts.push(buffer);
    };
    const text = (value) => {
        const bytes = Buffer.from(value);
        number(bytes.length, 8);
        parts.push(bytes);
    };
    parts.push(Buffer.from('GGUF'));
    number(3, 4);
    number(tensors.length, 8);
    number(Object.keys(metadata).length, 8);
    for (const [key, value] of Object.entries(metadata)) {
        text(key);
        if (typeof value === 'boolean') {
            number(7, 4);
            parts.push(Buffer.from([value ? 1 : 0]));
        } else if (typeof value === 'number') {
            number(4, 4);
            number(value, 4);
        } else if (typeof value === 'string') {
            number(8, 4);
            text(value);
        } else {
            number(9, 4);
            number(typeof value[0] === 'string' ? 8 : 4, 4);
            number(value.length, 8);
            for (const element of value) {
                if (typeof element === 'string') text(element);
                else number(element, 4);
            }
        }
    }
    let offset = 0;
    for (const [name, type, bytesPerBlock, ...shape] of tensors) {
        text(name);
        number(shape.length, 4);
        for (const size of shape) number(size, 8);
        number(type, 4);
        number(offset, 8);
        const elements = shape.reduce((a, b) => a * b, 1);
        const bytes = (elements / (type === 0 ? 1 : 256)) * bytesPerBlock;
        offset += Math.ceil(bytes / 32) * 32;
    }
    const header = Buffer.concat(parts);
    const padded = Buffer.concat([header, Buffer.alloc((32 - (header.length % 32)) % 32)]);
    return { header: padded, fileBytes: padded.length + offset };
}

/** Llama-3.3-70B's shape in Q4_K, with a vocabulary of its size: 40 GB. */
export function llama70b() {
    const f32 = (name, ...shape) => [name, 0, 4, ...shape];
    const q4 = (name, ...shape) => [name, 12, 144, ...shape];
    const tensors = [q4('token_embd.weight', 8192, 128256), f32('output_norm.weight', 8192),
        q4('output.weight', 8192, 128256)];
    for (let i = 0; i < 80; ++i) {
        const layer = `blk.${i}.`;
        tensors.push(f32(`${layer}attn_norm.weight`, 8192), q4(`${layer}attn_q.weight`, 8192, 8192),
            q4(`${layer}attn_k.weight`, 8192, 1024), q4(`${layer}attn_v.weight`, 8192, 1024),
            q4(`${layer}attn_output.weight`, 8192, 8192), f32(`${layer}ffn_norm.weight`, 8192),
            q4(`${layer}ffn_gate.weight`, 8192, 28672), q4(`${layer}ffn_up.weight`, 8192, 28672),
            q4(`${layer}ffn_down.weight`, 28672, 8192));
    }
    return ggufHeader({
        'general.architecture': 'llama',
        'general.name': 'Seventy',
        'llama.block_count': 80,
        'llama.context_length': 131072,
        'llama.embedding_length': 8192,
        'llama.attention.head_count': 64,
        'llama.attention.head_count_kv': 8,
        'tokenizer.ggml.tokens': Array.from({ length: 128256 }, (_, i) => `token${i}`),
        'tokenizer.ggml.token_type': new Array(128256).fill(1),
        'tokenizer.ggml.merges': Array.from({ length: 280147 }, (_, i) => `ab${i} cd`),
        'tokenizer.chat_template': 'x'.repeat(5000),
    }, tensors);
}

/** A small model with a projector and an adapter that belong to it. */
export function smallModel(layers = 2) {
    const f16 = (name, ...shape) => [name, 1, 512, ...shape];
    const f32 = (name, ...shape) => [name, 0, 4, ...shape];
    const tensors = [f16('token_embd.weight', 256, 1024), f32('output_norm.weight', 256), f16('output.weight', 256, 1024)];
    for (let i = 0; i < layers; ++i) {
        const layer = `blk.${i}.`;
        tensors.push(f32(`${layer}attn_norm.weight`, 256), f16(`${layer}attn_q.weight`, 256, 256),
            f16(`${layer}attn_k.weight`, 256, 256), f16(`${layer}attn_v.weight`, 256, 256),
            f16(`${layer}attn_output.weight`, 256, 256), f32(`${layer}ffn_norm.weight`, 256),
            f16(`${layer}ffn_gate.weight`, 256, 512), f16(`${layer}ffn_up.weight`, 256, 512),
            f16(`${layer}ffn_down.weight`, 512, 256));
    }
    return ggufHeader({
        'general.architecture': 'llama', 'general.name': 'Little One', 'general.file_type': 1,
        'llama.block_count': layers, 'llama.context_length': 4096, 'llama.embedding_length': 256,
        'llama.feed_forward_length': 512, 'llama.attention.head_count': 4, 'llama.attention.head_count_kv': 4,
        'tokenizer.ggml.tokens': Array.from({ length: 1024 }, (_, i) => `t${i}`),
    }, tensors);
}

export const adapter = () => ggufHeader({
    'general.architecture': 'llama', 'general.type': 'adapter', 'adapter.type': 'lora',
}, [['blk.0.attn_q.weight.lora_a', 0, 4, 256, 8], ['blk.0.attn_q.weight.lora_b', 0, 4, 8, 256]]);

export const projector = () => ggufHeader({
    'general.architecture': 'clip', 'general.type': 'mmproj', 'clip.has_vision_encoder': true,
    'clip.vision.block_count': 1, 'clip.vision.embedding_length': 64, 'clip.vision.feed_forward_length': 128,
    'clip.vision.attention.head_count': 4, 'clip.vision.image_size': 224, 'clip.vision.patch_size': 14,
    'clip.projector_type': 'mlp',
}, [['v.patch_embd.weight', 0, 4, 14, 14, 3, 64], ['mm.0.weight', 1, 512, 64, 256]]);
