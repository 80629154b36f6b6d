#!/usr/bin/env python3
"""Packs rows of what llama.cpp allocates into oracle_rows.txt, the input of oracle_rows_test.cpp.

usage: pack_oracle_rows.py OUT ROWS.jsonl...

One line a row, holding only what differs from the line before it, as KEY=VALUE tokens without the
equals sign: a lower-case key and its value. Rows that the engine refused are left out; rows are
sorted so that neighbours are alike. Bytes are exact; buffers of the host (CPU, pinned, repacked,
mapped) are summed. Keys:

  suite s   model m   weights w   n_gpu_layers g   n_ctx c   n_ubatch u   n_batch b   n_seq q
  kv_unified i   flash_attn f   type_k k   type_v v   swa_full a   n_outputs_max o (0: n_batch)
  offload_kqv x   op_offload p   embeddings e   devices d   tensor_split t   split_mode l
  load_mtp y   MTP context z   n_rs_seq r   splits n   cut to layers j
  bytes: W weights, K cache and state, C compute, each with 0 1 2 (device) or h (host);
  O output, and M + W/K/C + 0/h for the MTP context
"""
import json
import sys

KEYS = ['s', 'm', 'l', 'd', 't', 'w', 'g', 'y', 'z', 'r', 'x', 'p', 'e', 'j', 'a', 'f', 'k', 'v',
        'c', 'q', 'i', 'u', 'b', 'o', 'n']
BYTES = [k + d for k in 'WKC' for d in '012h'] + ['O'] + ['M' + k + d for k in 'WKC' for d in '0h']


def device_of(name):
    if name == 'Meta()':
        return '0'
    return name[6:] if name.startswith('Vulkan') and name != 'Vulkan_Host' else 'h'


def add_buffers(out, prefix, buffers):
    for name, sizes in buffers.items():
        d = device_of(name)
        for letter, field in zip('WKC', ('model', 'context', 'compute')):
            key = prefix + letter + d
            out[key] = out.get(key, 0) + sizes.get(field, 0)


def pack(row):
    out = {
        's': row['suite'], 'm': row['model'], 'w': row['wtype'], 'g': row['ngl'], 'c': row['n_ctx'],
        'u': row['n_ubatch'], 'b': row['n_batch'], 'q': row['n_seq_max'], 'i': int(row['kv_unified']),
        'f': int(row['fa'] == 'on'), 'k': row['type_k'], 'v': row['type_v'], 'a': int(row['swa_full']),
        'o': row['n_outputs_max'], 'x': int(row.get('offload_kqv', 1)),
        'p': int(row.get('op_offload', 1)), 'e': int(row.get('embeddings', 0)),
        'd': row.get('n_devices', 1), 't': row.get('tensor_split') or '-',
        'l': row.get('split_mode') or 'layer', 'y': int(row.get('load_mtp', 0) or 0),
        'z': int(row.get('mtp', 0) or 0), 'r': int(row.get('n_rs_seq', 0) or 0),
        'n': row.get('splits_pp', 0), 'j': row.get('layers_cut_to', 0),
    }
    for key in BYTES:
        out[key] = 0
    if row.get('buffers'):
        add_buffers(out, '', row['buffers'])
        out['O'] = round(sum(row.get('output_mib', {}).values()) * 2 ** 20)
    else:  # only MiB were printed
        for name, size in row['compute_mib'].items():
            out['C' + device_of(name)] = round(size * 2 ** 20)
    if row.get('mtp_buffers'):
        add_buffers(out, 'M', row['mtp_buffers'])
    return out


def main():
    rows = []
    for path in sys.argv[2:]:
        with open(path) as lines:
            rows += [pack(row) for row in map(json.loads, lines) if row['ok']]
    order = KEYS + BYTES
    rows.sort(key=lambda row: tuple(str(row[k]).zfill(12) if isinstance(row[k], int) else row[k]
                                    for k in KEYS))
    last = {}
    with open(sys.argv[1], 'w') as out:
        for row in rows:
            out.write(' '.join(f'{k}{row[k]}' if len(k) == 1 else f'{k}:{row[k]}'
                               for k in order if last.get(k, 0 if k in BYTES else None) != row[k]))
            out.write('\n')
            last = row


main()
